"""Tasks and their steps, as a port; and the rule that it takes into its transactions (`rules.working.tasks`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from orca_core.model.episodes import DecideTask, TaskChanged
from orca_core.model.operations import OperationHeader
from orca_core.model.tasks import Task, TasksFound, TaskWithSteps
from orca_core.model.views import RecordQuery


class TaskStore(Protocol):
    """What is being worked on. Each change is one operation, which can be undone; a delete can not."""

    async def current(self, session_id: str, *, with_results: bool = True) -> TaskWithSteps | None:
        """The latest one of a session that is in progress; what its tools were given and answered only where asked."""
        ...

    async def get(self, ids: Sequence[int]) -> list[TaskWithSteps]:
        """In the order asked. Raises NotFound."""
        ...

    async def listed(self, query: RecordQuery, *, with_results: bool = True) -> TasksFound: ...

    async def start(self, task: Task, header: OperationHeader) -> TaskChanged: ...

    async def change(self, task_id: int, header: OperationHeader, decide: DecideTask) -> TaskChanged:
        """An episode that is decided on takes the place of one that an end which was taken back has left: a task never
        has two. Raises NotFound, and what `decide` raises."""
        ...

    async def delete(self, ids: Sequence[int], header: OperationHeader) -> bool:
        """For good, with their steps; their episodes stay. Raises NotFound. False while a reader keeps old pages from
        being wiped."""
        ...
