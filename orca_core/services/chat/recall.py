"""Recall, before the model is asked: each kind of record is a source, rules choose among what the sources find, and the
reasons are kept for the receipt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, Protocol

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.episodes import EPISODES
from orca_core.model.errors import StorageError
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.llm import Clock
from orca_core.model.memories import Memory, MemoryType
from orca_core.model.recall import Injection, Item, Level, LookUp, ScoreParts
from orca_core.model.record_types import TASK, Cause, R, RecordType, Ref
from orca_core.model.tasks import Step, Task
from orca_core.model.tools import GUIDES, Guide, ToolFigures
from orca_core.model.views import MemoryQuery, MemorySort, RecordView
from orca_core.operations.memories import MemoryStore
from orca_core.operations.stores import Search
from orca_core.operations.tasks import TaskStore
from orca_core.prompts import render
from orca_core.rules.memory import memory_curation
from orca_core.rules.memory.causes import cause_of_error
from orca_core.rules.retrieval import prompt_assembly, ranking, recall_plan, score_fusion
from orca_core.rules.retrieval.match_evidence import EmbedderWorth
from orca_core.rules.retrieval.ranking import OVER_LIMIT, FoundMemory, FoundRecord, FoundSummary, ItemSelection
from orca_core.rules.retrieval.recall_plan import RecallPlan
from orca_core.rules.retrieval.relevance_floors import FLOORS, Floor, Floors
from orca_core.rules.retrieval.score_fusion import MeasuredCandidates
from orca_core.rules.text import token_count
from orca_core.rules.text.spelling import language_of
from orca_core.rules.work.prompt_texts import SHARE, current_task_text, episode_line, knowledge_line
from orca_core.rules.work.tool_guides import guide_line
from orca_core.services.shared.degradation import Levels, mistake
from orca_core.services.shared.search import MemorySearch, Query, Reranking
from orca_core.services.tools import MOST, NamedTools
from orca_core.settings import InjectSettings, Settings

SHORT_TERM_CANDIDATES = 40
"""Chosen by hand."""
MAX_STANDING_READ = 50
"""Only of the heaviest so many instructions and preferences the standing ones are chosen. Chosen by hand."""
MAX_PINNED = 50
"""Only the heaviest so many pinned memories are read: a block holds no more. Chosen by hand."""
EMPTY = ItemSelection((), ())


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


class RecallRun(Struct):
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


class RecallSource(Protocol):
    """A kind of record that may stand before the model."""

    async def select(self, looking: RecallRun) -> ItemSelection:
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

    async def select(self, looking: RecallRun) -> ItemSelection:
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

    async def _reranked(self, looking: RecallRun, found: list[FoundMemory], query: Query) -> list[FoundMemory]:
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
        self, plan: RecallPlan, found: Sequence[FoundMemory], shown: set[int], embedding: EmbedderWorth
    ) -> list[FoundMemory]:
        """Best first; of two that have a slot and are an open pair, the newer in the better place."""
        enter = {each.memory.id for each in ranking.may_enter(plan, found, embedding)} - shown
        ordered = ranking.best_first(found)
        pairs = await self._memories.open_pairs(sorted(enter)) if len(enter) > 1 else set()
        return ranking.newer_first(ordered, enter, pairs, plan.long_count)

    async def _standing(self, plan: RecallPlan) -> Sequence[Memory]:
        others = False if plan.pinned else None  # pinned ones have slots of their own and are left out of this page
        page = await self._page(types=ranking.TYPES, pinned=others, limit=MAX_STANDING_READ)
        return ranking.standing_memories(page, plan.long_count)

    async def _page(
        self, *, types: tuple[MemoryType, ...] = (), pinned: bool | None = None, limit: int
    ) -> Sequence[Memory]:
        criteria = memory_curation.criteria("live", self._settings.memory.long_term.core_threshold)
        query = MemoryQuery(criteria, types=types, sort=MemorySort.WEIGHT, pinned=pinned, limit=limit, counted=False)
        return (await self._memories.page(query)).records


class SummarySource:
    """Short-term summaries of this session and of the latest others. They are found by words alone where vectors, or
    long-term memory, can not be read."""

    def __init__(self, search: MemorySearch, index: Search, levels: Levels, clock: Clock, settings: Settings) -> None:
        self._search = search
        self._index = index
        self._levels = levels
        self._clock = clock
        self._settings = settings

    async def select(self, looking: RecallRun) -> ItemSelection:
        if not looking.plan.short_count:
            return EMPTY
        try:
            return await self._near(looking, await looking.prepared(self._search))
        except StorageError:
            self._levels.long_term_failed()
        return await self._near(looking, self._search.words_alone(looking.request.text))

    async def _near(self, looking: RecallRun, query: Query) -> ItemSelection:
        request = looking.request
        now = self._clock.now()
        ttl_days = self._settings.memory.short_term.ttl_days
        summaries = await self._index.short_term(request.session_id, now, ttl_days, SHORT_TERM_CANDIDATES)
        measured = await self._search.measured_summaries(query, {each.id: each.tokens for each in summaries})
        found = [
            FoundSummary(
                summary=each,
                parts=score_fusion.score_parts(
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


class RecordSlots(Struct, frozen=True):
    """How many records of a kind a plan gives a turn, and how near they must be."""

    count: Callable[[RecallPlan], int]
    floor: Callable[[RecallPlan], Floor]


AS_MEMORIES = RecordSlots(lambda plan: plan.long_count, lambda plan: plan.floor)
"""As many, and as near, as long-term memories of the same turn."""


class RecordSource(Generic[R]):
    """Records of one kind above the floor, up to their slots, best first. `line` is what the model is shown of one,
    where that is not the text that it was found by."""

    def __init__(
        self,
        record_type: RecordType[R],
        search: MemorySearch,
        clock: Clock,
        slots: RecordSlots = AS_MEMORIES,
        line: Callable[[R], str] | None = None,
    ) -> None:
        self._type = record_type
        self._search = search
        self._clock = clock
        self._slots = slots
        self._line = line or record_type.text

    async def select(self, looking: RecallRun) -> ItemSelection:
        plan = looking.plan
        count = self._slots.count(plan)
        if not count or looking.level >= Level.SHORT_TERM_ONLY:
            return EMPTY
        query = await looking.prepared(self._search)
        records, measured = await self._search.records(query, self._type)
        found = [self._found(record, measured) for record in records]
        return ranking.select_records(found, count, plan.reason, query.embedding, self._slots.floor(plan))

    def _found(self, record: R, measured: MeasuredCandidates) -> FoundRecord:
        ref = self._type.ref(record)
        made_at = self._type.made_at(record)
        age_days = 0.0 if made_at is None else (self._clock.now() - made_at).total_seconds() / 86_400
        return FoundRecord(
            ref=ref,
            text=self._line(record),
            made_at=made_at,
            parts=score_fusion.score_parts(measured.relevance[ref.id], weight=0.0, max_weight=1.0, age_days=age_days),
            evidence=measured.evidence[ref.id],
        )


GUIDE_REASON = "tool"


class GuideSource:
    """One line of each. Those beyond the limit stand in the receipt. `tasks` is None where none are kept."""

    def __init__(self, named: NamedTools, tasks: TaskStore | None) -> None:
        self._named = named
        self._tasks = tasks

    async def select(self, looking: RecallRun) -> ItemSelection:
        request = looking.request
        if looking.level >= Level.SHORT_TERM_ONLY:
            return EMPTY
        found = await self._named.guides_for(request.text, await self._steps(request.session_id))
        return ItemSelection(
            tuple(_guide_item(guide, figures, GUIDE_REASON) for guide, figures in found[:MOST]),
            tuple(_guide_item(guide, figures, OVER_LIMIT) for guide, figures in found[MOST:]),
        )

    async def _steps(self, session_id: str) -> Sequence[Step]:
        current = None if self._tasks is None else await self._tasks.current(session_id, with_results=False)
        return () if current is None else current.steps


def _guide_item(guide: Guide, figures: ToolFigures, reason: str) -> Item:
    """A person named it: no score brought it."""
    line = guide_line(guide, figures)
    return Item(GUIDES.ref(guide), line, ScoreParts(), reason, GUIDES.kind.name, GUIDES.made_at(guide))


TASK_REASON = "task"


class TaskSource:
    """What is being worked on, in at most its share of the budget."""

    def __init__(self, tasks: TaskStore, inject: InjectSettings) -> None:
        self._tasks = tasks
        self._inject = inject

    async def select(self, looking: RecallRun) -> ItemSelection:
        request = looking.request
        found = await self._tasks.current(request.session_id, with_results=False)
        if found is None:
            return EMPTY
        limit = int(prompt_assembly.budget_tokens(request.prompt_tokens, self._inject) * SHARE)
        text = current_task_text(found, limit, lambda text: _block_tokens(found.task, text))
        return ItemSelection((_task_item(found.task, text),), ()) if text else EMPTY


def _block_tokens(task: Task, text: str) -> int:
    return token_count.estimate(prompt_assembly.memory_block([_task_item(task, text)], ""))


def _task_item(task: Task, text: str) -> Item:
    """Context only: no answer cites it, and its use is not judged."""
    return Item(Ref(TASK, task.id), text, ScoreParts(), TASK_REASON, created_at=task.started_at)


MakeSource = Callable[[RecordType[Any], MemorySearch, Clock], RecallSource]


class KindOfRecord(Struct, Generic[R], frozen=True):
    """Hand its `type` to the database and all of it to `compose`: records of this kind are then found, injected,
    cited, shown in receipts, changed and undone. Memories and summaries are built in."""

    type: RecordType[R]
    view: RecordView[R]
    source: MakeSource = RecordSource


def _fields(record_type: RecordType[Any]) -> Callable[[Any], dict[str, Any]]:
    """All of a record, by the names of its columns."""
    return lambda record: record_type.plain(record, record_type.names)


def _record_source(count: Callable[[RecallPlan], int], line: Callable[[R], str]) -> MakeSource:
    return partial(RecordSource, slots=RecordSlots(count, lambda plan: plan.work_floor), line=line)


KINDS: tuple[KindOfRecord[Any], ...] = (
    KindOfRecord(
        KNOWLEDGES,
        RecordView(_fields(KNOWLEDGES), knowledge_line),
        _record_source(lambda plan: plan.knowledge_count, knowledge_line),
    ),
    KindOfRecord(
        EPISODES,
        RecordView(_fields(EPISODES), episode_line),
        _record_source(lambda plan: plan.episode_count, episode_line),
    ),
)
"""The kinds that Orca itself knows beside memories and summaries, in the order in which the budget is filled."""


class Recall:
    """Asks each source in order, fits their choices into one budget and writes the block. Those of them that are asked
    `always` have a place in turns that look for nothing, too; a query of the model goes to those that are `asked`."""

    def __init__(
        self,
        sources: Sequence[RecallSource],
        levels: Levels,
        clock: Clock,
        settings: Settings,
        floors: Floors = FLOORS,
        always: Sequence[RecallSource] = (),
        asked: Sequence[RecallSource] = (),
    ) -> None:
        self._sources = tuple(sources)
        self._always = tuple(always)
        self._for_queries = tuple(asked)
        self._levels = levels
        self._clock = clock
        self._settings = settings
        self._floors = floors

    def under(self, floors: Floors) -> Recall:
        """The same with other floors, for who compares them."""
        return Recall(self._sources, self._levels, self._clock, self._settings, floors, self._always, self._for_queries)

    async def recall(self, request: RecallRequest) -> Injection:
        """The turn's injection. Never raises: `failed` says what could not be read."""
        started = self._clock.monotonic()
        level = (await self._levels.current())[0] if request.use_memory else Level.NONE
        looking = RecallRun(request, self._plan(request, level), level)
        selection, failed = await self._select(looking, self._asked(looking))
        if request.use_memory:
            level, _ = await self._levels.current()
        rules = (*recall_plan.rules_with(looking.plan, selection.chosen), *looking.rules)
        if request.remembered is not None:
            rules = (*rules, "remembered")
            selection = ranking.leave_out(selection, request.remembered, "remembered")
        injected = self._fill(rules, level, selection, request)
        seconds = self._clock.monotonic() - started
        return replace(injected, failed=failed, seconds=seconds, may_look=request.may_look)

    async def look_up(self, query: str, request: RecallRequest, room: int) -> tuple[LookUp, str]:
        """What the model's query finds, and the text that tells the model, of at most `room` tokens where anything is
        found. Never raises: `failed` says why nothing could be read."""
        started = self._clock.monotonic()
        language = language_of(request.text)
        level, cause = await self._levels.current()
        looking = RecallRun(replace(request, text=query), ranking.PLAN, level)
        selection, failed = await self._select(looking, self._for_queries)
        failed = failed or (cause if level >= Level.SHORT_TERM_ONLY else None)
        if request.remembered is not None:
            selection = ranking.leave_out(selection, request.remembered, "remembered")
        header = self._header(request.text, f"looked_up.{language}")

        def cost_of_block(items: Sequence[Item]) -> int:
            return token_count.estimate(prompt_assembly.memory_block(items, header))

        kept = prompt_assembly.fit_looked_up(ranking.lookup_items(selection.chosen), room, cost_of_block)
        lookup = LookUp(query, kept, self._clock.monotonic() - started, failed)
        nothing = "lookup_failed" if failed else "looked_up_nothing"
        return lookup, prompt_assembly.memory_block(kept, header) or render(f"{nothing}.{language}")

    def _plan(self, request: RecallRequest, level: Level) -> RecallPlan:
        return recall_plan.plan_recall(
            request.text,
            first_round=request.first_round,
            level=level,
            memory=self._settings.memory,
            floors=self._floors,
            may_look=request.may_look,
        )

    async def _select(self, looking: RecallRun, sources: Sequence[RecallSource]) -> tuple[ItemSelection, Cause | None]:
        """What each source chooses, and why a source could not be read, if so."""
        chosen: list[Item] = []
        dropped: list[Item] = []
        failed: Cause | None = None
        for source in sources:
            try:
                selection = await source.select(looking)
            except StorageError as error:
                self._levels.long_term_failed()
                failed = failed or cause_of_error(error)
            except Exception as error:  # noqa: BLE001  # what breaks in one source costs neither the others nor the answer
                failed = failed or cause_of_error(mistake(error))
            else:
                chosen += selection.chosen
                dropped += selection.dropped
        return ItemSelection(tuple(chosen), tuple(dropped)), failed

    def _asked(self, looking: RecallRun) -> tuple[RecallSource, ...]:
        if looking.plan.looks_at_anything:
            return self._sources
        return () if looking.level is Level.NONE else tuple(each for each in self._sources if each in self._always)

    def _fill(
        self, rules: tuple[str, ...], level: Level, selection: ItemSelection, request: RecallRequest
    ) -> Injection:
        header = self._header(request.text, f"memory_block.{language_of(request.text)}")

        def cost_of_block(items: Sequence[Item]) -> int:
            return token_count.estimate(prompt_assembly.memory_block(items, header))

        limit = prompt_assembly.budget_tokens(request.prompt_tokens, self._settings.memory.inject)
        filled = prompt_assembly.fill_budget(selection.chosen, limit, cost_of_block)
        block = prompt_assembly.memory_block(filled.kept, header)
        over_budget = tuple(ranking.with_reason(item, "budget") for item in filled.over_budget)
        block_tokens = token_count.estimate(block)
        return Injection(
            level=level,
            rules=rules,
            injected=filled.kept,
            dropped=over_budget + selection.dropped,
            block=block,
            tokens=block_tokens,
            prompt_tokens=request.prompt_tokens + block_tokens,
        )

    def _header(self, text: str, name: str) -> str:
        """The text of this name, and how to cite what stands below it, in the language of `text`."""
        header = render(name)
        return f"{header}\n{render(f'cite.{language_of(text)}')}" if self._settings.memory.references.cite else header
