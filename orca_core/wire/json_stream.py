"""A JSON document read piece by piece: as strict as the standard, and never more of it in memory than one value.

    stream = JsonStream(pieces)                     # any iterable of bytes, cut anywhere
    for name in stream.members():                   # the value is an object: its names, one after another
        if name == "memories":
            for number in stream.items():           # the value is a list: 0, 1, 2 …
                memory = stream.value()             # the whole value, as `json.loads` would give it
    stream.finish()                                 # nothing but blanks may follow

`kind` tells what stands next without taking it, so that a reader can choose. Each step of a loop is at one value: it
is taken by `value`, entered by `members` or `items`, or let go of by `skip`, which also happens to what was left alone.
What is skipped is checked, too. Run a loop to its end (`continue`, never `break`): the stream is where the innermost
loop is.

Whatever is wrong raises InvalidInput with one line: where (`memories[41].confidence`, line, column) and what. That is:
anything that is no JSON, bytes that are no UTF-8 (a byte order mark is passed over), a name that stands twice in an
object, NaN and numbers out of range, half a surrogate pair (`Limits.mends_surrogates` makes it U+FFFD instead), and
whatever exceeds the `Limits`. `wrong` makes the same of what a reader itself finds amiss with a value.

An object or a list that fits is found by its brackets and decoded at once. Where that fails, the same is read token by
token, which is slow and knows every place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from orca_core.domain.errors import InvalidInput
from orca_core.wire.json_tokens import JsonTokens, Kind, Limits, Place, error_at, path_text, shortened

__all__ = ["JsonStream", "Kind", "Limits", "Place"]

Step = TypeVar("Step", str, int)

LIMITS = Limits()
"""What a document of any program may ask for."""


class JsonStream:
    """A cursor in a document. See the module."""

    def __init__(self, pieces: Iterable[bytes], limits: Limits = LIMITS) -> None:
        self._tokens = JsonTokens(pieces, limits)
        self._is_waiting = True
        self._value_at = (1, 1)

    @property
    def bytes_read(self) -> int:
        """How far the document was read, which is somewhat beyond the cursor."""
        return self._tokens.window.bytes_read

    def kind(self) -> Kind:
        """What stands next."""
        assert self._is_waiting, "this value of a JSON stream was taken already"
        return self._tokens.kind()

    def members(self) -> Iterator[str]:
        """The names of the object that stands next, each with its value to come."""
        tokens = self._tokens
        if self.kind() != "object":
            raise tokens.here(template="{place}, line {line}, column {column}: an object belongs here")
        names: set[str] = set()
        for number in self._parts("}"):
            if number >= tokens.limits.names:
                raise tokens.here(
                    template="{place}, line {line}, column {column}: more than {most} names", most=tokens.limits.names
                )
            name, place = self._name()
            if name in names:
                raise error_at(
                    place,
                    template="{place}, line {line}, column {column}: the name {name} stands here twice",
                    name=shortened(name),
                )
            names.add(name)
            tokens.take(":", template="{place}, line {line}, column {column}: a colon belongs here")
            yield from self._at_value(name)

    def items(self) -> Iterator[int]:
        """The places of the list that stands next, each with its value to come."""
        if self.kind() != "list":
            raise self._tokens.here(template="{place}, line {line}, column {column}: a list belongs here")
        for number in self._parts("]"):
            yield from self._at_value(number)

    def value(self) -> Any:
        """The value that stands next, whole."""
        whole = self._taken_at_once()
        return self._walked(self._tokens.window.consumed, self._tokens.at()) if whole is None else whole[0]

    def skip(self) -> None:
        """Let go of the value that stands next; it may be longer than one that is taken."""
        if self._taken_at_once():
            return
        match self.kind():
            case "object":
                for _name in self.members():
                    self.skip()
            case "list":
                for _number in self.items():
                    self.skip()
            case _:
                self.value()

    def finish(self) -> None:
        """Raises InvalidInput where anything but blanks follows the document."""
        if self._is_waiting:
            self.skip()
        if self._tokens.peek():
            raise self._tokens.here(
                template="{place}, line {line}, column {column}: the document is over, but more follows"
            )

    def place(self, within: str = "") -> Place:
        """Where the value is that the innermost loop stands at, taken or not; `within` goes on from there, such as
        `.confidence`."""
        path = self._tokens.path
        return (path_text(path) + within if path else within.removeprefix(".") or path_text(path), *self._value_at)

    def wrong(self, *, template: str, hint: str | None = None, within: str = "", **fields: object) -> InvalidInput:
        """An error about the value that the innermost loop stands at: `template` may name {place}, {line}, {column}."""
        return error_at(self.place(within), template=template, hint=hint, **fields)

    def _taken_at_once(self) -> tuple[Any] | None:
        """The object or list that stands next; None where it must be read token by token."""
        whole = self._tokens.whole() if self.kind() in {"object", "list"} else None
        if whole is None:
            return None
        value, self._tokens.window.at = whole
        self._is_waiting = False
        return (value,)

    def _name(self) -> tuple[str, Place]:
        tokens = self._tokens
        if tokens.peek() != '"':
            raise tokens.missing(template="{place}, line {line}, column {column}: a name in quotes belongs here")
        place = tokens.at()
        return tokens.text(), place

    def _at_value(self, step: Step) -> Iterator[Step]:
        """Stop at a value; what the reader leaves of it is skipped."""
        tokens = self._tokens
        tokens.path.append(step)
        depth = len(tokens.path)
        self._is_waiting = True
        tokens.peek()
        outer, self._value_at = self._value_at, tokens.window.place()
        yield step
        assert len(tokens.path) == depth, "a loop over a JSON stream was left before its end"
        if self._is_waiting:
            self.skip()
        tokens.path.pop()
        self._value_at = outer

    def _parts(self, end: str) -> Iterator[int]:
        """Go through an object or a list, from one part to the next."""
        tokens = self._tokens
        if len(tokens.path) >= tokens.limits.depth:
            raise tokens.here(
                template="{place}, line {line}, column {column}: nested more than {most} deep", most=tokens.limits.depth
            )
        tokens.window.at += 1
        self._is_waiting = False
        number = 0
        while number or tokens.peek() != end:
            yield number
            number += 1
            if tokens.peek() == end:
                break
            tokens.take(",", template="{place}, line {line}, column {column}: a comma or the end belongs here")
        tokens.window.at += 1

    def _walked(self, start: int, place: Place) -> Any:
        """The value that stands next, token by token, as a part of the one that begins there."""
        tokens = self._tokens
        value: Any
        match self.kind():
            case "object":
                value = {name: self._walked(start, place) for name in self.members()}
            case "list":
                value = [self._walked(start, place) for _number in self.items()]
            case "text":
                value = tokens.text()
            case _:
                value = tokens.word()
        self._is_waiting = False
        if tokens.window.consumed - start > tokens.limits.value:
            raise error_at(
                place,
                template="{place}, line {line}, column {column}: a value of more than {most} characters",
                most=tokens.limits.value,
            )
        return value
