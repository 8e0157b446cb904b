"""After any sequence of moves, endings, undos and redos one value of a slot lives, or none; the real rules decide."""

from __future__ import annotations

from itertools import count

from fakes.records import AT, chat, later
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.learning import Due, Learnt, Proposal, RunEnd
from orca_core.model.memories import NewMemory, Origin, OriginKind, State
from orca_core.model.views import MemoryQuery
from orca_core.operations.stores import Stores
from orca_core.rules.learning import fact_extraction
from orca_core.rules.learning.resolve import settle
from orca_core.rules.memory import memory_curation, undo_rules

CITIES = ("Rome", "Bern", "Oslo")
SCOPES = count()


def lives_in(city: str) -> str:
    return f"User lives in {city}"


class Slot:
    """Where a user lives, as runs tell it, and hands take it back."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._before: list[tuple[int, list[str]]] = []
        self._undone: list[tuple[int, int, list[str], list[str]]] = []
        self._has_undone = False

    async def live(self) -> list[str]:
        page = await self._stores.memories.page(MemoryQuery(memory_curation.criteria("live", 5.0)))
        return [memory.content for memory in page.memories]

    async def move(self, city: str) -> None:
        """Whatever lived gives way, unless a hand has its say in it, or has taken the new one back."""
        before = await self.live()
        learnt = await self._learn(lives_in(city), f"I moved to {city}")
        assert await self.live() == ([lives_in(city)] if learnt.stored else before)
        if not learnt.stored and before != [lives_in(city)]:
            self._check_a_hand_stood_in_its_way(learnt)
        self._note(learnt, before)

    async def leave(self) -> None:
        """That it is no longer so takes the place of what lives."""
        before = await self.live()
        if not before or "no longer" in before[0]:
            return
        left = f"User no longer lives in {before[0].split()[-1]}"
        learnt = await self._learn(left, f"I left {before[0].split()[-1]}")
        assert await self.live() == ([left] if learnt.stored else before)
        if not learnt.stored:
            self._check_a_hand_stood_in_its_way(learnt)
        self._note(learnt, before)

    def _check_a_hand_stood_in_its_way(self, learnt: Learnt) -> None:
        assert self._has_undone
        assert {each.memory.held_because for each in learnt.candidates} <= {"kept_by_hand"}
        assert {each.reason for each in learnt.dropped} <= {"archived: undone"}
        assert learnt.replaced == ()

    async def undo(self) -> None:
        """The last step that stands is taken back, whole."""
        if self._before:
            operation, before = self._before.pop()
            now = await self.live()
            taken = await self._stores.history.undo(operation, later(), undo_rules.plan)
            assert await self.live() == before
            self._undone.append((taken.operation, operation, before, now))
            self._has_undone = True

    async def redo(self) -> None:
        if self._undone:
            taken, operation, before, after = self._undone.pop()
            await self._stores.history.redo(taken, later(), undo_rules.plan)
            assert await self.live() == after
            self._before.append((operation, before))

    def _note(self, learnt: Learnt, before: list[str]) -> None:
        if learnt.operation is not None:
            self._before.append((learnt.operation, before))
            self._undone.clear()

    async def _learn(self, content: str, quote: str) -> Learnt:
        await chat(self._stores)
        batch = await self._stores.learning.claim(Due(AT, 1, AT, everything=True), fact_extraction.how_many_fit)
        assert batch is not None
        rounds = tuple(each.number for each in batch.rounds)
        new = NewMemory(content, origin=Origin(OriginKind.EXTRACTION, "s", rounds, quote), state=State.LIVE)
        known = await self._stores.memories.page(MemoryQuery(memory_curation.criteria("all", 5.0)))
        nominated = tuple(memory.id for memory in known.memories)
        lives = next((memory.id for memory in known.memories if memory.state is State.LIVE), None)
        proposal = Proposal(new, nominated, replaces=lives)
        learnt = await self._stores.learning.finish_run(batch, [proposal], [], settle, RunEnd(later()))
        assert learnt is not None
        return learnt


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*CITIES, "leave", "undo", "redo"]), max_size=9))
def test_one_value_of_a_slot_lives(run, opened, steps: list[str]) -> None:
    async def scenario() -> None:
        async with opened(f"scope{next(SCOPES)}") as stores:
            slot = Slot(stores)
            for step in steps:
                await (slot.move(step) if step in CITIES else getattr(slot, step)())
                assert len(await slot.live()) <= 1

    run(scenario())
