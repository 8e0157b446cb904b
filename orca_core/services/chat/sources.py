"""Sources of a turn's memory, one a kind of record. Each says what it would inject and what it leaves out; budget,
floor and block are common to all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from orca_core.model.errors import StorageError
from orca_core.model.llm import Clock
from orca_core.model.memories import Memory, MemoryType
from orca_core.model.recall import Level
from orca_core.model.views import MemoryQuery, MemorySort
from orca_core.rules.memory import status
from orca_core.rules.retrieval.choosing import ordering, ranking
from orca_core.rules.retrieval.choosing import standing as standing_rule
from orca_core.rules.retrieval.choosing.injection import RecallPlan
from orca_core.rules.retrieval.choosing.ranking import Found, FoundShort, Selection
from orca_core.rules.retrieval.finding import fusion
from orca_core.rules.retrieval.finding.evidence import Embedding
from orca_core.services.shared.candidates import Query
from orca_core.services.shared.levels import Levels
from orca_core.services.shared.reranking import Reranking
from orca_core.services.shared.search import MemorySearch
from orca_core.settings import Settings
from orca_core.store.protocols import MemoryStore
from orca_core.store.protocols.index import SearchIndex

SHORT_TERM_CANDIDATES = 40
"""Chosen by hand."""
MAX_STANDING_READ = 50
"""Only of the heaviest so many instructions and preferences the standing ones are chosen. Chosen by hand."""
MAX_PINNED = 50
"""Only the heaviest so many pinned memories are read: a block holds no more. Chosen by hand."""
EMPTY = Selection((), ())


class RecallRequest(Struct, frozen=True):
    """What a turn knows before recall: `prompt_tokens` counts the prompt without memory; `remembered` is the memory
    that its text asked to keep, which is not injected again. The vector of a private text is not cached. A model that
    `may_look` is told no guesses."""

    text: str
    session_id: str
    first_round: bool
    visible_rounds: frozenset[int]
    prompt_tokens: int
    use_memory: bool = True
    remembered: Memory | None = None
    is_private: bool = False
    may_look: bool = False


class Looking(Struct):
    """One recall: the request, the query as the first source that searched prepared it, and the rules that sources add
    to the plan's."""

    request: RecallRequest
    plan: RecallPlan
    level: Level
    query: Query | None = None
    rules: tuple[str, ...] = ()

    def add(self, rules: Sequence[str]) -> None:
        """Each once, though several sources add it."""
        self.rules = tuple(dict.fromkeys((*self.rules, *rules)))

    async def prepared(self, search: MemorySearch) -> Query:
        if self.query is None:
            self.query = await search.prepare(self.request.text, cached=not self.request.is_private)
        return self.query


class Source(Protocol):
    """A kind of record that may stand before the model."""

    async def select(self, looking: Looking) -> Selection:
        """What this source chooses for the plan. Raises StorageError where it can't read."""
        ...


class MemorySource:
    """Long-term memories: pinned, relevant, standing and heaviest ones."""

    def __init__(
        self,
        search: MemorySearch,
        reranking: Reranking,
        memories: MemoryStore,
        settings: Settings,
    ) -> None:
        self._search = search
        self._reranking = reranking
        self._memories = memories
        self._settings = settings

    async def select(self, looking: Looking) -> Selection:
        plan, request = looking.plan, looking.request
        if looking.level >= Level.SHORT_TERM_ONLY:
            return EMPTY
        pinned = await self._page(pinned=True, limit=MAX_PINNED) if plan.pinned else []
        if not pinned and plan.is_pinned_only:
            return EMPTY
        heaviest = await self._page(limit=plan.heaviest_count) if plan.heaviest_count else []
        look = self._search.look_around if plan.is_asked else self._search.look
        looked = await look(request.text, cached=not request.is_private)
        looking.query = query = looked.query
        looking.add(looked.rules)
        found = await self._reranked(looking, looked.found, query)
        standing = await self._standing(plan) if plan.standing else []
        by_pin, by_kind, by_weight = (self._search.scored(each, found) for each in (pinned, standing, heaviest))
        return ranking.select_long(
            plan,
            await self._newer_first(plan, found, {each.memory.id for each in (*by_pin, *by_weight)}, query.embedding),
            pinned=by_pin,
            standing=by_kind,
            heaviest=by_weight,
            embedding=query.embedding,
        )

    async def _reranked(self, looking: Looking, found: list[Found], query: Query) -> list[Found]:
        """The memories found. Where more may take a slot than there are slots, a reranker says the order of these."""
        plan = looking.plan
        may_enter = [
            each for each in ranking.may_enter(plan, found, query.embedding) if not (plan.pinned and each.memory.pinned)
        ]
        if not 0 < plan.long_count < len(may_enter):
            return found
        reranked = await self._reranking.ordered(looking.request.text, may_enter, plan.long_count)
        looking.add(reranked.rules)
        place = {each.memory.id: each for each in reranked.found}
        return [place.get(each.memory.id, each) for each in found]

    async def _newer_first(
        self, plan: RecallPlan, found: Sequence[Found], shown: set[int], embedding: Embedding
    ) -> list[Found]:
        """Best first; of two that have a slot and are an open pair, the newer in the better place."""
        enter = {each.memory.id for each in ranking.may_enter(plan, found, embedding)} - shown
        ordered = ordering.by_score(found)
        ordered = ordering.spread(ordered, plan.long_count) if plan.spreads else ordered
        pairs = await self._memories.open_pairs(sorted(enter)) if len(enter) > 1 else set()
        return ordering.newer_first(ordered, enter, pairs, plan.long_count)

    async def _standing(self, plan: RecallPlan) -> Sequence[Memory]:
        others = False if plan.pinned else None  # pinned ones have slots of their own and are left out of this page
        page = await self._page(types=standing_rule.TYPES, pinned=others, limit=MAX_STANDING_READ)
        return standing_rule.standing(page, plan.long_count)

    async def _page(
        self, *, types: tuple[MemoryType, ...] = (), pinned: bool | None = None, limit: int
    ) -> Sequence[Memory]:
        criteria = status.criteria("live", self._settings.memory.long_term.core_threshold)
        query = MemoryQuery(criteria, types=types, sort=MemorySort.WEIGHT, pinned=pinned, limit=limit, counted=False)
        return (await self._memories.page(query)).memories


class SummarySource:
    """Short-term summaries of this session and of the latest others. They are found by words alone where vectors, or
    long-term memory, can not be read."""

    def __init__(
        self, search: MemorySearch, index: SearchIndex, levels: Levels, clock: Clock, settings: Settings
    ) -> None:
        self._search = search
        self._index = index
        self._levels = levels
        self._clock = clock
        self._settings = settings

    async def select(self, looking: Looking) -> Selection:
        if not looking.plan.short_count:
            return EMPTY
        try:
            return await self._near(looking, await looking.prepared(self._search))
        except StorageError:
            self._levels.long_term_failed()
        return await self._near(looking, self._search.words_alone(looking.request.text))

    async def _near(self, looking: Looking, query: Query) -> Selection:
        request = looking.request
        now = self._clock.now()
        ttl_days = self._settings.memory.short_term.ttl_days
        summaries = await self._index.short_term(request.session_id, now, ttl_days, SHORT_TERM_CANDIDATES)
        measured = await self._search.measured_summaries(query, {each.id: each.tokens for each in summaries})
        found = [
            FoundShort(
                summary=each,
                parts=fusion.score(
                    measured.relevance[each.id],
                    weight=0.0,
                    max_weight=1.0,
                    age_days=(now - each.created_at).total_seconds() / 86_400,
                ),
                evidence=measured.evidence[each.id],
                visible=each.session_id == request.session_id and each.round in request.visible_rounds,
            )
            for each in summaries
        ]
        return ranking.select_short(
            looking.plan,
            found,
            session_id=request.session_id,
            repeat_visible=self._settings.memory.inject.repeat_visible,
            embedding=query.embedding,
        )
