"""Searches memories for a text: by words and by vectors, as of one moment (docs/decisions/0039), fused and
put in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec import Struct

from orca_core.model.errors import ConfigError, RerankError
from orca_core.model.llm import Clock, Embedder, Reranker, Vector
from orca_core.model.memories import MEMORIES, Memory
from orca_core.model.recall import TokenStatistics, Which
from orca_core.model.record_types import MEMORY, SUMMARY, Cause, Kind, R, RecordType
from orca_core.model.views import SearchHit, SearchResult
from orca_core.operations.stores import Stores
from orca_core.rules.memory.causes import cause_of_error
from orca_core.rules.requests.remember_and_forget import ForgetCandidate, meant_to_be_forgotten
from orca_core.rules.retrieval import score_fusion
from orca_core.rules.retrieval.match_evidence import (
    Circuit,
    EmbedderWorth,
    MatchEvidence,
    after_failure,
    after_success,
    check_vectors,
    importance,
    is_closed,
    most_telling_words,
    noise_of,
    rarity,
)
from orca_core.rules.retrieval.ranking import (
    LATE,
    MISTAKE,
    RESTING,
    UNREADABLE,
    FoundMemory,
    read_rerank_answer,
    refused_rule,
    reorder,
    rerank_candidates,
    reranked_rule,
    score_key,
)
from orca_core.rules.retrieval.relevance_floors import FLOORS, is_above_noise, is_relevant
from orca_core.rules.retrieval.score_fusion import (
    Candidates,
    MeasuredCandidates,
    QueryWeights,
    Relevance,
    measure_candidates,
    with_evidence,
)
from orca_core.rules.text.search_terms import QueryTerms, query_terms
from orca_core.services.shared.degradation import Levels, of_a_port
from orca_core.services.shared.views import Views
from orca_core.settings import Settings
from orca_core.store.ports import Rows

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
    embedding: EmbedderWorth = EmbedderWorth()


class Query(Struct, frozen=True):
    """A text ready for the search: its terms with their information, and its meaning where the embedder gave it."""

    text: str
    terms: QueryTerms
    statistics: TokenStatistics
    meaning: Meaning = Meaning()

    @property
    def embedding(self) -> EmbedderWorth:
        return self.meaning.embedding

    @property
    def asked(self) -> QueryWeights:
        return QueryWeights(self.terms.weights, self.statistics, self.embedding)


class Gatherer:
    """Finds and measures what is near a question."""

    def __init__(self, snapshot: Rows, query: Query) -> None:
        self._snapshot = snapshot
        self._query = query
        self._meaning = query.meaning

    def near(self, which: Which = Which.LIVE) -> MeasuredCandidates:
        """The memories that either search nominates."""
        query = self._query
        return measure_candidates(query.asked, self._nominated(MEMORY, query.statistics, which))

    def near_of(self, kind: Kind) -> MeasuredCandidates:
        """The same of another kind of record, among which other words are rare."""
        query = self._query
        statistics = self._snapshot.words.statistics(query.terms.tokens, kind=kind)
        asked = QueryWeights(query.terms.weights, statistics, query.embedding)
        return measure_candidates(asked, self._nominated(kind, statistics))

    def around(self, *, with_waiting: bool = False) -> MeasuredCandidates:
        """The live memories that either search nominates, or what waits besides, and those beside them in a
        conversation. What waits is one of them for all of this."""
        query = self._query
        nominated = self._nominated(MEMORY, query.statistics)
        if with_waiting:
            nominated = nominated.with_others(self._nominated(MEMORY, query.statistics, Which.WAITING))
        found = with_evidence(query.asked, nominated)
        neighbours = self._snapshot.lists.neighbours(measure_candidates(query.asked, found).nearest(WITH_NEIGHBOURS))
        beside = {each for around in neighbours.values() for each in around.all}
        found = found.with_others(with_evidence(query.asked, self._filled(MEMORY, beside - found.words.keys())))
        return measure_candidates(query.asked, found, neighbours)

    def _nominated(self, kind: Kind, statistics: TokenStatistics, which: Which = Which.LIVE) -> Candidates:
        query = self._query
        important = importance(query.terms.weights, rarity(statistics))
        tokens = most_telling_words(important, statistics.frequencies)
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


class Reranked(Struct, frozen=True):
    """What was found, in its order, and the rules that say how it came about; none where nobody was asked."""

    found: Sequence[FoundMemory]
    rules: tuple[str, ...] = ()


class Reranking:
    """One reranker with its deadline and its circuit; without a reranker every order stays."""

    def __init__(self, reranker: Callable[[], Reranker] | None, timeout_s: float, clock: Clock) -> None:
        self._reranker = reranker
        self._timeout_s = timeout_s
        self._clock = clock
        self._circuit = Circuit()

    async def ordered(self, text: str, relevant: Sequence[FoundMemory], wanted: int) -> Reranked:
        """Memories above the floor, best first, of which so many are wanted. Only `text` and what they say is sent."""
        asked_of = rerank_candidates(relevant, wanted)
        ranks, rules = await self.ranks(text, [each.memory.content for each in asked_of])
        if ranks is None:
            return Reranked(relevant, rules)
        return Reranked([*reorder(asked_of, ranks), *relevant[len(asked_of) :]], rules)

    async def ranks(self, text: str, texts: Sequence[str]) -> tuple[list[int] | None, tuple[str, ...]]:
        """Positions of texts, best first, and what the receipt says of it; None where the order stays as it is."""
        if self._reranker is None or len(texts) < 2 or not text.strip():
            return None, ()
        if not is_closed(self._circuit, self._clock.monotonic()):
            return None, (RESTING,)
        try:
            reranker = self._reranker()  # loads its client at the first call, which is not the server's time
            async with asyncio.timeout(self._timeout_s):
                ranks = read_rerank_answer(await reranker.rank(text, texts))
            made = reranked_rule(reranker.model)
        except TimeoutError:
            return self._failed(f"{LATE}: {self._timeout_s:g} s")
        except RerankError as error:
            return self._failed(refused_rule(error.code, error.fields.get("status")))
        except ConfigError as error:
            return self._failed(refused_rule(error.kind, None))
        except Exception as error:  # noqa: BLE001  # a reranker that breaks costs the order, not the memories
            return self._failed(f"{MISTAKE}: {of_a_port(error, 'the reranker').fields['what']}")
        if ranks is None:
            return self._failed(UNREADABLE)
        self._circuit = after_success(self._circuit)
        return ranks, (made,)

    def _failed(self, rule: str) -> tuple[None, tuple[str, ...]]:
        self._circuit = after_failure(self._circuit, self._clock.monotonic())
        return None, (rule,)


FOUND = 40
"""So many of the nearest are read whole, or twice as many as are wanted: what is farther has no chance of a slot, nor
of a line in a receipt. Chosen by hand."""
MAX_FORGET_PROPOSALS = 5
"""Chosen by hand."""
NOISE_PAIRS = 2000
NOISE_SEED = 20
NOISE_VALID_S = 600.0
"""The cosines of so many random pairs, with this seed, are measured again after so long. Chosen by hand."""


class Nearest(Struct, frozen=True):
    """The memories that a look found, and what it was asked."""

    found: list[FoundMemory]
    query: Query


class MemorySearch:
    """Long-term memories near a text, by words and by meaning."""

    def __init__(
        self,
        stores: Stores,
        embedder: Callable[[], Embedder],
        reranking: Reranking,
        levels: Levels,
        views: Views,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._search = stores.search
        self._embedder = embedder
        self._reranking = reranking
        self._levels = levels
        self._views = views
        self._clock = clock
        self._settings = settings
        self._noise: tuple[float, float] | None = None

    async def find(self, text: str, limit: int, *, cached: bool = True, with_candidates: bool = False) -> SearchResult:
        """The nearest live memories above the floor, best first. Raises StorageError."""
        gather = partial(Gatherer.around, with_waiting=with_candidates)
        looked = await self._look(text, gather, cached=cached, count=2 * limit)
        relevant = [
            each for each in looked.found if is_relevant(each.evidence, looked.query.embedding, FLOORS.searched)
        ]
        ordered = await self._reranking.ordered(text, relevant, limit)
        level, cause = await self._levels.current()
        hits = tuple(SearchHit(self._views(each.memory), each.parts) for each in ordered.found[:limit])
        return SearchResult(hits, level, cause, ordered.rules)

    async def meant(self, wanted: str) -> list[int]:
        """The live memories that a request to forget names, best first, at most `MAX_FORGET_PROPOSALS`."""
        looked = await self.look(wanted, cached=False)
        known = [
            ForgetCandidate(
                each.memory.id,
                each.memory.content,
                is_near=is_above_noise(each.evidence.cosine, looked.query.embedding),
            )
            for each in looked.found
        ]
        return meant_to_be_forgotten(wanted, known)[:MAX_FORGET_PROPOSALS]

    async def look(self, text: str, *, which: Which = Which.LIVE, cached: bool = True) -> Nearest:
        """The nearest memories, best first, also below the floor. Unless `cached`, the vector of the text is not kept:
        the text is private, or stands in no row with which it could be deleted."""
        return await self._look(text, partial(Gatherer.near, which=which), cached=cached)

    async def look_around(self, text: str, *, cached: bool) -> Nearest:
        """The same of what lives, and what stands beside it in a conversation: for what a person asks."""
        return await self._look(text, Gatherer.around, cached=cached)

    async def _look(
        self, text: str, gather: Callable[[Gatherer], MeasuredCandidates], *, cached: bool, count: int = 0
    ) -> Nearest:
        meaning = await self._meaning(text, cached=cached)

        def look(snapshot: Rows) -> tuple[list[Memory], MeasuredCandidates, Query]:
            query = _query(snapshot, text, meaning)
            measured = gather(Gatherer(snapshot, query))
            memories = snapshot.lists.get(MEMORIES, sorted(measured.nearest(max(FOUND, count))))
            return memories, measured, query

        memories, measured, query = await self._search.at_once(look)
        now = self._clock.now()
        return Nearest(sorted((self._found(each, measured, now) for each in memories), key=score_key), query)

    async def records(self, query: Query, record_type: RecordType[R]) -> tuple[list[R], MeasuredCandidates]:
        """The records of another kind that either search finds, and how near each is."""

        def look(snapshot: Rows) -> tuple[list[R], MeasuredCandidates]:
            measured = Gatherer(snapshot, query).near_of(record_type.kind)
            return snapshot.lists.get(record_type, list(measured.evidence)), measured

        return await self._search.at_once(look)

    async def prepare(self, text: str, *, cached: bool = True) -> Query:
        """A text ready for the search, where nothing is searched yet."""
        meaning = await self._meaning(text, cached=cached)
        return await self._search.at_once(lambda snapshot: _query(snapshot, text, meaning))

    def words_alone(self, text: str) -> Query:
        """A query in which every word counts the same, for searches without the index of long-term memory."""
        terms = query_terms(text)
        statistics = TokenStatistics(0, dict.fromkeys(terms.tokens, 0))
        return Query(text, terms, statistics)

    async def measured_summaries(self, query: Query, summaries: Mapping[int, Collection[str]]) -> MeasuredCandidates:
        """Summaries, given by their words, measured by the words of the question and by their vectors."""
        cosines: Mapping[int, float] = {}
        meaning, ids = query.meaning, list(summaries)
        vector = meaning.vector
        if vector is not None:
            cosines = await self._search.at_once(
                lambda snapshot: snapshot.vectors.cosines(SUMMARY, meaning.model, vector, ids)
            )
        return measure_candidates(query.asked, Candidates(summaries, cosines))

    def scored(self, memories: Sequence[Memory], known: Sequence[FoundMemory]) -> list[FoundMemory]:
        """Memories that enter by a rule other than relevance, with their score from the search, if any."""
        by_id = {each.memory.id: each for each in known}
        now = self._clock.now()
        return [by_id.get(memory.id) or self._found(memory, MeasuredCandidates(), now) for memory in memories]

    def _found(self, memory: Memory, measured: MeasuredCandidates, now: datetime) -> FoundMemory:
        relevance = measured.relevance.get(memory.id, Relevance())
        max_weight = self._settings.memory.long_term.max_weight
        parts = score_fusion.score_memory(memory, relevance, max_weight=max_weight, now=now)
        return FoundMemory(memory, parts, measured.evidence.get(memory.id, MatchEvidence()))

    async def _meaning(self, text: str, *, cached: bool) -> Meaning:
        vector = await self._vector(text, cached=cached)
        if vector is None:
            return Meaning()
        embedder = self._embedder()
        return Meaning(vector, embedder.model, EmbedderWorth(embedder.trust, await self._noise_of_store()))

    async def _vector(self, text: str, *, cached: bool) -> Vector | None:
        """The text's vector; None where the embedder fails, times out or is not asked."""
        if not self._levels.may_embed:
            return None
        timeout_s = self._settings.embedding.query_timeout
        try:
            async with asyncio.timeout(timeout_s):
                embedder = self._embedder() if cached else self._embedder().uncached
                [vector] = check_vectors(await embedder.embed([text]), 1, embedder.model, embedder.dimensions)
        except TimeoutError:
            seconds = f"{timeout_s:g}"
            late = Cause("late", template="the embedder took longer than {seconds} s", fields={"seconds": seconds})
            self._levels.embedding_failed(late)
            return None
        except Exception as error:  # noqa: BLE001  # an embedder that breaks costs its vectors, not what words find
            self._levels.embedding_failed(cause_of_error(of_a_port(error, "the embedder")))
            return None
        self._levels.embedding_worked()
        return vector

    async def _noise_of_store(self) -> float:
        now = self._clock.monotonic()
        if self._noise is None or now - self._noise[0] > NOISE_VALID_S:
            cosines = await self._search.random_cosines(self._embedder().model, NOISE_PAIRS, NOISE_SEED)
            self._noise = (now, noise_of(cosines))
        return self._noise[1]


def _query(snapshot: Rows, text: str, meaning: Meaning) -> Query:
    terms = query_terms(text)
    return Query(text, terms, snapshot.words.statistics(terms.tokens), meaning)
