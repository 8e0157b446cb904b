"""Values of foreign JSON, taken as they should be, or not at all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Raw

from orca_core.model.errors import InvalidInput
from orca_core.serialize.documents import kind_of, step_text

EARLIEST, LATEST = 1970, 2200
"""A year before or after these is a mistake of the file's."""
MESSAGE_CHARS = 20_000
"""So much of a message is read: rules read no more of one."""
_MILLISECONDS_FROM = 1e11
"""A count of seconds above this would be beyond the year 5000."""


def text_of(value: Any) -> str:
    """A text; empty where it is none."""
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> Mapping[str, Any]:
    """An object; empty where it is none."""
    return value if isinstance(value, dict) else {}


def texts_of(value: Any) -> Iterator[str]:
    """The texts of a list."""
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, str))


def moment_of(value: Any) -> datetime | None:
    """A time, written as ISO 8601 or counted in seconds or milliseconds; None where it is none, or out of reach."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            moment = datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS_FROM else value, UTC)
        else:
            return None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if EARLIEST <= moment.year < LATEST and value else None


def value_of(raw: Raw, place: str) -> Any:
    """A value, decoded. Raises InvalidInput for a number that is too great."""
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        template = "{place}: this is no JSON ({detail})"
        raise InvalidInput(template=template, place=place or "JSON", detail=str(error)) from error


def members_of(raw: Raw, place: str) -> Iterator[tuple[str, Raw, str]]:
    """The names of an object, each with its value and where that stands."""
    for name, value in msgspec.json.decode(raw, type=dict[str, Raw]).items():
        yield name, value, f"{place}{step_text(name)}".removeprefix(".")


def items_of(raw: Raw, place: str) -> Iterator[tuple[Raw, str]]:
    """The values of a list, each with where it stands."""
    for number, value in enumerate(msgspec.json.decode(raw, type=list[Raw])):
        yield value, f"{place}[{number}]"


def shallow_value(raw: Raw, place: str) -> Any:
    """A text, a number, a bool or None; what holds others is left alone."""
    return None if kind_of(raw) in {"object", "list"} else value_of(raw, place)


def joined(parts: Iterable[str]) -> str:
    """The parts of a message, so far as it is read."""
    room, kept = MESSAGE_CHARS, []
    for part in parts:
        if room <= 0:
            break
        kept.append(part[:room])
        room -= len(part)
    return "\n".join(kept)
