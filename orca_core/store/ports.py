"""The port of rows: what the journal asks of any engine, inside one transaction and one scope.

For a table that belongs to scopes `Rows` adds the condition on the scope to every statement, and writes the scope
into every row. Sets of rows are small: what one turn, one run or one operation touches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from orca_core.model.records import RecordType, Ref

T = TypeVar("T")
S = TypeVar("S")

Row = Sequence[Any]


class Condition(NamedTuple):
    """What a column's value must be. `how` is one of `is`, `is not`, `any of`, `above`, `at most`, `below`."""

    column: str
    how: str
    value: Any


def is_(column: str, value: Any) -> Condition:
    """None is a value like any other."""
    return Condition(column, "is", value)


def is_not(column: str, value: Any) -> Condition:
    return Condition(column, "is not", value)


def any_of(column: str, values: Iterable[Any]) -> Condition:
    return Condition(column, "any of", list(values))


def above(column: str, value: Any) -> Condition:
    return Condition(column, "above", value)


def at_most(column: str, value: Any) -> Condition:
    return Condition(column, "at most", value)


def below(column: str, value: Any) -> Condition:
    return Condition(column, "below", value)


Telling = Callable[[Mapping[str, int]], Sequence[str]]
"""The rule that chooses which words of an indexed record are looked up, by how many records hold each."""


class Coming(NamedTuple):
    """A record that is to be made: a number in the place of its own, and the columns of the index in its row."""

    number: int
    kept: Mapping[str, Any]


class RecordIndex(Protocol):
    """The index by which records are found: words and vectors."""

    def columns(self, text: str, made_at: datetime) -> Mapping[str, Any]:
        """The columns of the index in the row of the record."""
        ...

    def put(self, record_type: RecordType[Any], record_id: int, kept: Mapping[str, Any]) -> None:
        """Index a record that was inserted, or whose text changed since `drop`; `kept` are those columns."""
        ...

    def drop(self, record_type: RecordType[Any], record_id: int) -> None:
        """Remove the words and the vectors of a record whose text will change."""
        ...

    def live_near(
        self,
        record_type: RecordType[Any],
        text: str,
        made_at: datetime,
        limit: int,
        telling: Telling,
        coming: Coming | None = None,
    ) -> Sequence[int]:
        """The live records that share words with an indexed record of this text, nearest first, itself among them.
        What is `coming` counts as if it were there, live and the newest."""
        ...

    def set_live(self, ref: Ref, is_live: bool) -> None:
        """Set whether searches for live records find it."""
        ...

    def key_of(self, text: str) -> str:
        """A keyed hash: the same text is recognised by it, and can't be read from it."""
        ...

    def keys_of(self, text: str) -> Sequence[str]:
        """By each secret that hashes in this database were made with; the first is `key_of`."""
        ...


class MessageWords(Protocol):
    """What messages are searched by, in step with them."""

    def put(self, round_id: int, role: str) -> None:
        """Index a message of a round that will not change any more. Where that can not be, it waits."""
        ...

    def drop(self, round_id: int) -> None:
        """Remove the messages of a round from the index: it stands no more."""
        ...


class Rows(Protocol):
    """Tables as a transaction sees them."""

    @property
    def owner(self) -> str:
        """This process, as a running round names its owner."""
        ...

    @property
    def index(self) -> RecordIndex: ...

    @property
    def message_words(self) -> MessageWords: ...

    def select(
        self, table: str, columns: Sequence[str], *where: Condition, order: Sequence[str] = (), limit: int | None = None
    ) -> list[Row]:
        """Rows that fulfil every condition, each with the columns asked for. `order` names columns, `-id` downwards."""
        ...

    def count(self, table: str, *where: Condition) -> int: ...

    def insert(self, table: str, values: Mapping[str, Any], *, if_absent: bool = False) -> int:
        """The number of the new row. With `if_absent` nothing is done where the row would break a table's own rule."""
        ...

    def update(self, table: str, values: Mapping[str, Any], *where: Condition) -> int:
        """How many rows it was."""
        ...

    def insert_all(self, table: str, columns: Sequence[str], values: Sequence[Sequence[Any]]) -> None:
        """Many rows of the same columns."""
        ...

    def update_each(self, table: str, columns: Sequence[str], values: Mapping[int, Sequence[Any]]) -> None:
        """The same columns of many rows, by their numbers."""
        ...

    def delete(self, table: str, *where: Condition) -> int:
        """How many rows it was."""
        ...


class Slice(Struct, frozen=True):
    """What one transaction of a long work may take: so many records at most, and no further ones once it `is_over`."""

    most: int
    is_over: Callable[[], bool]


ALL = Slice(sys.maxsize, lambda: False)


class Transactions(Protocol):
    """Transactions of one scope: `work` is done as a whole or not at all."""

    async def read(self, work: Callable[[Rows], T], *, own: bool = False) -> T:
        """With `own` of its own scope alone, whatever it reads besides."""
        ...

    async def write(self, work: Callable[[Rows], T]) -> T: ...

    async def write_after(self, look: Callable[[Rows], S], work: Callable[[Rows, S | None], T]) -> T:
        """A transaction after a look at its own scope that needs no more than to read, so that no other process waits
        for it. `work` is given what was seen where it is so still; None where another wrote since."""
        ...

    async def in_slices(
        self, work: Callable[[Rows, Slice], T | None], before: Callable[[Rows], object] | None = None
    ) -> T:
        """Work that takes long, a transaction after the other until it returns something, so that other writers get
        their turn. `before` each it is done what needs no more than to read."""
        ...
