"""Gathers what may answer a question, as of one moment: each search nominates, and what either found is measured by
both. It runs on a thread that reads, and awaits nothing (docs/decisions/0039)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from orca_core.model.llm import Vector
from orca_core.model.recall import TokenStatistics, Which
from orca_core.model.records import MEMORY, Kind
from orca_core.rules.retrieval.finding.evidence import Embedding, importance, rarity
from orca_core.rules.retrieval.finding.measuring import Asked, Candidates, Measured, measure, weighed
from orca_core.rules.retrieval.finding.telling import telling
from orca_core.rules.text.terms import QueryTerms
from orca_core.store.protocols.snapshot import Snapshot

NOMINATED = 50
"""How many records each of the two searches nominates. `benchmarks/recall_steps.py`: of 20 raw turns lose half a
point, 100 bring none."""
NOMINATES_FROM_TRUST = 0.5
ENOUGH_BY_WORDS = 10
"""An embedder of less worth knows what words know, only worse: it scores what they nominate, and nominates itself where
they find less than so many. At 10,000 memories its nominating was half of the time of a search, and recall@5 is the
same without it (`benchmarks/look_speed.py`, `benchmarks/recall_steps.py`)."""
WITH_NEIGHBOURS = 30
"""Of so many of the nearest what stands beside them is looked at. `benchmarks/recall_steps.py`: of all hundred recall@5
is the same."""


class Meaning(Struct, frozen=True):
    """The vector of a text, by which model, and what is known of such vectors; without one nothing is."""

    vector: Vector | None = None
    model: str = ""
    embedding: Embedding = Embedding()


class Query(Struct, frozen=True):
    """A text ready for the search: its terms with their information, and its meaning where the embedder gave it."""

    text: str
    terms: QueryTerms
    statistics: TokenStatistics
    meaning: Meaning = Meaning()

    @property
    def embedding(self) -> Embedding:
        return self.meaning.embedding

    @property
    def asked(self) -> Asked:
        return Asked(self.terms.weights, self.statistics, self.embedding)


class Gatherer:
    """Finds and measures what is near a question."""

    def __init__(self, snapshot: Snapshot, query: Query) -> None:
        self._snapshot = snapshot
        self._query = query
        self._meaning = query.meaning

    def near(self, which: Which = Which.LIVE) -> Measured:
        """The memories that either search nominates."""
        query = self._query
        return measure(query.asked, self._nominated(MEMORY, query.statistics, which))

    def near_of(self, kind: Kind) -> Measured:
        """The same of another kind of record, among which other words are rare."""
        query = self._query
        statistics = self._snapshot.words.statistics(query.terms.tokens, kind=kind)
        asked = Asked(query.terms.weights, statistics, query.embedding)
        return measure(asked, self._nominated(kind, statistics))

    def around(self, *, with_waiting: bool = False) -> Measured:
        """The live memories that either search nominates, or what waits besides, and those beside them in a
        conversation. What waits is one of them for all of this."""
        query = self._query
        nominated = self._nominated(MEMORY, query.statistics)
        if with_waiting:
            nominated = nominated.with_others(self._nominated(MEMORY, query.statistics, Which.WAITING))
        found = weighed(query.asked, nominated)
        neighbours = self._snapshot.neighbours(measure(query.asked, found).nearest(WITH_NEIGHBOURS))
        beside = {each for around in neighbours.values() for each in around.all}
        found = found.with_others(weighed(query.asked, self._filled(MEMORY, beside - found.words.keys())))
        return measure(query.asked, found, neighbours)

    def _nominated(self, kind: Kind, statistics: TokenStatistics, which: Which = Which.LIVE) -> Candidates:
        query = self._query
        important = importance(query.terms.weights, rarity(statistics))
        tokens = telling(important, statistics.frequencies)
        by_words = self._snapshot.words.by_tokens(tokens, NOMINATED, which=which, kind=kind)
        knows_more_than_words = query.embedding.trust >= NOMINATES_FROM_TRUST
        by_vectors: dict[int, float] = {}
        if knows_more_than_words or len(by_words) < ENOUGH_BY_WORDS:
            by_vectors = self._nearest_vectors(kind, which)
        nominated = {*(hit.ref.id for hit in by_words), *by_vectors}
        return self._filled(kind, nominated, by_vectors)

    def _nearest_vectors(self, kind: Kind, which: Which) -> dict[int, float]:
        vector, model = self._meaning.vector, self._meaning.model
        if vector is None:
            return {}
        hits = self._snapshot.vectors.by_vector(model, vector, NOMINATED, which=which, kind=kind)
        return {hit.ref.id: hit.cosine for hit in hits}

    def _filled(self, kind: Kind, ids: Iterable[int], known: Mapping[int, float] | None = None) -> Candidates:
        """The words of these records, and the cosines of all that have a vector."""
        cosines = dict(known or {})
        wanted = sorted(ids)
        unknown = [number for number in wanted if number not in cosines]
        words = self._snapshot.words.words_of(kind, wanted) if wanted else {}
        if unknown and self._meaning.vector is not None:
            cosines |= self._snapshot.vectors.cosines(kind, self._meaning.model, self._meaning.vector, unknown)
        return Candidates(words, {number: cosine for number, cosine in cosines.items() if number in words})
