"""A memory's changeable fields as plain JSON values, and back: what history keeps and undo restores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from orca_core.domain.memories import ArchivedBecause, Fields, Memory, MemoryType, State
from orca_core.rules.text.times import parse_timestamp, timestamp

_FROM_JSON: Mapping[str, Callable[[Any], Any]] = {
    "type": MemoryType,
    "tags": tuple,
    "state": State,
    "archived_because": lambda value: None if value is None else ArchivedBecause(value),
    "last_accessed": lambda value: None if value is None else parse_timestamp(value),
}


def fields_of(memory: Memory) -> dict[str, Any]:
    """Every changeable field."""
    return {
        "content": memory.content,
        "type": memory.type.value,
        "tags": list(memory.tags),
        "confidence": memory.confidence,
        "weight": memory.weight,
        "state": memory.state.value,
        "held_because": memory.held_because,
        "archived_because": None if memory.archived_because is None else memory.archived_because.value,
        "pinned": memory.pinned,
        "access_count": memory.access_count,
        "used": memory.used,
        "seen": memory.seen,
        "last_accessed": None if memory.last_accessed is None else timestamp(memory.last_accessed),
        "superseded_by": memory.superseded_by,
        "would_replace": memory.would_replace,
    }


def apply_fields(memory: Memory, fields: Fields) -> Memory:
    """The memory with these fields changed."""
    return replace(memory, **{name: _FROM_JSON.get(name, _as_it_is)(value) for name, value in fields.items()})


def _as_it_is(value: Any) -> Any:
    return value
