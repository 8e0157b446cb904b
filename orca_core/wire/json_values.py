"""One JSON value out of its whole text, without what Python's own reader lets pass: a name that stands twice, NaN,
numbers without end, half a surrogate pair."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_LONE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class ValueRefused(ValueError):
    """The text is no JSON value, or one that is not taken."""


class ValueDecoder:
    """Decodes values whose numbers have at most so many characters."""

    def __init__(self, longest_number: int) -> None:
        self._longest_number = longest_number
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_object, parse_int=self._integer, parse_float=self._float, parse_constant=_constant
        )

    def decode(self, text: str) -> Any:
        """The value. Raises ValueRefused, which says no place."""
        try:
            return self._decoder.decode(text)
        except (ValueError, RecursionError) as error:
            raise ValueRefused from error

    def _integer(self, digits: str) -> int:
        if len(digits) > self._longest_number:
            raise ValueRefused
        return int(digits)

    def _float(self, digits: str) -> float:
        value = float(digits)
        if len(digits) > self._longest_number or not math.isfinite(value):
            raise ValueRefused
        return value


def holds_lone_surrogates(text: str, value: Any) -> bool:
    """Whether a value, of which this is the JSON text, has half a surrogate pair somewhere in its texts."""
    return bool(_ESCAPED_SURROGATE.search(text)) and _is_broken(value)


def mended(value: Any) -> Any:
    """The value with U+FFFD for each half of a surrogate pair."""
    if isinstance(value, str):
        return value if value.isascii() else _LONE.sub("\ufffd", value)
    if isinstance(value, list):
        return [mended(each) for each in value]
    if isinstance(value, dict):
        return {mended(name): mended(each) for name, each in value.items()}
    return value


def _is_broken(value: Any) -> bool:
    if isinstance(value, str):
        return not value.isascii() and _LONE.search(value) is not None
    if isinstance(value, list):
        return any(map(_is_broken, value))
    if isinstance(value, dict):
        return any(map(_is_broken, value)) or any(map(_is_broken, value.values()))
    return False


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueRefused
    return members


def _constant(_name: str) -> Any:
    raise ValueRefused
