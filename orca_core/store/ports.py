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

from msgspec import Struct, field

from orca_core.model.diagnosis import StoreHealth
from orca_core.model.learning import WaitingSession
from orca_core.model.llm import Vector
from orca_core.model.memories import DecideWaiting, ShortTerm
from orca_core.model.operations import OperationHeader, RecordsChanged
from orca_core.model.recall import Neighbours, TextHit, TokenStatistics, VectorHit, Which
from orca_core.model.record_types import MEMORY, Kind, R, RecordType, Ref
from orca_core.model.sessions import Judge, MessageIndexState, MessagesHeld, MessagesSought
from orca_core.model.views import MemoryQuery, RecordQuery, TextPlace

T = TypeVar("T")

Row = Sequence[Any]


class Condition(NamedTuple):
    """What a column\'s value must be. `how` is one of `is`, `is not`, `any of`, `above`, `at least`, `at most`, and
    `below`."""

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


def at_least(column: str, value: Any) -> Condition:
    return Condition(column, "at least", value)


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

    def put_messages(self, round_id: int, role: str) -> None:
        """Index a message of a round that will not change any more. Where that can not be, it waits."""
        ...

    def drop_messages(self, round_id: int) -> None:
        """Remove the messages of a round: it stands no more."""
        ...

    def find_messages(self, sought: MessagesSought, judge: Judge) -> MessagesHeld:
        """Return messages of this scope that stand, of each round its latest attempt: newest first, or best first,
        those that hold most terms as whole words; of very many the newest are compared. A few that wait to be indexed
        are read one by one."""
        ...

    def waiting_messages(self) -> int:
        """Return how many messages of any scope wait to be indexed."""
        ...

    def index_messages(self) -> bool:
        """Index some of the messages that wait, newest first, in a transaction that others need not wait for; returns
        whether there were any."""
        ...

    def are_messages_stale(self) -> bool:
        """Tell whether their index was made by other rules."""
        ...

    def rebuild_messages(self) -> None:
        """Drop their index: all messages wait to be indexed."""
        ...

    def examine_messages(self) -> MessageIndexState:
        """Return how their index stands beside the messages."""
        ...


class Unembedded(Struct, frozen=True):
    ref: Ref
    text: str


class Vectors(Protocol):
    """Finds records by their vectors, in one transaction."""

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

    def forget(self, texts: Iterable[str]) -> None:
        """Drop the cached vectors of these texts."""
        ...

    def unembedded(self, model: str, limit: int) -> Sequence[Unembedded]:
        """Return live and candidate memories and short-term summaries without a vector of this model, newest first."""
        ...

    def progress(self, model: str) -> tuple[int, int]:
        """Return how many have a vector of this model, and how many should have one."""
        ...

    def put(self, model: str, vectors: Sequence[tuple[Ref, str, Vector]]) -> None:
        """Store (record, the text that was embedded, vector); one whose record is gone or has another text by now is
        passed over."""
        ...

    def is_index_stale(self, model: str) -> bool:
        """Tell whether a search index is missing or was made for another model."""
        ...

    def fill_index(self, model: str) -> int:
        """Make such an index, or fill it further, by some vectors; returns how many came into it."""
        ...

    def cached(self, model: str, texts: Sequence[str]) -> Mapping[str, Vector]:
        """Return the vectors of those that were cached. Texts are known by a keyed hash; none is stored."""
        ...

    def cache(self, model: str, vectors: Mapping[str, Vector]) -> None: ...


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

    def memories(self, query: MemoryQuery) -> tuple[list[int], int]:
        """The memories of a page, by their numbers, and how many the list has, 0 where that is not asked for."""
        ...

    def memories_among_texts(
        self, query: MemoryQuery, behind: TextPlace | None, most: int
    ) -> tuple[list[int], TextPlace | None]:
        """What of a list is found among the next so many texts, in no order; and how far that was, None at the end."""
        ...

    def records(self, record_type: RecordType[Any], query: RecordQuery) -> tuple[list[Row], int]:
        """A page of records of a kind as rows, and how many the list has."""
        ...

    def sessions_to_read(self) -> list[WaitingSession]:
        """The sessions with rounds that nobody has read for episodes; none is held."""
        ...

    def gone(self, refs: Iterable[Ref]) -> frozenset[Ref]:
        """Those of the records, of any scope, that were deleted; of a summary that expired its round tells it."""
        ...


class Rows(Protocol):
    """Tables as a transaction sees them."""

    @property
    def owner(self) -> str:
        """This process, as a running round names its owner."""
        ...

    @property
    def own(self) -> str:
        """The scope that is written."""
        ...

    def is_alive(self, owner: str) -> bool:
        """Tell whether the process of an owner still runs."""
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

    def grouped(self, table: str, by: Sequence[str], figures: Sequence[str], *where: Condition) -> list[Row]:
        """One row a group, in no order: the columns of `by`, then its figures: `count`, or `sum`, `min`, `max`,
        `count` of a column, as `sum tokens`."""
        ...

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

    async def wipe(self) -> bool:
        """Wipe what was deleted out of the rows and pages that still hold it. False where another process blocks
        that: the rest waits."""
        ...

    async def foreign_writes(self) -> int:
        """A number that changes when another process writes."""
        ...

    async def in_slices(
        self, work: Callable[[Rows, Slice], T | None], before: Callable[[Rows], object] | None = None
    ) -> T:
        """Work that takes long, a transaction after the other until it returns something, so that other writers get
        their turn. `before` each it is done what needs no more than to read."""
        ...


class IndexState(Struct, frozen=True):
    """How the index of a kind stands beside its records: records without words, words and vectors without a record,
    and entries of the vector index that lack or are not as their record is. `damaged` is the table that can't be
    searched. `numbers` are some of the records behind these, by their names."""

    kind: Kind
    without_words: int = 0
    orphan_words: int = 0
    orphan_vectors: int = 0
    stale: int = 0
    damaged: str = ""
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def is_in_step(self) -> bool:
        counts = (self.without_words, self.orphan_words, self.orphan_vectors, self.stale)
        return not (any(counts) or self.is_damaged)

    @property
    def is_damaged(self) -> bool:
        return bool(self.damaged)


class Upkeep(Protocol):
    """The database as a whole, and its indexes, which are common to all scopes: health, wiping, what is mended, and
    what is done while nobody waits."""

    async def health(self, *, examines: bool = True) -> StoreHealth:
        """Where it `examines`, every page of the file is read; raises StoreDamaged. Otherwise nothing is said of them:
        `integrity` is empty."""
        ...

    async def long_term_readable(self) -> bool:
        """False where the tables of long-term memory are damaged or missing (level 3)."""
        ...

    async def try_to_write(self) -> None:
        """Begin a write and roll it back. Raises StorageError where nothing can be saved."""
        ...

    async def idle(self) -> bool:
        """Wipe deleted text and checkpoint the WAL. True when all is done."""
        ...

    async def expire_short_term(self, now: datetime, ttl_days: int) -> int:
        """Delete older summaries with their vectors; returns how many. Receipts keep what they showed."""
        ...

    async def expire_candidates(
        self, untouched_since: datetime, header: OperationHeader, decide: DecideWaiting
    ) -> RecordsChanged[Any]:
        """One operation on the candidates of this scope, of every kind, that nothing happened to since then: what
        `decide` says of those of one kind."""
        ...

    async def states(self) -> list[IndexState]: ...

    async def drop_orphan_vectors(self) -> int:
        """Drop vectors without a record, of every kind; returns how many."""
        ...

    async def fill_words(self, slices: int) -> bool:
        """Go on with indexes of words that are being made anew, so many pieces; returns whether more waits. Raises
        IndexDamaged or StoreDamaged once nothing waits but words of indexes that are damaged."""
        ...

    async def join_words(self) -> None:
        """Join the pieces of the indexes of words, where there are many: each write leaves one. In slices."""
        ...

    async def counts(self) -> dict[Kind, int]:
        """How many records of each kind there are, of all scopes."""
        ...

    async def mend(self, kind: Kind, tell: Callable[[int], None] | None = None) -> None:
        """Make the words of a kind anew, drop vectors without a record, and have its vector index made anew. It tells
        how many records are indexed, from another thread."""
        ...

    async def acquire_lead(self) -> bool:
        """Take the lead of the profile; False where another Orca has it. At most one learns for a profile at a time,
        with one task at a time: this waits for another task of this one. A cancelled call holds nothing. The lead is
        free when its process ends, also by a crash."""
        ...

    async def resign_lead(self) -> None: ...

    async def recover(self) -> int:
        """Mark rounds that a crash left streaming as interrupted; returns how many."""
        ...

    async def aclose(self) -> None: ...
