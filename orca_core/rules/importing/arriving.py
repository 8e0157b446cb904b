"""What is offered by another program's file, as a memory that comes into a home."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from orca_core.model.import_export import Arrival, Arriving, Coming, Packed
from orca_core.model.memories import MEMORIES, Elsewhere, NewMemory, Origin, OriginKind, State
from orca_core.model.records import MEMORY
from orca_core.rules.importing.folding import Folded
from orca_core.rules.learning.provenance.judging import Held
from orca_core.rules.memory.confirming import born_by


def coming(folded: Folded, at: datetime, *, is_trusted: bool) -> Coming:
    """It waits for a person. With trust it lives, unless it holds what only its owner should confirm, counts from a day
    that nobody knows, or was found by a pattern in a chat: that nobody verified."""
    offered = folded.offered
    lives = is_trusted and offered.held_because == Held.IMPORTED.value and offered.quote is None
    new = NewMemory(
        offered.content,
        offered.type,
        offered.tags,
        offered.confidence,
        origin=Origin(OriginKind.IMPORT, quote=offered.quote),
        state=State.LIVE if lives else State.CANDIDATE,
        held_because=None if lives else offered.held_because,
        elsewhere=Elsewhere(offered.format.value, offered.chat),
    )
    memory = new.born(offered.uid, at, born_by(new))
    memory = replace(memory, created_at=min(offered.said_at or at, at), seen=folded.count)
    fields = MEMORIES.plain(memory, [name for name in MEMORIES.names if name != "id"])
    return Coming(Arriving(Packed(MEMORY, fields), offered.place), Arrival.NEW if lives else Arrival.CANDIDATE)
