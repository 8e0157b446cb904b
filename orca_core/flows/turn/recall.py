"""Before the model is asked: which memories go in, by rules alone, and the receipt of why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from orca_core.domain.errors import StorageError
from orca_core.domain.memories import Memory, MemoryType
from orca_core.domain.ports import Clock
from orca_core.domain.queries import MemoryQuery, MemorySort
from orca_core.domain.recall import Injection, Item, Level
from orca_core.domain.stores import MemoryStore
from orca_core.domain.stores.index import SearchIndex
from orca_core.flows.shared.levels import Levels
from orca_core.flows.shared.search import MemorySearch, Query
from orca_core.prompts import render
from orca_core.rules.keeping import status
from orca_core.rules.recalling import budget, fusion, injection, ranking, rendering
from orca_core.rules.recalling.injection import RecallPlan
from orca_core.rules.recalling.ranking import FoundShort, Selection
from orca_core.rules.text import tokens
from orca_core.rules.text.languages import language_of
from orca_core.settings import Settings

STANDING_TYPES = (MemoryType.INSTRUCTION, MemoryType.PREFERENCE)
SHORT_TERM_CANDIDATES = 40
MAX_PINNED = 50
"""More pinned memories than a block can hold are not even read; the heaviest are."""
EMPTY = Selection((), ())


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What a turn knows before it recalls: `prompt_tokens` is the prompt without memory;
    `remembered` is what its text has just taught, which need not be told again. Of a private text nothing is cached."""

    text: str
    session_id: str
    first_round: bool
    visible_rounds: frozenset[int]
    prompt_tokens: int
    use_memory: bool = True
    remembered: Memory | None = None
    is_private: bool = False


class Recall:
    """Chooses what is put before the model and writes it as a block."""

    def __init__(
        self,
        search: MemorySearch,
        index: SearchIndex,
        memories: MemoryStore,
        levels: Levels,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._search = search
        self._index = index
        self._memories = memories
        self._levels = levels
        self._clock = clock
        self._settings = settings

    async def recall(self, request: RecallRequest) -> Injection:
        """The turn's injection. Never fails: what can't be looked up is said in `failed`."""
        started = self._clock.monotonic()
        level = (await self._levels.current())[0] if request.use_memory else Level.NONE
        plan = injection.plan(request.text, first_round=request.first_round, level=level, memory=self._settings.memory)
        selection, failed = await self._select(plan, level, request) if plan.looks_at_anything else (EMPTY, "")
        if request.use_memory:
            level, _ = await self._levels.current()
        if request.remembered is not None:
            plan = replace(plan, rules=(*plan.rules, "remembered"))
            selection = ranking.leave_out(selection, request.remembered, "remembered")
        injected = self._fill(plan, level, selection, request)
        return replace(injected, failed=failed, seconds=self._clock.monotonic() - started)

    async def _select(self, plan: RecallPlan, level: Level, request: RecallRequest) -> tuple[Selection, str]:
        """What is chosen, and why not everything could be looked at, if so."""
        long, short, failed = EMPTY, EMPTY, ""
        query: Query | None = None
        if level < Level.SHORT_TERM_ONLY:
            try:
                long, query = await self._select_long(plan, request)
            except StorageError as error:
                self._levels.long_term_failed()
                failed = str(error)
        if plan.short_count:
            short, why_not = await self._short_or_why_not(plan, query, request)
            failed = failed or why_not
        return Selection(long.chosen + short.chosen, long.dropped + short.dropped), failed

    async def _short_or_why_not(
        self, plan: RecallPlan, query: Query | None, request: RecallRequest
    ) -> tuple[Selection, str]:
        """The conversation is remembered by words alone where vectors, or long-term memory, can not be read."""
        try:
            query = query or await self._search.prepare(request.text, cached=not request.is_private)
            return await self._select_short(plan, query, request), ""
        except StorageError:
            self._levels.long_term_failed()
        try:
            return await self._select_short(plan, self._search.words_alone(request.text), request), ""
        except StorageError as error:
            return EMPTY, str(error)

    async def _select_long(self, plan: RecallPlan, request: RecallRequest) -> tuple[Selection, Query | None]:
        pinned = await self._page(pinned=True, limit=MAX_PINNED) if plan.pinned else []
        if not pinned and plan.is_pinned_only:
            return EMPTY, None
        heaviest = await self._page(limit=plan.heaviest_count) if plan.heaviest_count else []
        others = False if plan.pinned else None  # pinned ones have their own places: they take no row of this page
        standing = await self._page(types=STANDING_TYPES, pinned=others, limit=plan.long_count) if plan.standing else []
        found, query = await self._search.look(request.text, cached=not request.is_private)
        selection = ranking.select_long(
            plan,
            found,
            pinned=self._search.scored(pinned, query, found),
            standing=self._search.scored(standing, query, found),
            heaviest=self._search.scored(heaviest, query, found),
            embedding=query.embedding,
        )
        return selection, query

    async def _page(
        self, *, types: tuple[MemoryType, ...] = (), pinned: bool | None = None, limit: int
    ) -> Sequence[Memory]:
        criteria = status.criteria("live", self._settings.memory.long_term.core_threshold)
        query = MemoryQuery(criteria, types=types, sort=MemorySort.WEIGHT, pinned=pinned, limit=limit, counted=False)
        return (await self._memories.page(query)).memories

    async def _select_short(self, plan: RecallPlan, query: Query, request: RecallRequest) -> Selection:
        now = self._clock.now()
        ttl_days = self._settings.memory.short_term.ttl_days
        summaries = await self._index.short_term(request.session_id, now, ttl_days, SHORT_TERM_CANDIDATES)
        evidence = await self._search.short_term_evidence(query, {each.id: each.tokens for each in summaries})
        found = [
            FoundShort(
                summary=each,
                parts=fusion.score(
                    evidence[each.id],
                    query.embedding,
                    weight=0.0,
                    max_weight=1.0,
                    age_days=(now - each.created_at).total_seconds() / 86_400,
                ),
                evidence=evidence[each.id],
                visible=each.session_id == request.session_id and each.round in request.visible_rounds,
            )
            for each in summaries
        ]
        return ranking.select_short(
            plan,
            found,
            session_id=request.session_id,
            repeat_visible=self._settings.memory.inject.repeat_visible,
            embedding=query.embedding,
        )

    def _fill(self, plan: RecallPlan, level: Level, selection: Selection, request: RecallRequest) -> Injection:
        header = self._header(request.text)

        def cost_of_block(items: Sequence[Item]) -> int:
            return tokens.estimate(rendering.block(items, header))

        limit = budget.budget_tokens(request.prompt_tokens, self._settings.memory.inject)
        filled = budget.fill(selection.chosen, limit, cost_of_block)
        block = rendering.block(filled.kept, header)
        over_budget = tuple(ranking.with_reason(item, "budget") for item in filled.over_budget)
        block_tokens = tokens.estimate(block)
        return Injection(
            level=level,
            rules=plan.rules,
            injected=filled.kept,
            dropped=over_budget + selection.dropped,
            block=block,
            tokens=block_tokens,
            prompt_tokens=request.prompt_tokens + block_tokens,
        )

    def _header(self, text: str) -> str:
        language = language_of(text)
        header = render(f"memory_block.{language}")
        return f"{header}\n{render(f'cite.{language}')}" if self._settings.memory.references.cite else header
