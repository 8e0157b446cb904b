"""The ports of a store: what operations and services ask of any engine.

A transaction has one scope (`Rows`), with the words, vectors and lists as they are in it.

For a table that belongs to scopes `Rows` adds the condition on the scope to every statement, and writes the scope
into every row. Sets of rows are small: what one turn, one run or one operation touches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from orca_core.model.llm import Vector
from orca_core.model.memories import ShortTerm
from orca_core.model.recall import Neighbours, TextHit, TokenStatistics, VectorHit, Which
from orca_core.model.records import MEMORY, Kind, R, RecordType, Ref

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


class FullText(Protocol):
    """Finds records and messages by their words, in one transaction. What was counted once is not counted again."""

    def columns(self, text: str, made_at: datetime) -> Mapping[str, Any]:
        """Return the columns of the index in the row of the record."""
        ...

    def put(self, record_type: RecordType[Any], record_id: int, kept: Mapping[str, Any]) -> None:
        """Index a record that was inserted, or whose text changed since `drop`; `kept` are those columns."""
        ...

    def drop(self, record_type: RecordType[Any], record_id: int) -> None:
        """Remove the words of a record whose text will change."""
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
        """Return the live records that share words with an indexed record of this text, nearest first, itself among
        them. What is `coming` counts as if it were there, live and the newest."""
        ...

    def statistics(self, tokens: Sequence[str], *, kind: Kind = MEMORY) -> TokenStatistics: ...

    def by_tokens(
        self, tokens: Sequence[str], limit: int, *, which: Which = Which.LIVE, kind: Kind = MEMORY
    ) -> Sequence[TextHit]:
        """Return hits, best first; no tokens, no hits. Its cost is what the tokens' entries cost: who asks chooses
        them."""
        ...

    def words_of(self, kind: Kind, ids: Sequence[int]) -> Mapping[int, Collection[str]]:
        """Return the words by which each of these records is found; those that are gone are left out."""
        ...

    def vocabulary(self, sought: Sequence[tuple[str, range]]) -> frozenset[str]:
        """Return the words of memories with one of these beginnings and lengths, as far as there are not very many."""
        ...

    def live_words(self, tokens: Sequence[str]) -> frozenset[str]:
        """Return those of these words that a live memory holds."""
        ...

    def put_messages(self, round_id: int, role: str) -> None:
        """Index a message of a round that will not change any more. Where that can not be, it waits."""
        ...

    def drop_messages(self, round_id: int) -> None:
        """Remove the messages of a round: it stands no more."""
        ...


class Vectors(Protocol):
    """Finds records by their vectors, in one transaction."""

    @property
    def is_partial(self) -> bool:
        """Tell whether a search so far compared the newest alone, for no index of them is open yet."""
        ...

    def by_vector(
        self, model: str, vector: Vector, limit: int, *, which: Which = Which.LIVE, kind: Kind = MEMORY
    ) -> Sequence[VectorHit]:
        """Return hits, nearest first."""
        ...

    def cosines(self, kind: Kind, model: str, vector: Vector, ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of those that have a vector of this model."""
        ...

    def random_cosines(self, model: str, pairs: int, seed: int) -> list[float]:
        """Return cosines of random pairs of live memories, the embedder's noise; few or none in a young store."""
        ...

    def drop(self, record_type: RecordType[Any], record_id: int) -> None:
        """Remove the vector of a record whose text will change."""
        ...

    def set_live(self, ref: Ref, is_live: bool) -> None:
        """Set whether searches for live records find it."""
        ...


class Lists(Protocol):
    """Reads that no plain condition on one table says."""

    def get(self, record_type: RecordType[R], ids: Sequence[int]) -> list[R]:
        """Return the records that there are, in the order asked."""
        ...

    def neighbours(self, ids: Sequence[int], *, live_only: bool = True) -> dict[int, Neighbours]:
        """Return the memories beside each of these memories in its conversation, by the rounds that they come from, and
        the same of those right before and after it; nothing of what comes from no conversation."""
        ...

    def short_term(self, session_id: str, now: datetime, ttl_days: int, limit: int) -> list[ShortTerm]:
        """Return this session's summaries and the latest of other sessions, newest first, not expired."""
        ...


class Rows(Protocol):
    """Tables as a transaction sees them."""

    @property
    def owner(self) -> str:
        """This process, as a running round names its owner."""
        ...

    @property
    def words(self) -> FullText: ...

    @property
    def vectors(self) -> Vectors: ...

    @property
    def lists(self) -> Lists: ...

    def key_of(self, text: str) -> str:
        """Return a keyed hash: the same text is recognised by it, and can't be read from it."""
        ...

    def keys_of(self, text: str) -> Sequence[str]:
        """Return the hash by each secret that hashes in this database were made with; the first is `key_of`."""
        ...

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
