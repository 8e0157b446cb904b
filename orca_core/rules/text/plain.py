"""What programs give as JSON: its texts cleaned, its numbers such as other programs can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orca_core.model.errors import InvalidInput
from orca_core.rules.text.cleaning import for_terminal

MAX_DEPTH = 50
"""How deep values may stand in each other: it bounds what reads them. Chosen by hand."""
_LARGEST_INTEGER = 2**63 - 1
_MOST_BITS_AS_DECIMAL = 10_000  # Python writes no longer number in decimal


def plain_object(given: Mapping[str, Any]) -> dict[str, Any]:
    """Raises InvalidInput where it is no JSON."""
    cleaned = _plain(given, 0)
    if not isinstance(cleaned, dict):
        raise _no_json(type(given).__name__)
    return cleaned


def _plain(value: Any, depth: int) -> Any:
    """A JSON value whose texts are cleaned. A number that other programs could not read is text."""
    if depth > MAX_DEPTH:
        raise _no_json("values stand too deep in each other")
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST_INTEGER else _digits(value)
    if isinstance(value, float):
        if value - value != 0:
            raise _no_json(repr(value))
        return value
    if isinstance(value, Mapping):
        return {
            _text(name) if isinstance(name, str) else _text(_name(name)): _plain(each, depth + 1)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_plain(each, depth + 1) for each in value]
    raise _no_json(type(value).__name__)


def _text(given: str) -> str:
    # Most texts need no cleaning, and this is how they are told.
    return given if given.isascii() and given.isprintable() else for_terminal(given)


def _name(given: Any) -> str:
    if isinstance(given, str):
        return given
    if given is None or isinstance(given, float | bool):
        return str(given)
    if isinstance(given, int):
        return _digits(given)
    raise _no_json(type(given).__name__)


def _digits(value: int) -> str:
    return str(value) if value.bit_length() < _MOST_BITS_AS_DECIMAL else hex(value)


def _no_json(found: str) -> InvalidInput:
    return InvalidInput(
        template="this is no JSON: {found}", hint="texts, numbers, true, false, null, lists and objects", found=found
    )
