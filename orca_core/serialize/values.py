"""JSON is derived from values: fields are an object, a moment is a text, a reference the name that lists show."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from orca_core.model.record_types import Kind, Ref, plain_ref

Json = dict[str, Any]

_AS_THEY_ARE = frozenset((str, int, float, bool, type(None)))


def plain(value: Any) -> Any:
    """A value as JSON has it. A Struct is an object of its tag, if it has one, and its fields."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is tuple or kind is list:
        return [plain(each) for each in value]
    if kind is datetime:
        return timestamp_json(value)
    if kind is Ref:
        return plain_ref(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, Path):
        return str(value)
    config = value.__struct_config__
    told = {} if config.tag is None else {config.tag_field: config.tag}
    return told | {name: plain(getattr(value, name)) for name in value.__struct_fields__}


def pick(value: Any, names: str) -> Json:
    """An object of some attributes of a value, in the order of their names. `by:kind` tells `by` under the name `kind`;
    `error?` tells null where it is empty."""
    picked = {}
    for name, told, is_optional in _parsed(names):
        found = plain(getattr(value, name))
        picked[told] = (found or None) if is_optional else found
    return picked


@cache
def _parsed(names: str) -> tuple[tuple[str, str, bool], ...]:
    """The attributes, what they are called in JSON, and which are null where they are empty."""
    parsed = []
    for each in names.split():
        name, _, told = each.removesuffix("?").partition(":")
        parsed.append((name, told or name, each.endswith("?")))
    return tuple(parsed)


def timestamp_json(moment: datetime | None) -> str | None:
    """UTC, to the millisecond, ending in Z."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def number(value: float) -> float:
    """A measured value, without digits that mean nothing."""
    return round(value, 6)


def name_of(kind: Kind, record_id: int | None) -> int | str | None:
    """The name of a record by its number: `e3`."""
    return None if record_id is None else plain_ref(Ref(kind, record_id))


def names_of(kind: Kind, record_ids: tuple[int, ...]) -> list[int | str]:
    """The names of records by their numbers."""
    return [plain_ref(Ref(kind, each)) for each in record_ids]
