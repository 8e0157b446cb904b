"""The inbox of memories, episodes and knowledge together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn
from fakes.work import an_episode
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import EPISODE, KNOWLEDGE, SUMMARY, Ref, memory_ref
from orca_core.orca import Orca
from orca_core.rules.memory.said_again import CANDIDATE_SOURCE
from orca_core.store.protocols import Stores

DAY_S = 86_400.0
PHONE = fact("用户的电话是 13912345678", "我的电话是 13912345678")
E1, K1 = Ref(EPISODE, 1), Ref(KNOWLEDGE, 1)
OpenHome = Callable[[], object]


@pytest.fixture
def home(open_engine, clock: StillClock) -> OpenHome:
    """An engine in which knowledge, then an episode that it rests on, then a memory wait, a day between them."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[tuple[Orca, Stores]]:
        kept: list[Stores] = []
        agent = ScriptedModel(finds(PHONE))
        async with open_engine(agent=agent, behind=lambda stores: kept.append(stores) or stores) as engine:
            [stores] = kept
            now = clock.now()
            known = Knowledge(0, "k", "nginx", "nginx", "restart it", now, now, source_episodes=(1,))
            held = replace(known, state=State.CANDIDATE, held_because=CANDIDATE_SOURCE)
            await stores.records[KNOWLEDGE].add(held, OperationHeader(Actor.EXTRACTION, "consolidate", now))
            clock.advance(DAY_S)
            now = clock.now()
            episode = an_episode(state=State.CANDIDATE, held_because="not_typed", created_at=now, updated_at=now)
            await stores.records[EPISODE].add(episode, OperationHeader(Actor.EXTRACTION, "episodes", now))
            clock.advance(DAY_S)
            await turn(engine, "我的电话是 13912345678", session_id="s")
            await learn(engine)
            yield engine, stores

    return opened


async def test_all_that_waits_is_listed_the_oldest_first_and_counted(home, clock: StillClock) -> None:
    async with home() as (engine, _stores):
        listed = await engine.work.candidates.waits()

        assert [each.ref for each in listed] == [K1, E1, memory_ref(1)]
        assert [each.held_because for each in listed] == [CANDIDATE_SOURCE, "not_typed", "account_number"]
        assert [each.ref for each in await engine.work.candidates.waits(2)] == [K1, E1]
        waiting = await engine.inbox.waiting()
        assert (waiting.count, waiting.since) == (3, listed[0].since)
        assert listed[2].origin.quote == "我的电话是 13912345678"


async def test_what_waits_comes_page_by_page_in_the_same_order(home) -> None:
    async with home() as (engine, _stores):
        pages = [page async for page in engine.work.candidates.pages(2)]
        assert [[each.ref for each in page] for page in pages] == [[K1, E1], [memory_ref(1)]]


async def test_each_is_accepted_or_rejected_by_its_name(home) -> None:
    async with home() as (engine, stores):
        candidates = engine.work.candidates
        both = await candidates.accept([memory_ref(1), E1])
        [rejected] = await candidates.reject([K1])

        assert [[each.state for each in changed.records] for changed in both] == [[State.LIVE], [State.LIVE]]
        assert rejected.records[0].state is State.REJECTED
        assert await candidates.waits() == []
        await engine.history.undo(rejected.operation)
        assert (await stores.records[KNOWLEDGE].get([1]))[0].state is State.CANDIDATE


async def test_what_is_changed_while_pages_come_neither_ends_them_nor_comes_twice(home, clock: StillClock) -> None:
    async with home() as (engine, stores):
        clock.advance(DAY_S)
        candidates, refs = engine.work.candidates, []
        async for page in candidates.pages(1):
            refs += [each.ref for each in page]
            if refs == [K1]:
                edited = {"topic": "nginx again"}
                await stores.records[KNOWLEDGE].change(1, edited, OperationHeader(Actor.USER, "edit", clock.now()))
        assert refs == [K1, E1, memory_ref(1)]


async def test_one_that_was_changed_since_it_was_shown_is_refused(home) -> None:
    async with home() as (engine, _stores):
        with pytest.raises(InvalidInput):
            await engine.work.candidates.accept([E1], {E1: "another text"})
        [waits] = [each for each in await engine.work.candidates.waits() if each.ref == E1]
        await engine.work.candidates.accept([E1], {E1: waits.record.text})


@pytest.mark.parametrize(("ref", "error"), [(Ref(SUMMARY, 1), InvalidInput), (Ref(EPISODE, 99), NotFound)])
async def test_what_is_not_there_can_not_be_decided_about(home, ref: Ref, error: type[Exception]) -> None:
    async with home() as (engine, _stores):
        with pytest.raises(error):
            await engine.work.candidates.accept([ref])


async def test_knowledge_waits_for_its_episode_and_lives_when_its_time_comes(home, clock: StillClock) -> None:
    async with home() as (engine, stores):
        await engine.work.candidates.accept([E1])
        [knowledge, _memory] = await engine.work.candidates.waits()
        assert (knowledge.held_because, knowledge.held_now) == (CANDIDATE_SOURCE, None)

        clock.advance(100 * DAY_S)
        await engine.worker.tidy()

        [known] = await stores.records[KNOWLEDGE].get([1])
        assert (known.state, known.held_because) == (State.LIVE, None)
        expired = [op for op, _ in await engine.history.activity(9) if op.header.action == "expire"]
        assert len(expired) == 1
        assert (await engine.inbox.waiting()).count == 0
