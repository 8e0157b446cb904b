"""What is being worked on: tasks and their steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import Any

from orca_core.domain.dataclass import dataclass
from orca_core.domain.memories import Origin
from orca_core.domain.records import RecordType, changeable
from orca_core.domain.refs import TASK as TASK  # noqa: PLC0414  # type checkers take it for a name of this module
from orca_core.domain.refs import Kind

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


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of work of a session. Its latest one in progress is the session's current one."""

    id: int
    uid: str
    session_id: str
    request: str = field(metadata=changeable())
    started_at: datetime
    updated_at: datetime
    summary: str = field(default="", metadata=changeable())
    target: str = field(default="", metadata=changeable())
    context: Mapping[str, Any] = field(default_factory=dict, metadata=changeable())
    trigger: Trigger = field(default=Trigger.USER_REQUEST, metadata=changeable())
    tags: tuple[str, ...] = field(default=(), metadata=changeable())
    status: TaskStatus = field(default=TaskStatus.IN_PROGRESS, metadata=changeable())
    ended_at: datetime | None = field(default=None, metadata=changeable())
    outcome: Outcome | None = field(default=None, metadata=changeable())
    outcome_summary: str = field(default="", metadata=changeable())
    origin: Origin = field(default_factory=Origin)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a task, by its `number` from 1 on. `args` and `result` belong to the tool that it called."""

    id: int
    task: int
    number: int
    description: str = field(metadata=changeable())
    tool: str = field(default="", metadata=changeable())
    args: Mapping[str, Any] = field(default_factory=dict, metadata=changeable())
    result: str = field(default="", metadata=changeable())
    status: StepStatus = field(default=StepStatus.PENDING, metadata=changeable())
    started_at: datetime | None = field(default=None, metadata=changeable())
    completed_at: datetime | None = field(default=None, metadata=changeable())


TASKS = RecordType(TASK, Task, "tasks", text="", unmade={"status": TaskStatus.DROPPED.value})
STEPS = RecordType(
    STEP,
    Step,
    "task_steps",
    text="",
    unmade={"status": StepStatus.REMOVED.value},
    part_of=("task", TASKS.table),
)


@dataclass(frozen=True, slots=True)
class TaskWithSteps:
    """A task and the steps that are shown of it, in their order."""

    task: Task
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class WantedStep:
    """A line of a plan: a step that there is by its `number`, a new one without; `status` is None where it is as it
    was."""

    description: str
    number: int | None = None
    status: StepStatus | None = None


@dataclass(frozen=True, slots=True)
class TasksFound:
    """Some of the tasks that were looked for; `total` counts the others, too."""

    tasks: tuple[TaskWithSteps, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task as people and programs are shown it. `current_step` is the number of the step that it stands at, None
    where no step is left; one that nobody touched for long `is_idle`, and is offered for ending."""

    task: Task
    steps: tuple[Step, ...] = ()
    current_step: int | None = None
    is_idle: bool = False
    operation: int | None = field(default=None, compare=False)
    """What made it so, where it was changed just now and can be taken back."""


@dataclass(frozen=True, slots=True)
class TaskPage:
    """A page of tasks; `total` counts what is beyond it, too."""

    tasks: tuple[TaskView, ...]
    total: int
