"""Candidates that nobody decides about: they expire in the open, and nothing of it is for good."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, answers
from fakes.turns import turn

from orca_core.model.memories import State
from orca_core.model.operations import Actor
from orca_core.orca import Orca
from orca_core.settings import MemorySettings, Settings

DAY_S = 86_400.0
PHONE = fact("用户的电话是 13912345678", "我的电话是 13912345678")
WEAK = fact("用户喜欢骑自行车上班", "")
TYPED = fact("用户喜欢骑自行车上班", "我喜欢骑自行车上班")


async def held(engine: Orca, *said: str) -> None:
    """Say these, and learn from each."""
    for text in said:
        await turn(engine, text, session_id="s")
        await learn(engine)


async def states(engine: Orca, *ids: int) -> list[tuple[State, str | None]]:
    return [(each.state, each.held_because) for each in await engine.memories.get(ids)]


async def test_all_that_expires_at_once_is_one_operation_that_can_be_undone(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(PHONE), finds(WEAK), verifier=[answers(False)])) as engine:
        await held(engine, "我的电话是 13912345678", "今天天气不错")
        clock.advance(89 * DAY_S)
        await engine.worker.tidy()
        assert (await engine.inbox.waiting()).count == 2
        clock.advance(2 * DAY_S)
        await engine.worker.tidy()

        assert await engine.inbox.inbox() == []
        assert await states(engine, 1, 2) == [
            (State.REJECTED, "expired: account_number"),
            (State.REJECTED, "expired: not_said"),
        ]
        [(operation, changes), *_] = await engine.history.activity(9)
        assert (operation.header.actor, operation.header.action, len(changes)) == (Actor.CLEAN, "expire", 2)
        await engine.history.undo(operation.id)
        assert await states(engine, 1, 2) == [(State.CANDIDATE, "account_number"), (State.CANDIDATE, "not_said")]


async def test_an_expiry_that_was_taken_back_is_not_done_again_the_next_day(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(PHONE))) as engine:
        await held(engine, "我的电话是 13912345678")
        clock.advance(91 * DAY_S)
        await engine.worker.tidy()
        [(operation, _), *_] = await engine.history.activity(1)
        await engine.history.undo(operation.id)
    for days, count in ((1, 1), (88, 1), (2, 0)):
        clock.advance(days * DAY_S)
        async with open_engine() as engine:
            await engine.worker.tidy()
            assert (await engine.inbox.waiting()).count == count


async def test_what_was_confirmed_since_counts_from_then(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(PHONE), finds(WEAK), finds(PHONE))) as engine:
        await held(engine, "我的电话是 13912345678", "今天天气不错")
        clock.advance(60 * DAY_S)
        await held(engine, "我的电话是 13912345678")
        clock.advance(31 * DAY_S)
        await engine.worker.tidy()
        assert [memory.id for memory in await engine.inbox.inbox()] == [1]
        waiting = await engine.inbox.waiting()
        assert waiting.since is not None
        assert (clock.now() - waiting.since).days == 31


@pytest.mark.parametrize(("days", "left"), [(0, 1), (7, 0), (90, 1)])
async def test_how_long_they_wait_is_a_setting(open_engine, clock: StillClock, days: int, left: int) -> None:
    settings = Settings(memory=MemorySettings(inbox_expire=days))
    async with open_engine(agent=ScriptedModel(finds(PHONE)), settings=settings) as engine:
        await held(engine, "我的电话是 13912345678")
        clock.advance(8 * DAY_S)
        await engine.worker.tidy()
        assert (await engine.inbox.waiting()).count == left


async def test_they_expire_while_orca_runs_for_months(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(PHONE))) as engine:
        await held(engine, "我的电话是 13912345678")
        for day in range(1, 93):
            clock.advance(DAY_S)
            await engine.worker.tidy()
            assert (await engine.inbox.waiting()).count == (1 if day < 90 else 0), day
        assert [each.header.action for each, _ in await engine.history.activity(9)] == ["expire", "extract"]


@pytest.mark.parametrize(
    ("found", "said", "again", "state"),
    [
        (WEAK, "今天天气不错", TYPED, State.LIVE),
        (PHONE, "我的电话是 13912345678", PHONE, State.CANDIDATE),
    ],
)
async def test_what_expired_comes_back_when_it_is_typed_again(
    open_engine, clock: StillClock, found: dict[str, object], said: str, again: dict[str, object], state: State
) -> None:
    async with open_engine(agent=ScriptedModel(finds(found), finds(again))) as engine:
        await held(engine, said)
        clock.advance(91 * DAY_S)
        await engine.worker.tidy()
        await held(engine, str(again["quote"]))
        assert [each for each, _ in await states(engine, 1)] == [state]


async def test_reading_the_same_rounds_again_brings_nothing_back(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(PHONE))) as engine:
        await held(engine, "我的电话是 13912345678")
        clock.advance(91 * DAY_S)
        await engine.worker.tidy()
        [event] = [each async for each in engine.learning.facts.run_again("s") if each.state != "running"]
        assert [each.reason for each in event.learnt.dropped] == ["expired"]
        assert await states(engine, 1) == [(State.REJECTED, "expired: account_number")]
