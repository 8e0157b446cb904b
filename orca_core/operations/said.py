"""When the words were typed that a memory stands on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from orca_core.model.memories import Origin
from orca_core.model.records import parse_timestamp
from orca_core.store.ports import Rows, any_of, is_


def began_at(rows: Rows, ids: Sequence[int]) -> datetime | None:
    """When the latest of these rounds began, of those that count."""
    found = [row[0] for row in rows.select("rounds", ("started_at",), any_of("id", ids), is_("replaced_by", None))]
    return parse_timestamp(max(found)) if found else None


def said_at(rows: Rows, origin: Origin, otherwise: datetime) -> datetime:
    """When the latest of the words was typed; `otherwise` where no round of them is left."""
    return typed_at(rows, origin) or otherwise


def typed_at(rows: Rows, origin: Origin) -> datetime | None:
    """When the latest of the words was typed; None where no round of them is left."""
    if origin.session_id is None:
        return None
    session, numbers = is_("session_id", origin.session_id), any_of("number", origin.rounds)
    ids = [row[0] for row in rows.select("rounds", ("id",), session, numbers, is_("replaced_by", None))]
    return began_at(rows, ids)
