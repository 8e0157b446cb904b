"""Looking back: operations, which are undone and redone here, and the runs of the memory agent."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.events import MOST_CHANGES
from orca_core.model.learning import Queue, Run, RunView
from orca_core.model.llm import Clock
from orca_core.model.memories import Memory
from orca_core.model.operations import Change, Operation, UndoOutcome
from orca_core.operations.stores import Stores
from orca_core.operations.undo import HistoryStore
from orca_core.services.shared.spending import Spending
from orca_core.settings import ExtractSettings


class History:
    """Operations: shown, taken back, done again."""

    def __init__(self, history: HistoryStore, changed: Callable[[], None], clock: Clock) -> None:
        self.waiting = history.waiting
        self._history = history
        self._changed = changed
        self._clock = clock

    async def activity(self, limit: int) -> list[tuple[Operation, list[Change]]]:
        """The latest operations and what each did, newest first; of one that did much the beginning."""
        operations = await self._history.operations(limit)
        changes: dict[int, list[Change]] = {operation.id: [] for operation in operations}
        for change in await self._history.changes_of(list(changes), MOST_CHANGES):
            changes[change.operation].append(change)
        return [(operation, changes[operation.id]) for operation in operations]

    async def undo(self, operation: int | None = None) -> UndoOutcome:
        """Undo the latest act of a person, or the operation named."""
        undone = await self._history.undo(operation, self._clock.now())
        self._changed()
        return undone

    async def redo(self, operation: int | None = None) -> UndoOutcome:
        """Redo: undo the latest undo, or the one named."""
        redone = await self._history.redo(operation, self._clock.now())
        self._changed()
        return redone


class LearningRuns:
    """The record of the memory agent's runs."""

    def __init__(self, stores: Stores, spending: Spending, clock: Clock, extract: ExtractSettings) -> None:
        self.runs, self.allowance, self.spent = stores.learning.runs, spending.today, spending.report
        self._stores = stores
        self._clock = clock
        self._extract = extract

    async def queue(self) -> Queue:
        return replace(await self._stores.learning.queue(), learns_at=self._extract.batch_size)

    async def show(self, run_id: int) -> RunView:
        """Raises NotFound."""
        run, exchange = await self._stores.learning.run(run_id)
        memories: dict[int, Memory] = {}
        for memory_id in _memories_of_run(run):
            try:
                [memories[memory_id]] = await self._stores.memories.get([memory_id])
            except NotFound:
                continue  # deleted since: only its number is left
        return RunView(run, tuple(exchange), memories)

    async def retry(self, session_id: str | None = None) -> int:
        """Make failed and parked runs due now; returns how many."""
        return await self._stores.learning.retry(session_id, self._clock.now())


def _memories_of_run(run: Run) -> list[int]:
    if run.result is None:
        return []
    result = run.result
    replaced = [memory_id for pair in result.replaced for memory_id in pair]
    learnt = (*result.stored, *result.candidates, *result.confirmed, *replaced, *result.retracted)
    return list(dict.fromkeys(learnt))
