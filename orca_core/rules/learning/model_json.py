"""JSON as models write it: in chatter, with trailing commas, in single quotes, cut off. What is whole is read, nothing
is completed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

MAX_CHARS = 400_000
"""No more of an answer is read: it bounds the time that a hostile one takes."""
MAX_DEPTH = 32
"""An answer has four levels; this bounds the stack of one that nests on purpose."""
MAX_CODE_POINT = 0x10FFFF
"""The last of Unicode."""
MAX_STARTS = 50
"""How many brackets in the chatter around an answer are tried as its beginning: it bounds the time, too."""

THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>|\A.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""The thoughts in an answer, also those whose beginning was cut off."""
LIST_MARK = re.compile(r"^(?:[-*•·]|\(?\d{1,2}[.)、．](?!\d)|（\d{1,2}）)\s*")
SENTENCE_END = re.compile(r"[。！？；.!?;](?=\s|$|[\u3400-\u9fff])")

_BLANK = re.compile(r"[\s\ufeff]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
# A single quote closes only before what may follow a name or a value: any other is an apostrophe ('User's wife').
_SINGLE_NAME = re.compile(r"'((?:[^\\]|\\.)*?)'(?=\s*:)", re.DOTALL)
_SINGLE_VALUE = re.compile(
    r"'((?:[^\\]|\\.)*?)'(?=\s*(?:[}\]]|,\s*(?:['\"{\[}\]\d-]|(?:[Tt]rue|[Ff]alse|null|None)\b|\Z)))", re.DOTALL
)
_NUMBER = re.compile(r"-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,5})?(?![\w.])")
_WORD = re.compile(r"[A-Za-z]{4,8}\b")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_OPENING = re.compile(r"[{\[]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class _NotJSONError(Exception):
    """Here stands no value."""


class _EndOfTextError(Exception):
    """The text ended inside a value."""


class Value(Struct, frozen=True):
    """A value found in a text; `is_cut` where the text ended inside it, and only its whole parts are there."""

    value: Any
    is_cut: bool


class CutObject(dict[str, Any]):
    """An object that the text ended in: its members that were whole, the last of them perhaps cut itself."""


def values_in(text: str) -> Iterator[Value]:
    """The objects and arrays that stand in a text, in their order, outermost only."""
    text = text[:MAX_CHARS]
    position = 0
    for _ in range(MAX_STARTS):
        opening = _OPENING.search(text, position)
        if opening is None:
            return
        reader = _Reader(text)
        try:
            value, position = reader.value(opening.start(), 0)
        except (_NotJSONError, _EndOfTextError):
            position = opening.start() + 1
            continue
        yield Value(value, reader.is_cut)
        if reader.is_cut:
            return


def without_thinking(answer: str) -> str:
    """The answer without its thoughts. If there is nothing else, the thoughts are read."""
    rest = THINKING.sub("", answer)
    return rest if rest.strip() else answer


def last_items(answer: str, items_of: Callable[[Any], list[Any] | None]) -> list[Any] | None:
    """The items of the answer's last whole value in which `items_of` finds some, else of one that was cut; None where
    it finds none."""
    shaped = [
        (found, items) for found in values_in(without_thinking(answer)) if (items := items_of(found.value)) is not None
    ]
    whole = [items for found, items in shaped if not found.is_cut]
    return whole[-1] if whole else shaped[-1][1] if shaped else None


def items_under(value: Any, name: str, has_the_shape: Callable[[Mapping[str, Any]], bool]) -> list[Any] | None:
    """The items of a list, those that an object holds under a name, or an object that is one itself; None for a value
    of any other shape."""
    if isinstance(value, list):
        are_items = not value or any(isinstance(item, dict) and has_the_shape(item) for item in value)
        return value if are_items else None
    if not isinstance(value, dict):
        return None
    inner = value.get(name)
    if isinstance(inner, list):
        return inner
    if isinstance(inner, dict):
        return [inner]
    return [value] if has_the_shape(value) else None


class _Reader:
    """One pass over one value. The end of the text may cut a value; any other mistake refuses it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.is_cut = False

    def value(self, position: int, depth: int) -> tuple[Any, int]:
        if depth > MAX_DEPTH:
            raise _NotJSONError
        position = self._skip(position)
        opening = self._text[position]
        if opening == "{":
            return self._object(position + 1, depth)
        if opening == "[":
            return self._array(position + 1, depth)
        if opening in "\"'":
            return self._string(position, _SINGLE_VALUE)
        return self._scalar(position)

    def _skip(self, position: int) -> int:
        """The next place where something stands."""
        blank = _BLANK.match(self._text, position)
        assert blank is not None
        if blank.end() >= len(self._text):
            raise _EndOfTextError
        return blank.end()

    def _object(self, position: int, depth: int) -> tuple[dict[str, Any], int]:
        members: dict[str, Any] = {}
        try:
            while True:
                position = self._skip(position)
                if self._text[position] == "}":
                    return members, position + 1
                if self._text[position] not in "\"'":
                    raise _NotJSONError
                name, position = self._string(position, _SINGLE_NAME)
                position = self._skip(position)
                if self._text[position] != ":":
                    raise _NotJSONError
                members[name], position = self.value(position + 1, depth + 1)
                if self.is_cut:
                    return CutObject(members), position
                position = self._past_comma(position, "}")
        except _EndOfTextError:
            self.is_cut = True
            return CutObject(members), len(self._text)

    def _array(self, position: int, depth: int) -> tuple[list[Any], int]:
        items: list[Any] = []
        try:
            while True:
                position = self._skip(position)
                if self._text[position] == "]":
                    return items, position + 1
                item, position = self.value(position, depth + 1)
                items.append(item)
                if self.is_cut:
                    return items, position
                position = self._past_comma(position, "]")
        except _EndOfTextError:
            self.is_cut = True
            return items, len(self._text)

    def _past_comma(self, position: int, closing: str) -> int:
        """Behind a comma, or at the closing bracket; one comma too many does no harm."""
        position = self._skip(position)
        if self._text[position] == ",":
            return position + 1
        if self._text[position] == closing:
            return position
        raise _NotJSONError

    def _string(self, position: int, in_single_quotes: re.Pattern[str]) -> tuple[str, int]:
        """A string in double quotes, else in single quotes, which close as the pattern says."""
        shape = _STRING if self._text[position] == '"' else in_single_quotes
        match = shape.match(self._text, position)
        if match is None:
            raise _EndOfTextError
        return _ESCAPE.sub(_unescaped, match[0][1:-1]), match.end()

    def _scalar(self, position: int) -> tuple[Any, int]:
        if match := _NUMBER.match(self._text, position):
            if match.end() == len(self._text):
                raise _EndOfTextError  # more digits may have been cut off
            return float(match[0]), match.end()
        if match := _WORD.match(self._text, position):
            if match[0] in _WORDS:
                return _WORDS[match[0]], match.end()
            if match[0] in ("NaN", "Infinity"):
                return float("nan"), match.end()
        if match := re.compile(r"-Infinity\b|NaN\b|-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?").match(self._text, position):
            return float("nan"), match.end()  # a number that nobody means
        raise _NotJSONError


def _unescaped(match: re.Match[str]) -> str:
    escaped = match[1]
    if len(escaped) > 1:
        code = int(escaped[1:], 16)
        return chr(code) if code <= MAX_CODE_POINT else escaped
    return _ESCAPED.get(escaped, escaped)
