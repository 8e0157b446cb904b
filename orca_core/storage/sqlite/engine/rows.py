"""Rows to domain values and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.memories import ArchivedBecause, Memory, MemoryType, Origin, OriginKind, State
from orca_core.domain.messages import Source, Span
from orca_core.domain.recall import Citation, Receipt
from orca_core.rules.keeping import causes
from orca_core.rules.text.times import parse_timestamp

MEMORY_COLUMNS = (
    "id, uid, content, type, tags, confidence, weight, state, held_because, archived_because, pinned, access_count, "
    "used, seen, last_accessed, created_at, updated_at, origin_kind, origin_session, origin_rounds, origin_quote, "
    "origin_model, superseded_by, would_replace"
)

ROUND_COLUMNS = (
    "r.id, r.session_id, r.number, r.attempt, u.content, u.spans, a.content, r.state, r.started_at, r.model, "
    "a.citations, r.cause, r.finish"
)
"""Of `rounds r`, with its messages as `u` and `a`."""

Row = Sequence[Any]

# Ten thousand rows are listed at once: a look-up is a third of an enum's own.
_TYPES = {each.value: each for each in MemoryType}
_STATES = {each.value: each for each in State}
_ORIGINS = {each.value: each for each in OriginKind}


def memory_from_row(row: Row) -> Memory:
    """A memory from `MEMORY_COLUMNS`."""
    return Memory(
        id=row[0],
        uid=row[1],
        content=row[2],
        type=_TYPES[row[3]],
        tags=_tuple(row[4]),
        confidence=row[5],
        weight=row[6],
        state=_STATES[row[7]],
        held_because=row[8],
        archived_because=ArchivedBecause(row[9]) if row[9] else None,
        pinned=bool(row[10]),
        access_count=row[11],
        used=row[12],
        seen=row[13],
        last_accessed=parse_timestamp(row[14]) if row[14] else None,
        created_at=parse_timestamp(row[15]),
        updated_at=parse_timestamp(row[16]),
        origin=Origin(_ORIGINS[row[17]], row[18], _tuple(row[19]), row[20], row[21]),
        superseded_by=row[22],
        would_replace=row[23],
    )


def _tuple(text: str) -> tuple[Any, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def to_column(field: str, value: object) -> object:
    """A changeable field's plain JSON value as its column holds it."""
    if field == "tags":
        return to_json(value)
    if field == "pinned":
        return int(bool(value))
    return value


def to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def spans_from_json(text: str | None) -> tuple[Span, ...]:
    return tuple(Span(span["text"], Source(span["source"])) for span in json.loads(text or "[]"))


def receipt_from_json(text: str) -> Receipt:
    return msgspec.json.decode(text, type=Receipt)


def fields_from_json(text: str) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = json.loads(text)
    return fields


def round_from_row(row: Row) -> Round:
    """A round from `ROUND_COLUMNS`."""
    return Round(
        id=row[0],
        session_id=row[1],
        number=row[2],
        attempt=row[3],
        user=row[4] or "",
        spans=spans_from_json(row[5]),
        assistant=row[6] or "",
        state=RoundState(row[7]),
        at=parse_timestamp(row[8]),
        model=row[9],
        citations=msgspec.json.decode(row[10] or "[]", type=tuple[Citation, ...]),
        cause=causes.read(row[11], row[12]),
    )
