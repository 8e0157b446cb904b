"""A model that looks up what is remembered, in the turn: what it is offered, what it gets, and what is kept of it."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta

import apsw
import pytest
from fakes.scripted_model import ScriptedModel, Step, says
from fakes.turns import names, of, only, turn

from orca_core.model.errors import ModelRejected, ModelUnavailable
from orca_core.model.events import Delta, Done, Failed, Injected, LookedUp, LookingUp, Referenced, Reply, WeightMoved
from orca_core.model.llm import (
    Completed,
    Finish,
    ReasoningDelta,
    Span,
    TextDelta,
    ToolCall,
    ToolsCalled,
    ToolsRefused,
    ToolSupport,
    Usage,
)
from orca_core.model.memories import MemoryType, NewMemory, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import References
from orca_core.model.records import memory_ref
from orca_core.model.sessions import RoundState, SessionById, TurnRequest
from orca_core.rules.text import token_count
from orca_core.services.chat.asking import ENDED, FAILED, REFUSED
from orca_core.settings import InjectSettings, MemorySettings, Settings

PORT = "User's staging postgres listens on port 6543"
QUESTION = "Hm, why can nobody reach it from the new laptops?"


def calls(*queries: object, text: str = "", name: str = "recall", thought: str = "") -> list[Step]:
    """A model that calls, perhaps after some words."""
    called = tuple(
        ToolCall(f"call{number}", name, query if isinstance(query, str) else json.dumps(query))
        for number, query in enumerate(queries)
    )
    said: list[Step] = [ReasoningDelta(thought)] if thought else []
    said += [TextDelta(text)] if text else []
    return [*said, ToolsCalled(called), Completed(Finish.STOP, Usage(100, 10, 80))]


def looks(*queries: str, **more: str) -> list[Step]:
    return calls(*({"query": query} for query in queries), **more)


async def test_what_is_looked_up_is_answered_shown_cited_and_weighed(open_engine) -> None:
    model = ScriptedModel(
        looks("postgres staging port", text="Let me look.", thought="their set-up"),
        says("It listens on 6543 [m1].", usage=Usage(160, 20, 100)),
    )
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        events = await turn(engine, QUESTION)
        receipt = await engine.sessions.receipt("s", 1)

    assert names(events) == [
        *("injected", "reasoning", "delta", "looking_up", "looked_up", "delta"),
        *("reply", "references", "weight", "done"),
    ]
    assert only(events, LookingUp).query == "postgres staging port"
    lookup = only(events, LookedUp).lookup
    assert [(item.ref, item.reason) for item in lookup.items] == [(memory_ref(1), "looked_up")]
    reply = only(events, Reply)
    assert reply.text == "".join(each.text for each in of(events, Delta)) == "Let me look.\n\nIt listens on 6543."
    assert [each.ref for each in reply.citations] == [memory_ref(1)]
    assert reply.usage == Usage(260, 30, 180)
    assert only(events, Referenced).references.used == (memory_ref(1),)
    assert (only(events, WeightMoved).before, only(events, WeightMoved).after) == (1.0, 1.5)
    assert receipt.injection.lookups == (lookup,)

    first, second = model.requests
    assert [each.name for each in first.tools] == [each.name for each in second.tools] == ["recall"]
    assert second.messages[: len(first.messages)] == first.messages
    said, told = second.messages[len(first.messages) :]
    assert (said.role, said.content, said.reasoning) == ("assistant", "Let me look.", "their set-up")
    assert told.call == said.calls[0]
    assert PORT in told.content


async def test_what_is_looked_up_and_not_cited_moves_nothing(open_engine) -> None:
    model = ScriptedModel(looks("postgres staging port"), says("No idea."))
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        events = await turn(engine, QUESTION)
        [memory] = await engine.memories.get([1])

    references = only(events, Referenced).references
    assert references == References()
    assert not of(events, WeightMoved)
    assert memory.weight == 1.0


async def test_the_exchange_is_no_part_of_the_next_prompt(open_engine) -> None:
    model = ScriptedModel(looks("postgres staging port"), says("6543 [m1]."), says("ok"))
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        await turn(engine, QUESTION)
        await turn(engine, "thanks")

    assert [(each.role, each.content) for each in model.requests[2].messages[:2]] == [
        ("user", QUESTION),
        ("assistant", "6543."),
    ]
    assert not any(each.calls or each.call for each in model.requests[2].messages)


async def test_two_queries_at_once_are_both_answered_and_a_third_is_refused(open_engine) -> None:
    model = ScriptedModel(looks("postgres port", "the weather", "laptops"), says("6543 [m1]."))
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        events = await turn(engine, QUESTION)

    assert [each.lookup.query for each in of(events, LookedUp)] == ["postgres port", "the weather"]
    told = [each for each in model.requests[1].messages if each.role == "tool"]
    assert [each.call.id for each in told if each.call] == ["call0", "call1", "call2"]
    assert PORT in told[0].content
    assert "can not be called" in told[2].content
    assert all(each.content for each in told)


@pytest.mark.parametrize(
    ("script", "lookups", "requests"),
    [
        (looks("postgres port"), 2, 5),
        (calls({"query": "x"}, name="send_mail"), 0, 3),
        (calls('{"query": "cut o'), 0, 3),
        (calls({"query": 7}, {"query": "  "}, {}), 0, 3),
        (calls("[1]"), 0, 3),
    ],
)
async def test_a_model_that_only_calls_is_asked_again_without(
    open_engine, script: list[Step], lookups: int, requests: int
) -> None:
    model = ScriptedModel(*[script] * (requests - 1), says("Then I do not know."))
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        events = await turn(engine, QUESTION)
        receipt = await engine.sessions.receipt("s", 1)

    assert only(events, Reply).text == "Then I do not know."
    assert len(of(events, LookedUp)) == len(receipt.injection.lookups) == lookups
    assert len(model.requests) == requests
    assert not model.requests[-1].tools
    assert model.requests[-1].messages == model.requests[0].messages
    assert receipt.injection.rules[-1] == of(events, Injected)[-1].injection.rules[-1] == ENDED


async def test_a_request_that_fails_behind_a_call_is_sent_again_without(open_engine) -> None:
    refusal = ModelRejected(template="{provider}: unexpected role 'tool'", provider="scripted")
    model = ScriptedModel(looks("postgres port"), [refusal], says("Well."))
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        events = await turn(engine, QUESTION)
        receipt = await engine.sessions.receipt("s", 1)

    assert only(events, Reply).text == "Well."
    assert not of(events, Failed)
    assert receipt.injection.rules[-1] == FAILED
    assert not any(each.call for each in model.requests[2].messages)


async def test_a_server_that_takes_no_tools_is_remembered_for_a_week(open_engine, clock) -> None:
    refused: list[Step] = [ToolsRefused("m does not support tools"), *says("hello")]
    async with open_engine(model := ScriptedModel(refused, says("again"))) as engine:
        events = await turn(engine, QUESTION)
        await turn(engine, "And the old ones?")
        assert only(events, Reply).text == "hello"
        assert (await engine.sessions.receipt("s", 1)).injection.rules[-1] == REFUSED
        support = await engine.stores.context_limits.tools(model.endpoint, model.model)
    assert support == ToolSupport(takes=False, at=support.at)
    assert [bool(each.tools) for each in model.requests] == [True, False]

    async with open_engine(later := ScriptedModel()) as engine:
        await turn(engine, "still there?")
        clock.advance(timedelta(days=8).total_seconds())
        await turn(engine, "and now?")
    assert [bool(each.tools) for each in later.requests] == [False, True]


@pytest.mark.parametrize(
    ("memory", "request_fields"),
    [
        (MemorySettings(inject=InjectSettings(lookups=0)), {}),
        (MemorySettings(), {"use_memory": False}),
        (MemorySettings(), {"is_private": True}),
        (MemorySettings(enabled=False), {}),
    ],
)
async def test_some_turns_carry_no_tool(open_engine, memory: MemorySettings, request_fields: dict[str, bool]) -> None:
    async with open_engine(model := ScriptedModel(), settings=Settings(memory=memory)) as engine:
        await turn(engine, QUESTION, **request_fields)

    assert model.requests[0].tools == ()


async def test_stopping_while_it_looks_keeps_what_came(open_engine) -> None:
    stop = asyncio.Event()

    async def press() -> None:
        stop.set()

    model = ScriptedModel([TextDelta("Let me look."), press, *looks("postgres port")])
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        request = TurnRequest((Span(QUESTION),), SessionById("s", may_be_new=True))
        events = [event async for event in engine.chat.turn(request, stop)]
        _, [kept] = await engine.sessions.show("s")

    assert only(events, Reply).finish is Finish.INTERRUPTED
    assert (kept.assistant, kept.state) == ("Let me look.", RoundState.INTERRUPTED)
    assert len(model.requests) == 1
    assert only(events, Done)


async def test_an_answer_given_again_takes_back_what_was_looked_up_for_the_first(open_engine) -> None:
    model = ScriptedModel(looks("postgres port"), says("6543 [m1]."), says("I can't say."))
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        await turn(engine, QUESTION)
        events = await turn(engine, QUESTION, replaces=1)
        [memory] = await engine.memories.get([1])
        receipt = await engine.sessions.receipt("s", 1)

    assert [(each.before, each.after) for each in of(events, WeightMoved)] == [(1.5, 1.0)]
    assert memory.weight == 1.0
    assert receipt.injection.lookups == ()


async def test_what_is_counted_and_what_is_estimated_are_of_the_same_requests(open_engine, database) -> None:
    broken = ModelUnavailable(template="{provider}: gone", provider="scripted")
    model = ScriptedModel(
        *[looks("postgres port"), [broken], says("Well.", usage=Usage(300, 5))] * 2, says("ok", usage=Usage(200, 5))
    )
    async with open_engine(model) as engine:
        for number in range(3):
            await turn(engine, f"{QUESTION} {number}")
    connection = apsw.Connection(str(database))
    estimates = [row[0] for row in connection.execute("SELECT estimated_prompt_tokens FROM rounds ORDER BY id")]
    connection.close()

    first, _, plain = model.requests[:3]
    assert estimates[0] == token_count.estimate_request(first) + token_count.estimate_request(plain)
    assert token_count.estimate_request(first) > token_count.estimate_request(plain) + 100


async def test_a_refusal_behind_a_call_is_remembered(open_engine) -> None:
    model = ScriptedModel(looks("postgres port"), [ToolsRefused("no tools"), *says("hi")], says("ho"))
    async with open_engine(model) as engine:
        await turn(engine, QUESTION)
        assert (await engine.sessions.receipt("s", 1)).injection.rules[-1] == REFUSED
        await turn(engine, "again?")
    assert [bool(each.tools) for each in model.requests] == [True, True, False]


async def test_a_model_whose_requests_with_answers_fail_again_and_again_is_offered_no_tool(open_engine) -> None:
    broken = ModelUnavailable(template="{provider}: only user and assistant roles", provider="scripted")
    model = ScriptedModel(*[looks("postgres port"), [broken], says("well")] * 2, says("hi"))
    async with open_engine(model) as engine:
        for number in range(3):
            await turn(engine, f"{QUESTION} {number}")
    assert [bool(each.tools) for each in model.requests] == [True, True, False, True, True, False, False]


async def test_an_answer_that_is_cut_behind_a_look_up_is_not_said_again(open_engine) -> None:
    broken = ModelUnavailable(template="{provider}: the answer was cut off", provider="scripted")
    model = ScriptedModel(looks("postgres staging port"), [TextDelta("It listens on 65"), broken], says("never"))
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        events = await turn(engine, QUESTION)

    assert only(events, Reply).text == "It listens on 65"
    assert only(events, Reply).finish is Finish.INTERRUPTED
    assert of(events, Failed)
    assert len(model.requests) == 2


async def test_what_the_answering_request_did_not_hold_is_not_cited(open_engine) -> None:
    broken = ModelUnavailable(template="{provider}: gone", provider="scripted")
    model = ScriptedModel(looks("postgres staging port"), [broken], says("6543 [m1]."))
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        events = await turn(engine, QUESTION)

    assert only(events, Reply).citations == ()
    assert only(events, Referenced).references == References()


async def test_a_model_that_calls_unasked_in_a_private_turn_is_not_answered(open_engine) -> None:
    model = ScriptedModel([*looks("postgres staging port", text="hm")])
    async with open_engine(model) as engine:
        await engine.memories.add(PORT)
        events = await turn(engine, QUESTION, is_private=True)

    assert not of(events, LookingUp)
    assert only(events, Reply).text == "hm"
    assert len(model.requests) == 1


async def test_what_waits_is_put_away_or_is_anothers_is_not_looked_up(open_engine) -> None:
    waits = NewMemory(f"{PORT} as a candidate", MemoryType.FACT, state=State.CANDIDATE, held_because="not_typed")
    header = OperationHeader(Actor.EXTRACTION, "extract", datetime(2026, 11, 20, tzinfo=UTC))
    model = ScriptedModel(looks("postgres staging port 6543"), says("6543 [m2]."))
    async with open_engine(settings=Settings(profile="work")) as engine:
        await engine.memories.add(f"{PORT} at work")
    async with open_engine(model) as engine:
        await engine.stores.memories.add(waits, header)
        lives = await engine.memories.add(PORT)
        away = await engine.memories.add(f"{PORT} as it was")
        await engine.memories.archive([away.memory.id])
        lookup = only(await turn(engine, QUESTION), LookedUp).lookup

    assert [item.ref.id for item in lookup.items] == [lives.memory.id]
