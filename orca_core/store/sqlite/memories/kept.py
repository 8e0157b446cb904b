"""What a delete keeps of what it deletes, inside its transaction: tombstones alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from orca_core.model.memories import MEMORIES, Memory
from orca_core.operations.tombstones import Tombstones
from orca_core.store.ports import Rows


class KeptOfDeleted:
    """For `deletion.hide_memories` and `deletion.hide_rounds`."""

    def __init__(self, rows: Rows, at: datetime) -> None:
        self._tombstones = Tombstones(rows)
        self._at = at

    def memories(self, memories: Sequence[Memory]) -> None:
        self._tombstones.lay(MEMORIES, memories, self._at)

    def rounds(self, session_id: str, attempts: Sequence[tuple[int, str]]) -> None:
        for number, started_at in attempts:
            self._tombstones.lay_round(session_id, number, started_at, self._at)
