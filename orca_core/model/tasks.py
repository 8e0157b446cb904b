"""What is being worked on: tasks and their steps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from orca_core.model.memories import Origin
from orca_core.model.record_types import TASK, Changeable, Kind, RecordType

STEP = Kind("step", "p")
"""Found by no search, shown in no block, and not cited."""


class TaskStatus(StrEnum):
    """Dropped by hand: it is over, and makes no episode."""

    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    DROPPED = "dropped"


class StepStatus(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    REMOVED = "removed"
    """Its adding was taken back: no one is shown it."""


class Outcome(StrEnum):
    """How a piece of work ended."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Trigger(StrEnum):
    """What made it begin."""

    USER_REQUEST = "user_request"
    ALERT = "alert"
    SCHEDULED = "scheduled"


class Task(Struct, frozen=True):
    """A piece of work of a session. Its latest one in progress is the session's current one."""

    id: int
    uid: str
    session_id: str
    request: Changeable[str]
    started_at: datetime
    updated_at: datetime
    summary: Changeable[str] = ""
    target: Changeable[str] = ""
    context: Changeable[Mapping[str, Any]] = field(default_factory=dict)
    trigger: Changeable[Trigger] = Trigger.USER_REQUEST
    tags: Changeable[tuple[str, ...]] = ()
    status: Changeable[TaskStatus] = TaskStatus.IN_PROGRESS
    ended_at: Changeable[datetime | None] = None
    outcome: Changeable[Outcome | None] = None
    outcome_summary: Changeable[str] = ""
    origin: Origin = field(default_factory=Origin)


class Step(Struct, frozen=True):
    """One step of a task, by its `number` from 1 on. `args` and `result` belong to the tool that it called."""

    id: int
    task: int
    number: int
    description: Changeable[str]
    tool: Changeable[str] = ""
    args: Changeable[Mapping[str, Any]] = field(default_factory=dict)
    result: Changeable[str] = ""
    status: Changeable[StepStatus] = StepStatus.PENDING
    started_at: Changeable[datetime | None] = None
    completed_at: Changeable[datetime | None] = None


TASKS = RecordType(TASK, Task, "tasks", text="", unmade={"status": TaskStatus.DROPPED.value})
STEPS = RecordType(
    STEP,
    Step,
    "task_steps",
    text="",
    unmade={"status": StepStatus.REMOVED.value},
    part_of=("task", TASKS.table),
)


class TaskWithSteps(Struct, frozen=True):
    """A task and the steps that are shown of it, in their order."""

    task: Task
    steps: tuple[Step, ...] = ()


class WantedStep(Struct, frozen=True):
    """A line of a plan: a step that there is by its `number`, a new one without; `status` is None where it is as it
    was."""

    description: str
    number: int | None = None
    status: StepStatus | None = None


class TaskView(Struct, frozen=True):
    """A task as people and programs are shown it. `current_step` is the number of the step that it stands at, None
    where no step is left; one that nobody touched for long `is_idle`, and is offered for ending."""

    task: Task
    steps: tuple[Step, ...] = ()
    current_step: int | None = None
    is_idle: bool = False
    operation: int | None = None
    """What made it so, where it was changed just now and can be taken back."""
