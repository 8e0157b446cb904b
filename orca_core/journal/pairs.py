"""Lists pairs of memories for a person: the newer of a pair is the one that stands on the later words."""

from __future__ import annotations

from datetime import datetime

from orca_core.domain.learning import OTHER_VALUE
from orca_core.domain.memories import Memory, Origin
from orca_core.domain.stores.rows import Rows, any_of, is_
from orca_core.domain.times import parse_timestamp, timestamp

_TABLE = "undecided_pairs"


def list_pair(rows: Rows, said: Memory, origin: Origin, other: Memory, why: str, at: datetime) -> None:
    """List a memory that was just said, in the words of `origin`, with another. A pair that is listed stays as it is,
    but one of two values of a thing, where the words decide anew which is the newer; what a person has decided stays
    decided."""
    is_newer = _said_at(rows, origin, at) >= _said_at(rows, other.origin, other.created_at)
    newer, older = (said.id, other.id) if is_newer else (other.id, said.id)
    listed = _row(rows, older, newer) or _row(rows, newer, older)
    if listed is not None:
        first, settled, was_for = listed
        if settled or first == newer or why != OTHER_VALUE or was_for != OTHER_VALUE:
            return
        rows.delete(_TABLE, is_("newer", older), is_("older", newer))
    rows.insert(_TABLE, {"newer": newer, "older": older, "why": why, "at": timestamp(at)})


def _row(rows: Rows, newer: int, older: int) -> tuple[int, bool, str] | None:
    """Which is the newer, whether a person has decided, and why it is listed."""
    found = rows.select(_TABLE, ("newer", "settled", "why"), is_("newer", newer), is_("older", older))
    return (found[0][0], bool(found[0][1]), found[0][2]) if found else None


def _said_at(rows: Rows, origin: Origin, otherwise: datetime) -> datetime:
    """When the latest of the words was typed; `otherwise` where no round of them is left."""
    if origin.session_id is None:
        return otherwise
    session, numbers = is_("session_id", origin.session_id), any_of("number", origin.rounds)
    began = [row[0] for row in rows.select("rounds", ("started_at",), session, numbers, is_("replaced_by", None))]
    return parse_timestamp(max(began)) if began else otherwise
