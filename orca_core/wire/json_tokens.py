"""The tokens of a JSON document, and where they stand: what `json_stream` is made of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from orca_core.domain.dataclass import dataclass
from orca_core.domain.errors import InvalidInput
from orca_core.wire.json_values import ValueDecoder, ValueRefused, holds_lone_surrogates, mended
from orca_core.wire.json_window import TextWindow

Kind = Literal["object", "list", "text", "number", "true", "false", "null"]
Place = tuple[str, int, int]
"""A path, a line, a column."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a document may ask of memory, in characters and levels."""

    depth: int = 64
    text: int = 4_000_000
    """Of one text within quotes."""
    number: int = 64
    value: int = 16_000_000
    """Of one value that is taken whole."""
    names: int = 100_000
    """Of one object that is entered."""
    mends_surrogates: bool = False
    """Half a surrogate pair becomes U+FFFD."""


_KINDS: dict[str, Kind] = {"{": "object", "[": "list", '"': "text", "t": "true", "f": "false", "n": "null"}
_KINDS |= dict.fromkeys("-0123456789", "number")
_BLANKS = re.compile(r"[ \t\n\r]*+")
_WORD = re.compile(r"[^ \t\n\r,:\[\]{}\"]*+")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_BEGUN = re.compile(r"t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?)|", re.ASCII)
"""A word that something is still to follow."""
_TEXT = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+("|\\?\Z)', re.DOTALL)
_UP_TO_BRACKET = re.compile(r'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{}]|)', re.DOTALL)
_AMISS_IN_TEXT = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|(\\|[\x00-\x1f])')
_PLAIN_NAME = re.compile(r"[^\W\d]\w{0,39}")
_LONGEST_NAME_SHOWN = 40


class JsonTokens:
    """A cursor before the next token of a document; `path` leads to the value that it is in."""

    def __init__(self, pieces: Iterable[bytes], limits: Limits) -> None:
        self.limits = limits
        self.window = TextWindow(pieces)
        self.path: list[str | int] = []
        self._decoder = ValueDecoder(limits.number)

    def peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        window = self.window
        while True:
            found = _BLANKS.match(window.text, window.at)
            assert found
            window.at = found.end()
            if window.at < len(window.text):
                return window.text[window.at]
            if not window.more():
                self._check_that_it_is_text()
                return ""

    def kind(self) -> Kind:
        """What stands next."""
        found = _KINDS.get(self.peek())
        if found is None:
            raise self._no_value(self._next_word())
        return found

    def take(self, character: str, *, template: str) -> None:
        """Pass this character over; raises InvalidInput where another stands."""
        if self.peek() != character:
            raise self.missing(template=template)
        self.window.at += 1

    def missing(self, *, template: str) -> InvalidInput:
        """An error about what does not stand here."""
        return self.here(template=template) if self.peek() else self._cut()

    def text(self) -> str:
        """The text in quotes that stands next."""
        window, most = self.window, self.limits.text
        while (found := _TEXT.match(window.text, window.at)) and found[1] != '"':
            if found.end() - found.start() > most or not window.more():
                break
        assert found
        is_whole = found[1] == '"'
        for amiss in _AMISS_IN_TEXT.finditer(found[0]):
            # A cut text may end within an escape.
            if amiss[1] and (is_whole or amiss[1] != "\\"):
                window.at += amiss.start()
                raise self._amiss_in_text(amiss[1])
        if found.end() - found.start() > most + 2:
            raise self.here(
                template="{place}, line {line}, column {column}: a text of more than {most} characters", most=most
            )
        if not is_whole:
            window.at = len(window.text)
            raise self._cut()
        value = str(self._decoder.decode(found[0]))
        if holds_lone_surrogates(found[0], value):
            if not self.limits.mends_surrogates:
                raise self.here(template="{place}, line {line}, column {column}: half a character (a lone surrogate)")
            value = str(mended(value))
        window.at = found.end()
        return value

    def word(self) -> int | float | bool | None:
        """The number, true, false or null that stands next."""
        word = self._next_word()
        try:
            value: int | float | bool | None = self._decoder.decode(word)
        except ValueRefused:
            raise self._no_value(word) from None
        self.window.at += len(word)
        return value

    def whole(self) -> tuple[Any, int] | None:
        """The object or list that stands next, and where it ends; None where it can't be taken at once, and must be
        read token by token."""
        end = self._end_of_value()
        if end is None:
            return None
        text = self.window.text[self.window.at : end]
        try:
            value = self._decoder.decode(text)
        except ValueRefused:
            return None
        if holds_lone_surrogates(text, value):
            if not self.limits.mends_surrogates:
                return None
            value = mended(value)
        return value, end

    def _end_of_value(self) -> int | None:
        """Where the object or list that stands next ends; None where it is cut, nested too deep, too long for one
        value, or holds a text that is too long."""
        window, most = self.window, self.limits
        depth, scanned = len(self.path), 0
        while True:
            for mark in _UP_TO_BRACKET.finditer(window.text, window.at + scanned):
                scanned = mark.end() - window.at
                bracket = mark[1]
                if not bracket:
                    break
                depth += 1 if bracket in "[{" else -1
                if depth > most.depth:
                    return None
                if depth == len(self.path):
                    end = mark.end()
                    return end if scanned <= most.value and not self._holds_long_text(end) else None
            if len(window.text) - window.at > most.value or not window.more():
                return None

    def _holds_long_text(self, end: int) -> bool:
        window, most = self.window, self.limits.text
        if end - window.at <= most:
            return False
        texts = _TEXT.finditer(window.text, window.at, end)
        return any(text.end() - text.start() > most + 2 for text in texts)

    def at(self) -> Place:
        """Where the cursor is."""
        return (path_text(self.path), *self.window.place())

    def here(self, *, template: str, hint: str | None = None, **fields: object) -> InvalidInput:
        """An error at the cursor."""
        return error_at(self.at(), template=template, hint=hint, **fields)

    def _next_word(self) -> str:
        """What stands next up to a blank or a mark, at least as much of it as tells what it is."""
        window = self.window
        while True:
            found = _WORD.match(window.text, window.at)
            assert found
            is_over = found.end() < len(window.text) or len(found[0]) > self.limits.number
            if is_over or not window.more():
                return found[0]

    def _check_that_it_is_text(self) -> None:
        """Raises InvalidInput where the bytes can't be read on."""
        if self.window.fault == "utf-8":
            raise self.here(template="{place}, line {line}, column {column}: the bytes here are no UTF-8")
        if self.window.fault:
            raise self.here(
                template="{place}, line {line}, column {column}: this is UTF-16 or UTF-32, or no text at all",
                hint="save it as UTF-8",
            )

    def _no_value(self, word: str) -> InvalidInput:
        if self.window.at + len(word) == len(self.window.text) and _BEGUN.fullmatch(word):
            self.window.at += len(word)
            return self._cut()
        if word in {"NaN", "Infinity", "-Infinity"}:
            return self.here(template="{place}, line {line}, column {column}: NaN and Infinity are no JSON")
        if len(word) > self.limits.number and word[0] in "-0123456789":
            return self.here(
                template="{place}, line {line}, column {column}: a number of more than {most} characters",
                most=self.limits.number,
            )
        if _NUMBER.fullmatch(word):
            return self.here(template="{place}, line {line}, column {column}: a number that is too great")
        return self.here(template="{place}, line {line}, column {column}: this is no JSON value")

    def _cut(self) -> InvalidInput:
        self._check_that_it_is_text()
        return self.here(template="{place}, line {line}, column {column}: the document ends here, before it is whole")

    def _amiss_in_text(self, character: str) -> InvalidInput:
        if character == "\\":
            return self.here(template="{place}, line {line}, column {column}: no such escape in JSON")
        return self.here(
            template="{place}, line {line}, column {column}: a line end or control character within quotes",
            hint="write it as \\n or \\u001b",
        )


def error_at(place: Place, *, template: str, hint: str | None = None, **fields: object) -> InvalidInput:
    """An error whose sentence may name {place}, {line} and {column}."""
    path, line, column = place
    return InvalidInput(template=template, hint=hint, place=path, line=line, column=column, **fields)


def path_text(path: Sequence[str | int]) -> str:
    """A path as people read it, such as `memories[41].confidence`; `JSON` is the document itself."""
    return "".join(map(step_text, path)).removeprefix(".") or "JSON"


def step_text(step: str | int) -> str:
    """One step of a path, into a list or an object."""
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _PLAIN_NAME.fullmatch(step) else f"[{json.dumps(shortened(step), ensure_ascii=False)}]"


def shortened(name: str) -> str:
    """A name from a document, short enough for a sentence."""
    return name if len(name) <= _LONGEST_NAME_SHOWN else f"{name[: _LONGEST_NAME_SHOWN - 1]}…"
