"""What a look asks of a scope, all of it as of one moment, as ports.

A look runs on a thread that reads (`SearchIndex.at_once`): it decides by rules what to ask next, and awaits nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from orca_core.model.llm import Vector
from orca_core.model.recall import Neighbours, TextHit, TokenStatistics, VectorHit, Which
from orca_core.model.records import MEMORY, Kind, R, RecordType


class Words(Protocol):
    """Records of any kind by their words. What was counted once in a snapshot is not counted again."""

    def statistics(self, tokens: Sequence[str], *, kind: Kind = MEMORY) -> TokenStatistics: ...

    def by_tokens(
        self, tokens: Sequence[str], limit: int, *, which: Which = Which.LIVE, kind: Kind = MEMORY
    ) -> list[TextHit]:
        """Best first; no tokens, no hits. Its cost is what the tokens' entries cost: who asks chooses them."""
        ...

    def words_of(self, kind: Kind, ids: Sequence[int]) -> Mapping[int, Collection[str]]:
        """The words by which each of these records is found; those that are gone are left out."""
        ...

    def vocabulary(self, sought: Sequence[tuple[str, range]]) -> frozenset[str]:
        """The words of memories with one of these beginnings and lengths, as far as there are not very many."""
        ...

    def live_words(self, tokens: Sequence[str]) -> frozenset[str]:
        """Those of these words that a live memory holds."""
        ...


class Vectors(Protocol):
    """Records of any kind by their vectors."""

    def by_vector(
        self, model: str, vector: Vector, limit: int, *, which: Which = Which.LIVE, kind: Kind = MEMORY
    ) -> list[VectorHit]:
        """Nearest first."""
        ...

    def cosines(self, kind: Kind, model: str, vector: Vector, ids: Sequence[int]) -> dict[int, float]:
        """Only of those that have a vector of this model."""
        ...


class Snapshot(Protocol):
    """A scope, with those that are read with it, at one moment."""

    @property
    def words(self) -> Words: ...

    @property
    def vectors(self) -> Vectors: ...

    @property
    def is_partial(self) -> bool:
        """Whether a search by vectors so far compared the newest alone, for no index of them is open yet."""
        ...

    def get(self, record_type: RecordType[R], ids: Sequence[int]) -> list[R]:
        """The records that there are, in the order asked."""
        ...

    def neighbours(self, ids: Sequence[int], *, live_only: bool = True) -> dict[int, Neighbours]:
        """The memories beside each of these memories in its conversation, by the rounds that they come from, and the
        same of those right before and after it; nothing of what comes from no conversation."""
        ...
