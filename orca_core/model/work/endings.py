"""What is decided of a task inside a transaction, and what came of it: its end is its episode's beginning."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from orca_core.model.feedback.actions import Action
from orca_core.model.memories import Fields
from orca_core.model.work.episodes import Episode
from orca_core.model.work.tasks import Step, TaskView, TaskWithSteps


class TaskDecision(Struct, frozen=True):
    """What becomes of a task: fields of its own, steps that are added, fields of steps by their numbers, the episode
    that its end makes, and the act that is noted of it."""

    fields: Fields = field(default_factory=dict)
    new_steps: tuple[Step, ...] = ()
    steps: Mapping[int, Fields] = field(default_factory=dict)
    episode: Episode | None = None
    act: Action | None = None


DecideTask = Callable[[TaskWithSteps], TaskDecision]
"""Decides on a task as it is inside the transaction. Raises InvalidInput."""


class TaskChanged(Struct, frozen=True):
    """A task after a change: the operation (None where nothing changed), the episode of one that was ended, and the act
    that was noted with it."""

    operation: int | None
    task: TaskWithSteps
    episode: Episode | None = None
    act: Action | None = None


class TaskEnded(Struct, frozen=True):
    """A task that is over; one that was dropped, or where no episodes are made, has none."""

    task: TaskView
    episode: Episode | None
