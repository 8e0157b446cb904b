"""Messages of the pane of work."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from orca_core.domain.work.tasks import Step


class OtherTab(Message):
    """The other list is wanted."""


@dataclass
class StepAction(Message):
    """Something is to be done to a step of the current task, or to the task."""

    action: str
    step: Step | None
