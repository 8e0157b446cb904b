"""What goes wrong in a turn is an event, and the turn goes on where it can."""

from __future__ import annotations

import asyncio

import pytest
from fakes.embedders import FailingEmbedder
from fakes.patience import PATIENCE_S
from fakes.scripted_model import ScriptedModel, hang, says
from fakes.turns import names, of, only, turn

from orca_core.clock import SystemClock
from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Delta, Failed, Injected, LevelChanged, Reply
from orca_core.model.llm import Finish, Span, TextDelta
from orca_core.model.recall import Level
from orca_core.model.sessions import RoundState, SessionById, TurnRequest
from orca_core.settings import LongTermSettings, MemorySettings, Settings

DOWN = ModelUnavailable(provider="scripted", detail="the server is down", hint="try again")


async def test_a_model_that_fails_before_its_first_word_leaves_a_failed_round(open_engine) -> None:
    async with open_engine(ScriptedModel([DOWN])) as engine:
        events = await turn(engine, "a question", session_id="s")
        _, [only_round] = await engine.sessions.show("s")

    assert names(events) == ["injected", "error", "done"]
    assert only(events, Failed).message == "scripted: the server is down"
    assert only(events, Failed).hint == "try again"
    assert (only_round.user, only_round.assistant, only_round.state) == ("a question", "", RoundState.FAILED)


async def test_a_model_that_fails_in_the_middle_leaves_its_words(open_engine) -> None:
    async with open_engine(ScriptedModel([TextDelta("The first half"), DOWN])) as engine:
        events = await turn(engine, "a question", session_id="s")
        _, [only_round] = await engine.sessions.show("s")

    assert only(events, Reply).finish is Finish.INTERRUPTED
    assert names(events)[-3:] == ["reply", "error", "done"]
    assert (only_round.assistant, only_round.state) == ("The first half", RoundState.INTERRUPTED)


async def test_a_stream_that_just_ends_is_interrupted(open_engine) -> None:
    async with open_engine(ScriptedModel([TextDelta("cut")])) as engine:
        events = await turn(engine, "a question", session_id="s")
        _, [only_round] = await engine.sessions.show("s")

    assert only(events, Reply).finish is Finish.INTERRUPTED
    assert only_round.state is RoundState.INTERRUPTED


@pytest.mark.parametrize("finish", [Finish.LENGTH, Finish.FILTERED])
async def test_an_answer_that_the_model_ended_is_done(open_engine, finish: Finish) -> None:
    async with open_engine(ScriptedModel(says("so far", finish=finish))) as engine:
        events = await turn(engine, "a question", session_id="s")
        _, [only_round] = await engine.sessions.show("s")

    assert only(events, Reply).finish is finish
    assert only_round.state is RoundState.DONE


async def test_a_message_longer_than_the_context_is_told_before_the_model_is_asked(open_engine) -> None:
    model = ScriptedModel(context_tokens=1000)
    async with open_engine(model) as engine:
        events = await turn(engine, "很长的问题，" * 2000, session_id="s")
        _, [only_round] = await engine.sessions.show("s")

    assert names(events) == ["error", "done"]
    assert model.requests == []
    assert only_round.state is RoundState.FAILED


async def test_old_rounds_give_way_to_the_context_and_the_receipt_says_so(open_engine) -> None:
    model = ScriptedModel(says("a long answer " * 60), context_tokens=2000)
    async with open_engine(model) as engine:
        for number in range(12):
            events = await turn(engine, f"question number {number} with some words in it")

    assert any(rule.startswith("history: ") for rule in only(events, Injected).injection.rules)
    assert len(model.last_prompt()) < 12
    assert model.last_prompt()[-1].endswith("question number 11 with some words in it")


async def test_an_embedder_that_is_down_makes_level_two_once_and_rises_again(open_engine, clock) -> None:
    embedder = FailingEmbedder()
    async with open_engine(ScriptedModel(says("ok")), embedder=embedder) as engine:
        await engine.memories.add("postgres 固定在 16，端口 5433", type_word="fact")
        await turn(engine, "你好，今天我们继续")
        fallen = await turn(engine, "docker 里的 postgres 连不上")
        again = await turn(engine, "docker 里的 postgres 还是连不上")
        embedder.fails = False
        clock.advance(120)
        risen = await turn(engine, "docker 里的 postgres 现在连上了吗")

    levels = [event for events in (fallen, again, risen) for event in of(events, LevelChanged)]
    assert levels[-1].level is Level.FULL
    assert [event.level for event in levels].count(Level.TEXT_ONLY) <= 1
    assert [str(item.ref) for item in only(again, Injected).injection.injected if item.is_citable] == ["m1"]


async def test_three_failures_leave_the_embedder_alone_for_a_while(open_engine, clock) -> None:
    embedder = FailingEmbedder()
    async with open_engine(ScriptedModel(says("ok")), embedder=embedder) as engine:
        for number in range(8):
            await turn(engine, f"docker 容器 {number} 启动报错")
            await asyncio.sleep(0)
        calls = embedder.calls
        await turn(engine, "docker 容器还是启动报错")

        assert embedder.calls == calls
        clock.advance(120)
        await turn(engine, "docker 容器最后还是启动报错")
        assert embedder.calls > calls


@pytest.mark.parametrize(
    ("memory", "level"),
    [
        (MemorySettings(enabled=False), Level.NONE),
        (MemorySettings(long_term=LongTermSettings(enabled=False)), Level.SHORT_TERM_ONLY),
    ],
)
async def test_a_level_set_by_configuration_is_said_once(open_engine, memory: MemorySettings, level: Level) -> None:
    async with open_engine(ScriptedModel(says("ok")), settings=Settings(memory=memory)) as engine:
        first = await turn(engine, "你好，今天我们继续")
        second = await turn(engine, "docker 容器启动报错")

    assert only(first, LevelChanged).level is level
    assert not of(second, LevelChanged)
    assert only(second, Injected).injection.level is level


async def test_a_long_silence_after_some_words_still_saves_them(open_engine, database) -> None:
    async with open_engine(ScriptedModel([TextDelta("saved meanwhile"), hang]), at=SystemClock()) as engine:
        seen = asyncio.Event()

        async def listen() -> None:
            async for event in engine.chat.turn(TurnRequest((Span("a question"),), SessionById("s", may_be_new=True))):
                if isinstance(event, Delta):
                    seen.set()

        listening = asyncio.create_task(listen())
        await seen.wait()
        _, [streaming] = await engine.sessions.show("s")
        async with asyncio.timeout(PATIENCE_S):
            while not streaming.assistant:
                _, [streaming] = await engine.sessions.show("s")
        listening.cancel()
        await asyncio.wait({listening})

    assert (streaming.assistant, streaming.state) == ("saved meanwhile", RoundState.STREAMING)
