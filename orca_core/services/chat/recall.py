"""Recall, before the model is asked: chooses memories by rules alone, and keeps the reasons for the receipt."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from orca_core.model.errors import StorageError
from orca_core.model.llm import Clock
from orca_core.model.recall import Injection, Item, Level, LookUp
from orca_core.model.records import Cause
from orca_core.prompts import render
from orca_core.rules.memory import causes
from orca_core.rules.retrieval.choosing import injection, looking_up, ranking
from orca_core.rules.retrieval.choosing.injection import RecallPlan
from orca_core.rules.retrieval.choosing.ranking import Selection
from orca_core.rules.retrieval.finding.floors import FLOORS, Floors
from orca_core.rules.retrieval.prompting import budget, rendering
from orca_core.rules.text import tokens
from orca_core.rules.text.languages import language_of
from orca_core.services.chat.sources import Looking, RecallRequest, Source
from orca_core.services.shared.failures import mistake
from orca_core.services.shared.levels import Levels
from orca_core.settings import Settings


class Recall:
    """Asks each source in order, fits their choices into one budget and writes the block. Those of them that are asked
    `always` have a place in turns that look for nothing, too; a query of the model goes to those that are `asked`."""

    def __init__(
        self,
        sources: Sequence[Source],
        levels: Levels,
        clock: Clock,
        settings: Settings,
        floors: Floors = FLOORS,
        always: Sequence[Source] = (),
        asked: Sequence[Source] = (),
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
        looking = Looking(request, self._plan(request, level), level)
        selection, failed = await self._select(looking, self._asked(looking))
        if request.use_memory:
            level, _ = await self._levels.current()
        rules = (*injection.rules_with(looking.plan, selection.chosen), *looking.rules)
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
        looking = Looking(replace(request, text=query), looking_up.PLAN, level)
        selection, failed = await self._select(looking, self._for_queries)
        failed = failed or (cause if level >= Level.SHORT_TERM_ONLY else None)
        if request.remembered is not None:
            selection = ranking.leave_out(selection, request.remembered, "remembered")
        header = self._header(request.text, f"looked_up.{language}")

        def cost_of_block(items: Sequence[Item]) -> int:
            return tokens.estimate(rendering.block(items, header))

        kept = budget.looked_up(looking_up.given(selection.chosen), room, cost_of_block)
        lookup = LookUp(query, kept, self._clock.monotonic() - started, failed)
        nothing = "lookup_failed" if failed else "looked_up_nothing"
        return lookup, rendering.block(kept, header) or render(f"{nothing}.{language}")

    def _plan(self, request: RecallRequest, level: Level) -> RecallPlan:
        return injection.plan(
            request.text,
            first_round=request.first_round,
            level=level,
            memory=self._settings.memory,
            floors=self._floors,
            may_look=request.may_look,
        )

    async def _select(self, looking: Looking, sources: Sequence[Source]) -> tuple[Selection, Cause | None]:
        """What each source chooses, and why a source could not be read, if so."""
        chosen: list[Item] = []
        dropped: list[Item] = []
        failed: Cause | None = None
        for source in sources:
            try:
                selection = await source.select(looking)
            except StorageError as error:
                self._levels.long_term_failed()
                failed = failed or causes.of_error(error)
            except Exception as error:  # noqa: BLE001  # what breaks in one source costs neither the others nor the answer
                failed = failed or causes.of_error(mistake(error))
            else:
                chosen += selection.chosen
                dropped += selection.dropped
        return Selection(tuple(chosen), tuple(dropped)), failed

    def _asked(self, looking: Looking) -> tuple[Source, ...]:
        if looking.plan.looks_at_anything:
            return self._sources
        return () if looking.level is Level.NONE else tuple(each for each in self._sources if each in self._always)

    def _fill(self, rules: tuple[str, ...], level: Level, selection: Selection, request: RecallRequest) -> Injection:
        header = self._header(request.text, f"memory_block.{language_of(request.text)}")

        def cost_of_block(items: Sequence[Item]) -> int:
            return tokens.estimate(rendering.block(items, header))

        limit = budget.budget_tokens(request.prompt_tokens, self._settings.memory.inject)
        filled = budget.fill(selection.chosen, limit, cost_of_block)
        block = rendering.block(filled.kept, header)
        over_budget = tuple(ranking.with_reason(item, "budget") for item in filled.over_budget)
        block_tokens = tokens.estimate(block)
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
