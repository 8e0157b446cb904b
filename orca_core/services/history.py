"""What was done to memories, by whom, and taking it back."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.model.events import MOST_CHANGES
from orca_core.model.llm import Clock
from orca_core.model.operations import Change, Operation, Undone
from orca_core.rules.memory import undo
from orca_core.store.protocols import HistoryStore


class History:
    """Operations: shown, taken back, done again."""

    def __init__(self, history: HistoryStore, changed: Callable[[], None], clock: Clock) -> None:
        self._history = history
        self._changed = changed
        self._clock = clock

    async def changes_of(self, memory_id: int) -> list[Change]:
        """Oldest first. Raises NotFound."""
        return await self._history.history(memory_id)

    async def activity(self, limit: int) -> list[tuple[Operation, list[Change]]]:
        """The latest operations and what each did, newest first; of one that did much the beginning."""
        operations = await self._history.operations(limit)
        changes: dict[int, list[Change]] = {operation.id: [] for operation in operations}
        for change in await self._history.changes_of(list(changes), MOST_CHANGES):
            changes[change.operation].append(change)
        return [(operation, changes[operation.id]) for operation in operations]

    async def undo(self, operation: int | None = None) -> Undone:
        """Undo the latest act of a person, or the operation named."""
        undone = await self._history.undo(operation, self._clock.now(), undo.plan)
        self._changed()
        return undone

    async def redo(self, operation: int | None = None) -> Undone:
        """Redo: undo the latest undo, or the one named."""
        redone = await self._history.redo(operation, self._clock.now(), undo.plan)
        self._changed()
        return redone

    async def waiting(self) -> list[Operation]:
        """The undos and redos that were begun, and that nobody carries on."""
        return await self._history.waiting()
