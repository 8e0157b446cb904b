"""Rows to domain values and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from orca_core.model.llm import Span
from orca_core.model.memories import MEMORIES
from orca_core.model.recall import Citation
from orca_core.model.records import BUILT_IN_KINDS, Kinds, parse_timestamp, plain_ref
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.memory import undo_rules

MEMORY_COLUMNS = ", ".join(MEMORIES.names)

ROUND_COLUMNS = (
    "r.id, r.session_id, r.number, r.attempt, u.content, u.spans, a.content, r.state, r.started_at, r.model, "
    "a.citations, r.cause, r.finish"
)
"""Of `rounds r`, with its messages as `u` and `a`."""

Row = Sequence[Any]

_SPANS = msgspec.json.Decoder(tuple[Span, ...])


memory_from_row = MEMORIES.from_row
"""A memory from `MEMORY_COLUMNS`."""


def to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def spans_from_json(text: str | None) -> tuple[Span, ...]:
    return _SPANS.decode(text or "[]")


def citations_to_json(citations: Sequence[Citation]) -> str:
    return to_json([{"id": plain_ref(each.ref), "at": each.at} for each in citations])


def citations_from_json(text: str | None, kinds: Kinds) -> tuple[Citation, ...]:
    return tuple(Citation(kinds.ref(each["id"]), each["at"]) for each in json.loads(text or "[]"))


def fields_from_json(text: str) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = json.loads(text)
    return fields


def round_from_row(row: Row, kinds: Kinds = BUILT_IN_KINDS) -> Round:
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
        citations=citations_from_json(row[10], kinds),
        cause=undo_rules.read_cause(row[11], row[12]),
    )
