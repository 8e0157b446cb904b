"""Searches memories for a text: by words and by vectors, fused, with regard to the embedder's health."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec import Struct

from orca_core.model.llm import Clock, Embedder, Vector
from orca_core.model.memories import MEMORIES, Memory, State
from orca_core.model.recall import TokenStatistics, Which
from orca_core.model.records import SUMMARY, Cause, R, RecordType
from orca_core.model.views import SearchHit, SearchResult
from orca_core.rules.memory import causes
from orca_core.rules.requests.forget_targets import Known, meant_to_be_forgotten
from orca_core.rules.retrieval.choosing.ranking import Found, by_score
from orca_core.rules.retrieval.finding import fusion
from orca_core.rules.retrieval.finding.evidence import Embedding, Evidence, noise_of
from orca_core.rules.retrieval.finding.floors import FLOORS, is_above_noise, is_relevant
from orca_core.rules.retrieval.finding.fusion import Relevance
from orca_core.rules.retrieval.finding.measuring import Candidates, Measured, measure
from orca_core.rules.retrieval.finding.vectors import checked
from orca_core.rules.text.languages import language_of
from orca_core.rules.text.terms import query_terms
from orca_core.services.shared import failures
from orca_core.services.shared.candidates import Gatherer, Meaning, Query
from orca_core.services.shared.levels import Levels
from orca_core.services.shared.meant_words import with_what_is_meant
from orca_core.services.shared.reranking import Reranking
from orca_core.services.shared.views import Views
from orca_core.settings import Settings
from orca_core.store.protocols import Snapshot, Stores

FOUND = 40
"""So many of the nearest are read whole, or twice as many as are wanted: what is farther has no chance of a slot, nor
of a line in a receipt. Chosen by hand."""
MAX_FORGET_PROPOSALS = 5
"""Chosen by hand."""
NOISE_PAIRS = 2000
NOISE_SEED = 20
NOISE_VALID_S = 600.0
"""The cosines of so many random pairs, with this seed, are measured again after so long. Chosen by hand."""


Rules = tuple[str, ...]
"""By which a search found less than there may be."""


class Nearest(Struct, frozen=True):
    """The memories that a look found, what it was asked, and by what rules it found less than there may be."""

    found: list[Found]
    query: Query
    rules: Rules = ()


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
        return SearchResult(hits, level, cause, (*looked.rules, *ordered.rules))

    async def meant(self, wanted: str) -> list[int]:
        """The live memories that a request to forget names, best first, at most `MAX_FORGET_PROPOSALS`."""
        looked = await self.look(wanted, which=Which.ALL, cached=False)
        took_over = {each.memory.superseded_by for each in looked.found}
        known = [
            Known(
                each.memory.id,
                each.memory.content,
                age=each.memory.id,
                took_over=each.memory.id in took_over,
                is_near=is_above_noise(each.evidence.cosine, looked.query.embedding),
            )
            for each in looked.found
            if each.memory.state is State.LIVE
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
        self, text: str, gather: Callable[[Gatherer], Measured], *, cached: bool, count: int = 0
    ) -> Nearest:
        meaning = await self._meaning(text, cached=cached)

        def look(snapshot: Snapshot) -> tuple[list[Memory], Measured, Query, Rules]:
            query = _query(snapshot, text, meaning)
            measured = gather(Gatherer(snapshot, query))
            memories = snapshot.get(MEMORIES, sorted(measured.nearest(max(FOUND, count))))
            return memories, measured, query, _rules(snapshot)

        memories, measured, query, rules = await self._search.at_once(look)
        now = self._clock.now()
        return Nearest(sorted((self._found(each, measured, now) for each in memories), key=by_score), query, rules)

    async def records(self, query: Query, record_type: RecordType[R]) -> tuple[list[R], Measured, Rules]:
        """The records of another kind that either search finds, how near each is, and by what rules."""

        def look(snapshot: Snapshot) -> tuple[list[R], Measured, Rules]:
            measured = Gatherer(snapshot, query).near_of(record_type.kind)
            return snapshot.get(record_type, list(measured.evidence)), measured, _rules(snapshot)

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

    async def measured_summaries(self, query: Query, summaries: Mapping[int, Collection[str]]) -> Measured:
        """Summaries, given by their words, measured by the words of the question and by their vectors."""
        cosines: Mapping[int, float] = {}
        meaning, ids = query.meaning, list(summaries)
        vector = meaning.vector
        if vector is not None:
            cosines = await self._search.at_once(
                lambda snapshot: snapshot.vectors.cosines(SUMMARY, meaning.model, vector, ids)
            )
        return measure(query.asked, Candidates(summaries, cosines))

    def scored(self, memories: Sequence[Memory], known: Sequence[Found]) -> list[Found]:
        """Memories that enter by a rule other than relevance, with their score from the search, if any."""
        by_id = {each.memory.id: each for each in known}
        now = self._clock.now()
        return [by_id.get(memory.id) or self._found(memory, Measured(), now) for memory in memories]

    def _found(self, memory: Memory, measured: Measured, now: datetime) -> Found:
        relevance = measured.relevance.get(memory.id, Relevance())
        max_weight = self._settings.memory.long_term.max_weight
        parts = fusion.score_memory(memory, relevance, max_weight=max_weight, now=now)
        return Found(memory, parts, measured.evidence.get(memory.id, Evidence()))

    async def _meaning(self, text: str, *, cached: bool) -> Meaning:
        vector = await self._vector(text, cached=cached)
        if vector is None:
            return Meaning()
        embedder = self._embedder()
        return Meaning(vector, embedder.model, Embedding(embedder.trust, await self._noise_of_store()))

    async def _vector(self, text: str, *, cached: bool) -> Vector | None:
        """The text's vector; None where the embedder fails, times out or is not asked."""
        if not self._levels.may_embed:
            return None
        timeout_s = self._settings.embedding.query_timeout
        try:
            async with asyncio.timeout(timeout_s):
                embedder = self._embedder() if cached else self._embedder().uncached
                [vector] = checked(await embedder.embed([text]), 1, embedder.model, embedder.dimensions)
        except TimeoutError:
            seconds = f"{timeout_s:g}"
            late = Cause("late", template="the embedder took longer than {seconds} s", fields={"seconds": seconds})
            self._levels.embedding_failed(late)
            return None
        except Exception as error:  # noqa: BLE001  # an embedder that breaks costs its vectors, not what words find
            self._levels.embedding_failed(causes.of_error(failures.of_a_port(error, "the embedder")))
            return None
        self._levels.embedding_worked()
        return vector

    async def _noise_of_store(self) -> float:
        now = self._clock.monotonic()
        if self._noise is None or now - self._noise[0] > NOISE_VALID_S:
            cosines = await self._search.random_cosines(self._embedder().model, NOISE_PAIRS, NOISE_SEED)
            self._noise = (now, noise_of(cosines))
        return self._noise[1]


def _query(snapshot: Snapshot, text: str, meaning: Meaning) -> Query:
    terms, statistics = with_what_is_meant(snapshot, query_terms(text), are_names=language_of(text) == "zh")
    return Query(text, terms, statistics, meaning)


def _rules(snapshot: Snapshot) -> Rules:
    return ("newest_alone",) if snapshot.is_partial else ()
