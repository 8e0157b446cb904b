"""Messages of the pane of work."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from orca_core.model.tasks import Step


@dataclass
class OtherTab(Message):
    """The list beside is wanted: the next one, or with -1 the one before."""

    step: int


@dataclass
class StepAction(Message):
    """Something is to be done to a step of the current task, or to the task."""

    action: str
    step: Step | None
