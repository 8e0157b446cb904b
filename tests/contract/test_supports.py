"""What speaks for a memory, and what no longer does once rounds, sessions, acts or memories are gone; in any order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial

import pytest
from fakes.acts_read import SHORT, claimed, everything, finish, only, recorded, shown
from fakes.records import AT, begin, chat, header, later
from fakes.slices import SLICES, slices_of
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.feedback import Action, ActionState, ActionType
from orca_core.model.learning import Due, LearntFacts, Proposal, RunEnd
from orca_core.model.memories import ArchivedBecause, Decide, Memory, MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.record_types import ACTION
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import promotion, signals
from orca_core.rules.learning import resolve, transcripts
from orca_core.rules.learning.resolve import settle
from orca_core.rules.memory import memory_curation


async def extracted(stores: Stores, held: str | None, content: str = SHORT) -> LearntFacts:
    """What a run learns that reads the round just said."""
    await chat(stores)
    due = Due(now=AT, batch_size=1, idle_since=AT - timedelta(days=1))
    batch = await stores.learning.claim(due, transcripts.how_many_fit)
    rounds = tuple(each.number for each in batch.rounds)
    origin = Origin(OriginKind.EXTRACTION, "s", rounds, f"words {rounds}", "m")
    state = State.CANDIDATE if held else State.LIVE
    new = NewMemory(content, MemoryType.PREFERENCE, confidence=0.8, origin=origin, state=state, held_because=held)
    learnt = await stores.learning.finish_run(batch, [Proposal(new)], [], resolve.settle, RunEnd(later()))
    assert learnt is not None
    return learnt


async def kinds(stores: Stores, memory: int = 1) -> list[str]:
    return [each.kind.value for each in (await stores.feedback.supports_of([memory])).get(memory, ())]


async def liked(stores: Stores, number: int = 1, **fields: object) -> Memory:
    """The memory that a like of a round shows."""
    act = await recorded(stores, number=number, **fields)
    await finish(stores, await claimed(stores), shown(act))
    return (await everything(stores))[0]


@pytest.mark.parametrize(
    ("held", "speaks"),
    [("unread", True), ("not_said", True), ("not_typed", False), ("url", False), ("secret", False)],
)
async def test_a_round_speaks_for_what_lacks_proof_alone(stores, held: str, speaks: bool) -> None:
    await extracted(stores, held)
    assert await kinds(stores) == (["round"] if speaks else [])

    await liked(stores, 7)
    await extracted(stores, held)
    assert await kinds(stores) == (["round", "act", "round"] if speaks else ["act"])


@pytest.mark.parametrize("names_the_attempt", [True, False])
async def test_another_attempt_withdraws_the_acts_on_the_one_before(stores, names_the_attempt: bool) -> None:
    await chat(stores)
    [said] = await stores.sessions.rounds("s")
    memory = await liked(stores, **({"round_id": said.id} if names_the_attempt else {}))
    assert memory.state is State.CANDIDATE

    await begin(stores, replaces=1, at=later(5))

    memory = await only(stores)
    assert (memory.state, memory.archived_because) == (State.ARCHIVED, ArchivedBecause.WITHDRAWN)
    page = await stores.records[ACTION].page(RecordQuery())
    assert [each.state for each in page.records] == [ActionState.WITHDRAWN]
    assert await stores.feedback.standing("s", signals.MARKS) == []


async def left(stores: Stores, kind=ACTION) -> list[int]:
    return [each.id for each in (await stores.records[kind].page(RecordQuery())).records]


async def with_a_promoted_one(stores: Stores, numbers: Sequence[int] = (1, 2, 3)) -> Memory:
    for number in numbers:
        await chat(stores)
        await liked(stores, number)
    [memory] = await everything(stores)
    [ready] = await stores.feedback.pool()
    at = later(9)
    batch = await stores.feedback.claim_candidate(Due(at, 5, at), lambda pool, *_: ready.memory if pool else None)
    assert await stores.feedback.finish_candidate(batch, RunEnd(at), lives=True) is not None
    return memory


async def test_a_deleted_session_has_no_acts_and_they_speak_for_nothing(stores) -> None:
    await with_a_promoted_one(stores)
    await recorded(stores, "COLLECT_SESSION", session="t")

    await stores.sessions.delete("s", header("delete", later(10)))

    memory = await only(stores)
    assert (memory.state, memory.archived_because) == (State.ARCHIVED, ArchivedBecause.WITHDRAWN)
    [kept] = await stores.records[ACTION].get(await left(stores))
    assert kept.session_id == "t"
    assert await kinds(stores) == []


async def test_what_is_merged_by_hand_brings_its_supports(stores) -> None:
    await liked(stores, 1)
    act = await recorded(stores, number=2)
    await finish(stores, await claimed(stores), shown(act, content="The user likes tables"))

    merge = memory_curation.merge(1, content=None, max_weight=10)
    merged = await stores.memories.change_all([1, 2], header("merge", later(5)), merge)
    assert await kinds(stores, 1) == ["act", "act"]
    await stores.history.undo(merged.operation, later(6))
    assert (await kinds(stores, 1), await kinds(stores, 2)) == (["act"], ["act"])
    await stores.history.redo(None, later(7))
    await recorded(stores, "CANCEL_LIKE", 1)
    assert await kinds(stores, 1) == ["act"]


LIKES = 5
WHAT = (
    *("like",) * 6,
    *("cancel", "cancel", "dislike", "undo", "undo", "redo", "promote", "promote", "regenerate", "regenerate"),
    *("archive", "restore", "reject", "accept", "delete_act", "merge", "delete_session", "delete_memory"),
)
STEPS = st.lists(st.tuples(st.sampled_from(WHAT), st.integers(0, 9)), max_size=30)
CHOOSE = partial(promotion.best_ready, temperature=0.001, min_support=3)


class Story:
    """What is done to a store, one thing after the other; what can't be done changes nothing. Two memories are grown:
    by likes of even and of odd rounds. Each round was liked on a day of its own."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.minutes = 0
        self.readings: dict[int, tuple[int, int | None]] = {}
        """By act: the memory that it showed, and the operation of the run that read it."""
        self.read: set[int] = set()
        """Acts that a run has read, also where nothing came of it: what a person took back is not made again."""
        self.replaced: set[int] = set()

    @property
    def now(self):
        self.minutes += 1
        return AT + timedelta(days=30, minutes=self.minutes)

    async def record(self, word: str, which: int) -> int:
        number = which % LIKES
        at = AT + timedelta(days=number)
        act = signals.checked_act(Action(0, "", signals.action_type(word), f"s{number % 2}", at, round=number))
        return (await self.stores.feedback.record(act, header(word.lower(), self.now))).action.id

    async def like(self, which: int) -> None:
        act = await self.record("LIKE", which)
        if act not in self.read:
            batch = await claimed(self.stores)
            self.read.update(each.id for each in batch.actions)
            grown = await self.stores.feedback.finish_acts(
                batch,
                [shown(each.id, content=f"The user likes dish{(each.round or 0) % 2}") for each in batch.actions],
                (),
                settle,
                RunEnd(self.now),
            )
            for each in batch.actions:
                if grown.supported:
                    self.readings[each.id] = (grown.supported[0], grown.learnt.operation)

    async def cancel(self, which: int) -> None:
        await self.record("CANCEL_LIKE", which)

    async def dislike(self, which: int) -> None:
        await self.record("DISLIKE", which)
        await self.record("CANCEL_DISLIKE", which)  # nothing of it is to be read

    async def undo(self, which: int) -> None:
        there = [each for each in await self.stores.history.operations(40) if each.header.action != "delete"]
        if which < len(there):
            await self.stores.history.undo(there[which].id, self.now)

    async def redo(self, _which: int) -> None:
        await self.stores.history.redo(None, self.now)

    async def promote(self, _which: int) -> None:
        """What is ready goes live."""
        batch = await self.stores.feedback.claim_candidate(Due(self.now, 5, self.now), CHOOSE)
        if batch is not None:
            await self.stores.feedback.finish_candidate(batch, RunEnd(self.now), lives=True)

    async def regenerate(self, _which: int) -> None:
        for said in await self.stores.sessions.rounds("s1"):
            await begin(self.stores, "s1", replaces=said.number, at=self.now)
            self.replaced.add(said.id)

    async def archive(self, which: int) -> None:
        await self.decided("archive", which, memory_curation.each(memory_curation.archive))

    async def restore(self, which: int) -> None:
        await self.decided(
            "restore", which, memory_curation.each(partial(memory_curation.restore, archive_threshold=0.3))
        )

    async def reject(self, which: int) -> None:
        await self.decided("reject", which, memory_curation.each(memory_curation.reject))

    async def accept(self, which: int) -> None:
        for memory in (await everything(self.stores))[which % 2 :][:1]:
            await self.decided("accept", which, memory_curation.accept({memory.id: memory.content}))

    async def merge(self, _which: int) -> None:
        if len(memories := await everything(self.stores)) == 2:
            decide = memory_curation.merge(memories[0].id, content=None, max_weight=10)
            await self.stores.memories.change_all([each.id for each in memories], header("merge", self.now), decide)

    async def delete_act(self, which: int) -> None:
        there = await self.stores.records[ACTION].get(sorted(self.readings), missing_ok=True)
        if which < len(there):
            await self.stores.records[ACTION].delete([there[which].id], header("delete", self.now))

    async def delete_session(self, which: int) -> None:
        await self.stores.sessions.delete(f"s{which % 2}", header("delete", self.now))

    async def delete_memory(self, which: int) -> None:
        for memory in (await everything(self.stores))[which % 2 :][:1]:
            if which > 7:
                await self.stores.memories.delete([memory.id], header("delete", self.now))

    async def decided(self, action: str, which: int, decide: Decide) -> None:
        for memory in (await everything(self.stores))[which % 2 :][:1]:
            await self.stores.memories.change_all([memory.id], header(action, self.now), decide)

    async def speaking(self, memory: int) -> list[int]:
        """The acts that are there and stand, of those that were read for this memory by a run that stands."""
        there = await self.stores.records[ACTION].get(sorted(self.readings), missing_ok=True)
        undone = {each.id for each in await self.stores.history.operations(10_000) if each.undone_by is not None}
        read_for_it = {act for act, (shows, run) in self.readings.items() if shows == memory and run not in undone}
        return [each.id for each in there if each.stands and each.id in read_for_it]


async def check(story: Story, is_merged: bool) -> None:
    there = (await story.stores.records[ACTION].page(RecordQuery({"state": ("standing",)}))).records
    marks = [(each.session_id, each.round) for each in there if each.type in (ActionType.LIKE, ActionType.DISLIKE)]
    assert len(marks) == len(set(marks))
    assert not {each.round_id for each in there if each.type is ActionType.LIKE} & story.replaced
    found = await everything(story.stores)
    supports = await story.stores.feedback.supports_of([each.id for each in found])
    for memory in found:
        standing = supports.get(memory.id, ())
        if not is_merged:
            assert sorted(each.act or 0 for each in standing) == await story.speaking(memory.id)
        assert follows(memory, promotion.days_of(standing)), (memory, standing)


def follows(memory: Memory, on_days: int) -> bool:
    """The table of docs/feedback.md."""
    if memory.confirmed_by is not None:
        return True
    if memory.state is State.LIVE:
        return on_days >= 3
    if memory.state is State.CANDIDATE:
        return on_days > 0
    return memory.archived_because is not ArchivedBecause.WITHDRAWN or on_days == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@example([("like", 2), ("undo", 0), ("like", 4), ("like", 4)], 0)
@given(STEPS, SLICES)
def test_what_acts_have_grown_stands_as_they_say(engine, steps: list[tuple[str, int]], slices: int) -> None:
    async def tell() -> None:
        database = await engine()
        number = next(NUMBERS)
        stores, beside = database.scope(f"story {number}"), database.scope(f"beside {number}")
        other = Story(beside)
        await other.like(1)
        before = (await everything(beside), await beside.feedback.pool())
        for session in ("s0", "s1"):
            await chat(stores, session)
        story = Story(stores)
        is_merged = False
        try:
            for what, which in steps:
                is_merged = is_merged or what == "merge"
                with suppress(InvalidInput, NotFound):  # it can't be done now, and nothing was
                    await getattr(story, what)(which)
                await check(story, is_merged)
            assert (await everything(beside), await beside.feedback.pool()) == before
        finally:
            await stores.upkeep.aclose()
            await beside.upkeep.aclose()
            await database.aclose()

    with slices_of(slices):
        asyncio.run(tell())


NUMBERS = iter(range(10**9))
"""Each story has scopes of its own."""
