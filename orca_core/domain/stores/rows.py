"""The port of rows: what the journal asks of any engine, inside one transaction and one scope.

A table that belongs to scopes is always asked for with one: `Rows` puts the condition in by itself, and writes the
scope into what it inserts. Sets of rows are small here: what one turn, one run or one operation touches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

from orca_core.domain.records import RecordType
from orca_core.domain.refs import Ref

T = TypeVar("T")

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


class RecordIndex(Protocol):
    """What an engine keeps of a record to find it by: words and vectors."""

    def columns(self, text: str, made_at: datetime) -> Mapping[str, Any]:
        """What stands in the record's own row for it, beside its fields."""
        ...

    def put(self, record_type: RecordType[Any], record_id: int, kept: Mapping[str, Any]) -> None:
        """A record that was made, or whose text is another since `drop`; `kept` are those columns."""
        ...

    def drop(self, record_type: RecordType[Any], record_id: int) -> None:
        """A record whose text is about to change: its words and its vectors."""
        ...

    def set_live(self, ref: Ref, is_live: bool) -> None:
        """Whether searches that want what lives find it."""
        ...


class Rows(Protocol):
    """Tables as a transaction sees them."""

    @property
    def owner(self) -> str:
        """This process, as a round under way names it."""
        ...

    @property
    def index(self) -> RecordIndex: ...

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

    def delete(self, table: str, *where: Condition) -> int:
        """How many rows it was."""
        ...


class Transactions(Protocol):
    """One scope's reads and writes: all of a piece of work or nothing."""

    async def read(self, work: Callable[[Rows], T]) -> T: ...

    async def write(self, work: Callable[[Rows], T]) -> T: ...
