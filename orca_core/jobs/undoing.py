"""Goes on with an undo of much that an Orca left when it ended."""

from __future__ import annotations

from typing import ClassVar

from orca_core.jobs.job import Chore
from orca_core.rules.memory import undo
from orca_core.store.protocols import HistoryStore


class Undoing(Chore):
    """Bring to its end what was begun. What another Orca carries on is left to it."""

    name: ClassVar[str] = "undoing"

    def __init__(self, history: HistoryStore) -> None:
        self._history = history

    async def tend(self) -> None:
        await self._history.carry_on(undo.plan)
