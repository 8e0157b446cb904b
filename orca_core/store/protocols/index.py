"""What the flows need to find things by: words and vectors of memories and summaries, as ports of one scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct, field

from orca_core.model.llm import Vector
from orca_core.model.records import Kind, Ref

T = TypeVar("T")


class Unembedded(Struct, frozen=True):
    ref: Ref
    text: str


class VectorStore(Protocol):
    """Vectors of records of any kind, and the cache of embedded texts."""

    async def unembedded(self, model: str, limit: int) -> list[Unembedded]:
        """Live and candidate memories and short-term summaries without a vector of this model, newest first."""
        ...

    async def put(self, model: str, vectors: Sequence[tuple[Ref, str, Vector]]) -> None:
        """(record, the text that was embedded, vector); one whose record is gone or has another text by now is
        passed over. The search index follows in the same transaction."""
        ...

    async def refresh_index(self, model: str, tell: Callable[[int], None] | None = None) -> bool:
        """Make the search index anew, in slices, where it is missing or was made for another model; False where it is
        current. A search never does this, and does without it until then. `tell` hears how many vectors are in it."""
        ...

    async def progress(self, model: str) -> tuple[int, int]:
        """(with a vector of this model, all that should have one)."""
        ...

    async def cached(self, model: str, texts: Sequence[str]) -> dict[str, Vector]:
        """Of those that were cached. Texts are known by a keyed hash; none is stored."""
        ...

    async def cache(self, model: str, vectors: Mapping[str, Vector]) -> None: ...


class IndexState(Struct, frozen=True):
    """How the index of a kind stands beside its records: records without words, words and vectors without a record,
    entries of the vector index that lack or are not as their record is, and words that are counted wrongly. `damaged`
    is the table that can't be searched. `numbers` are some of the records behind the first four, by their names; of
    many word counts only so many are `looked_at`."""

    kind: Kind
    without_words: int = 0
    orphan_words: int = 0
    orphan_vectors: int = 0
    stale: int = 0
    miscounted: int = 0
    damaged: str = ""
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    word_counts: int = 0
    looked_at: int = 0

    @property
    def is_in_step(self) -> bool:
        counts = (self.without_words, self.orphan_words, self.orphan_vectors, self.stale, self.miscounted)
        return not (any(counts) or self.is_damaged)

    @property
    def is_damaged(self) -> bool:
        return bool(self.damaged)


class IndexCare(Protocol):
    """Looking whether the indexes of a database are in step with its records, of all scopes."""

    async def states(self) -> list[IndexState]: ...

    async def drop_orphan_vectors(self) -> int:
        """Drop vectors without a record, of every kind; returns how many."""
        ...

    async def count_words(self, slices: int) -> bool:
        """Count so many pieces of what waits to be counted: words of records that came at once. Whether more waits.
        Raises IndexDamaged or StoreDamaged once nothing waits but words of indexes that are damaged."""
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
