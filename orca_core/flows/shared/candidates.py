"""Gathers what may answer a question: each search nominates, and what either found is measured by both."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace

from orca_core.domain.dataclass import dataclass
from orca_core.domain.ports import Embedder, Vector
from orca_core.domain.recall import TokenStatistics
from orca_core.domain.refs import MEMORY, Kind
from orca_core.domain.stores.cues import CueIndex
from orca_core.domain.stores.index import SearchIndex, Surroundings
from orca_core.flows.shared.cue_search import CueSearch
from orca_core.flows.shared.lazy import Lazy
from orca_core.rules.recalling.finding.cues import CueMatches
from orca_core.rules.recalling.finding.evidence import Embedding, importance, rarity
from orca_core.rules.recalling.finding.hops import HOP_FROM, hop_weights, words_to_follow
from orca_core.rules.recalling.finding.measuring import Asked, Candidates, Hop, Measured, measure, weighed
from orca_core.rules.recalling.finding.telling import telling
from orca_core.rules.text.terms import QueryTerms

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
HOP_NOMINATED = 20
"""How many a second hop brings besides. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Query:
    """A text ready for the search: its terms with their information, and its vector where the embedder gave one."""

    text: str
    terms: QueryTerms
    statistics: TokenStatistics
    vector: Vector | None
    embedding: Embedding

    @property
    def asked(self) -> Asked:
        return Asked(self.terms.weights, self.statistics, self.embedding)


class Gatherer:
    """Finds and measures candidates of one scope."""

    def __init__(
        self, search: SearchIndex, surroundings: Surroundings, cues: CueIndex, embedder: Lazy[Embedder]
    ) -> None:
        self._search = search
        self._cues = CueSearch(cues, embedder)
        self._surroundings = surroundings
        self._embedder = embedder

    async def near(self, query: Query, *, live_only: bool = True) -> Measured:
        """The memories that either search nominates."""
        return measure(query.asked, await self._nominated(query, MEMORY, query.statistics, live_only=live_only))

    async def near_of(self, query: Query, kind: Kind) -> Measured:
        """The same of another kind of record, among which other words are rare."""
        statistics = await self._search.statistics(query.terms.tokens, kind=kind)
        asked = Asked(query.terms.weights, statistics, query.embedding)
        return measure(asked, await self._nominated(query, kind, statistics, live_only=True))

    async def around(self, query: Query) -> Measured:
        """The live memories that either search nominates, those beside them in a conversation, and those that share
        what the nearest of all these speak of."""
        found = weighed(query.asked, await self._nominated(query, MEMORY, query.statistics, live_only=True))
        neighbours = await self._surroundings.neighbours(measure(query.asked, found).nearest(WITH_NEIGHBOURS))
        beside = {each for around in neighbours.values() for each in around.all}
        others = await self._filled(query, MEMORY, beside - found.words.keys())
        found = found.with_others(weighed(query.asked, others))
        first = measure(query.asked, found, neighbours)
        alone = measure(query.asked, found.without_cues, neighbours) if found.cues.speaks else first
        nearest = alone.nearest(HOP_FROM)
        followed = words_to_follow([found.words[number] for number in nearest], query.terms.weights.keys())
        statistics = await self._search.statistics(sorted(followed))
        hop = Hop(hop_weights([found.words[number] for number in nearest], statistics), frozenset(nearest))
        if not hop.weights:
            return first
        hits = await self._search.by_tokens(telling(hop.weights, statistics.frequencies), HOP_NOMINATED)
        others = await self._filled(query, MEMORY, {hit.ref.id for hit in hits} - found.words.keys())
        found = found.with_others(weighed(query.asked, others))
        return measure(query.asked, found, neighbours, hop)

    async def _nominated(self, query: Query, kind: Kind, statistics: TokenStatistics, *, live_only: bool) -> Candidates:
        important = importance(query.terms.weights, rarity(statistics))
        tokens = telling(important, statistics.frequencies)
        by_words, by_cues = await asyncio.gather(
            self._search.by_tokens(tokens, NOMINATED, live_only=live_only, kind=kind),
            self._near_cues(query, kind, statistics, live_only=live_only),
        )
        knows_more_than_words = query.embedding.trust >= NOMINATES_FROM_TRUST
        by_vectors: dict[int, float] = {}
        if knows_more_than_words or len(by_words) < ENOUGH_BY_WORDS:
            by_vectors = await self._nearest_vectors(query, kind, live_only=live_only)
        nominated = {*(hit.ref.id for hit in by_words), *by_vectors, *by_cues.words, *by_cues.cosines}
        return replace(await self._filled(query, kind, nominated, by_vectors), cues=by_cues)

    async def _near_cues(self, query: Query, kind: Kind, statistics: TokenStatistics, *, live_only: bool) -> CueMatches:
        """Only memories that live have cues that count."""
        if kind != MEMORY or not live_only:
            return CueMatches()
        by_words, cosines = await asyncio.gather(
            self._cues.near(query.terms.weights, statistics), self._cues.by_meaning(query.vector)
        )
        return replace(by_words, cosines=cosines)

    async def _nearest_vectors(self, query: Query, kind: Kind, *, live_only: bool) -> dict[int, float]:
        if query.vector is None:
            return {}
        model = self._embedder.get().model
        hits = await self._search.by_vector(model, query.vector, NOMINATED, live_only=live_only, kind=kind)
        return {hit.ref.id: hit.cosine for hit in hits}

    async def _filled(
        self, query: Query, kind: Kind, ids: Iterable[int], known: Mapping[int, float] | None = None
    ) -> Candidates:
        """The words of these records, and the cosines of all that have a vector."""
        cosines = dict(known or {})
        wanted = sorted(ids)
        unknown = [number for number in wanted if number not in cosines]
        words = await self._surroundings.words_of(kind, wanted) if wanted else {}
        if unknown and query.vector is not None:
            cosines |= await self._search.cosines(kind, self._embedder.get().model, query.vector, unknown)
        return Candidates(words, {number: cosine for number, cosine in cosines.items() if number in words})
