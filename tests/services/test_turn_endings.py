"""Turns that are tried again, stopped, cancelled or kept off the record."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from fakes.patience import PATIENCE_S
from fakes.scripted_model import ScriptedModel, hang, says
from fakes.turns import names, of, only, turn

from orca_core.model.errors import InvalidInput, ModelUnavailable
from orca_core.model.events import (
    Delta,
    Done,
    Injected,
    Reasoning,
    Remembered,
    Reply,
)
from orca_core.model.llm import (
    ChatRequest,
    Completed,
    Finish,
    ModelEvent,
    ReasoningDelta,
    Span,
    TextDelta,
    Usage,
)
from orca_core.model.sessions import RoundState, SessionById, TurnRequest
from orca_core.model.views import ListQuery

TECHNICAL = "docker 里的 postgres 连不上，和上次一样吗？"


async def test_reasoning_is_told_apart_and_never_sent_back(open_engine) -> None:
    thinking = [ReasoningDelta("hmm, secret"), TextDelta("42"), Completed(Finish.STOP, Usage(10, 2))]
    async with open_engine(model := ScriptedModel(thinking)) as engine:
        events = await turn(engine, "what is six times seven?")
        await turn(engine, "are you sure?")

    assert only(events, Reasoning).text == "hmm, secret"
    assert only(events, Reply).usage == Usage(10, 2)
    assert not any("secret" in text for text in model.last_prompt())


async def test_regenerating_takes_back_what_the_replaced_attempt_did(open_engine) -> None:
    answers = says("ok"), says("端口是 5433 [m1]"), says("我不确定你在说什么")
    async with open_engine(model := ScriptedModel(*answers)) as engine:
        await engine.memories.add("postgres 固定在 16，端口 5433", type_word="fact")
        await turn(engine, "你好，今天我们继续")
        session_id = only(await turn(engine, TECHNICAL), Done).session_id
        events = await turn(engine, TECHNICAL, replaces=2)
        [memory] = await engine.memories.get([1])
        _, rounds = await engine.sessions.show(session_id)

    assert names(events)[0] == "weight"
    assert (memory.weight, memory.used, memory.access_count) == (0.7, 0, 1)
    assert [(each.number, each.attempt, each.assistant) for each in rounds] == [
        (1, 1, "ok"),
        (2, 2, "我不确定你在说什么"),
    ]
    assert not any("5433 [m1]" in text or text == "端口是 5433" for text in model.last_prompt())


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
async def test_there_must_be_something_to_send(open_engine, text: str) -> None:
    async with open_engine() as engine:
        with pytest.raises(InvalidInput):
            await turn(engine, text)


async def test_stop_keeps_what_came_and_moves_nothing(open_engine) -> None:
    model = ScriptedModel(says("ok"), [TextDelta("端口是 5433，"), hang])
    async with open_engine(model) as engine:
        await engine.memories.add("postgres 固定在 16，端口 5433", type_word="fact")
        await turn(engine, "你好，今天我们继续")
        stop = asyncio.Event()
        events = []
        async for event in engine.chat.turn(TurnRequest((Span(TECHNICAL),), SessionById("s")), stop):
            events.append(event)
            if isinstance(event, Delta):
                stop.set()
        _, rounds = await engine.sessions.show(only(events, Done).session_id)
        [memory] = await engine.memories.get([1])

    assert names(events)[-2:] == ["reply", "done"]
    assert only(events, Reply).finish is Finish.INTERRUPTED
    assert (rounds[-1].assistant, rounds[-1].state) == ("端口是 5433，", RoundState.INTERRUPTED)
    assert memory.weight == 1.0
    assert model.closed_streams == 2


async def test_a_cancelled_turn_keeps_what_came(open_engine) -> None:
    async with open_engine(ScriptedModel([TextDelta("half an ans"), hang])) as engine:
        seen = asyncio.Event()

        async def listen() -> None:
            async for event in engine.chat.turn(TurnRequest((Span("a question"),), SessionById("s", may_be_new=True))):
                if isinstance(event, Delta):
                    seen.set()

        listening = asyncio.create_task(listen())
        await seen.wait()
        listening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await listening
        _, [only_round] = await engine.sessions.show("s")

    assert (only_round.assistant, only_round.state) == ("half an ans", RoundState.INTERRUPTED)


async def test_without_memory_a_turn_recalls_and_keeps_nothing(open_engine) -> None:
    async with open_engine(ScriptedModel(says("ok"))) as engine:
        await engine.memories.add("postgres 固定在 16，端口 5433", pinned=True)
        await turn(engine, "你好，今天我们继续", use_memory=False)
        events = await turn(engine, "记住：我用 emacs", use_memory=False)

        assert only(events, Injected).injection.rules == ("disabled",)
        assert not of(events, Remembered)
        assert (await engine.memories.page(ListQuery("all"))).total == 1


async def test_a_listener_that_leaves_while_the_round_is_recorded_does_not_undo_it(open_engine) -> None:
    async with open_engine(ScriptedModel(says("a whole answer"))) as engine:
        replied = asyncio.Event()

        async def listen() -> None:
            async for event in engine.chat.turn(TurnRequest((Span("a question"),), SessionById("s", may_be_new=True))):
                if isinstance(event, Reply):
                    replied.set()

        listening = asyncio.create_task(listen())
        await replied.wait()
        for _ in range(2):
            await asyncio.sleep(0)
        listening.cancel()
        await asyncio.wait({listening})
        _, [only_round] = await engine.sessions.show("s")
        async with asyncio.timeout(PATIENCE_S):  # nobody waits for the record any more: it is finished all the same
            while not only_round.assistant:
                _, [only_round] = await engine.sessions.show("s")

    assert only_round.assistant == "a whole answer"
    assert only_round.state in (RoundState.DONE, RoundState.INTERRUPTED)


class HeldBack(ScriptedModel):
    """Sends what may become a citation, then falls silent; complains, or takes its time, when it is cut."""

    def __init__(self, *, complains: bool = False, dawdles: asyncio.Event | None = None) -> None:
        super().__init__()
        self._complains = complains
        self._dawdles = dawdles

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        yield TextDelta("see [m")
        yield TextDelta("emory and [m")
        try:
            await hang()
        except asyncio.CancelledError:
            if self._dawdles is not None:
                await self._dawdles.wait()
            if self._complains:
                raise ModelUnavailable(provider="scripted", detail="cut") from None
            raise


async def test_a_model_that_complains_when_it_is_stopped_leaves_an_answer_and_nothing_lying(open_engine) -> None:
    async with open_engine(HeldBack(complains=True)) as engine:
        stop, events = asyncio.Event(), []
        request = TurnRequest((Span("a question"),), SessionById("s", may_be_new=True))
        async for event in engine.chat.turn(request, stop):
            events.append(event)
            if isinstance(event, Delta) and "and" in event.text:
                asyncio.get_running_loop().call_soon(stop.set)

    assert names(events)[-3:] == ["delta", "reply", "done"]
    assert only(events, Reply).finish is Finish.INTERRUPTED


async def test_who_cancels_a_turn_twice_cancels_it(open_engine) -> None:
    """Ctrl+C, and again, while the connection takes its time to close."""

    closing = asyncio.Event()
    async with open_engine(HeldBack(complains=True, dawdles=closing)) as engine:
        seen = asyncio.Event()

        async def listen() -> None:
            request = TurnRequest((Span("a question"),), SessionById("s", may_be_new=True))
            async for event in engine.chat.turn(request):
                if isinstance(event, Delta) and "and" in event.text:
                    asyncio.get_running_loop().call_soon(seen.set)

        listening = asyncio.create_task(listen())
        await seen.wait()
        for _ in range(2):
            listening.cancel()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await listening
        closing.set()
        await engine.saves.drain()
        _, [only_round] = await engine.sessions.show("s")

    assert (only_round.assistant, only_round.state) == ("see [memory and [m", RoundState.INTERRUPTED)
