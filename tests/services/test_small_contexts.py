"""Models that take less than a prompt, and those that look up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta

import pytest
from fakes.scripted_model import ScriptedModel, Step, says
from fakes.turns import names, of, only, turn

from orca_core.model.errors import ContextTooLong, InvalidInput, ModelRejected, ModelUnavailable, StoreFull
from orca_core.model.events import Delta, Done, Failed, Injected, LookedUp, LookingUp, Referenced, Reply, WeightMoved
from orca_core.model.llm import (
    ChatRequest,
    Completed,
    Finish,
    ModelEvent,
    ModelToolCall,
    ReasoningDelta,
    Span,
    TextDelta,
    ToolsCalled,
    ToolsRefused,
    ToolSupport,
    Usage,
)
from orca_core.model.memories import MemoryType, NewMemory, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import References
from orca_core.model.record_types import memory_ref
from orca_core.model.sessions import RoundState, SessionById, TurnRequest
from orca_core.operations.model_usage import ModelUsage
from orca_core.rules.retrieval.prompt_assembly import MAX_REFITS, TRUSTED_FOR
from orca_core.rules.text.token_count import estimate_messages
from orca_core.services.chat import prompting
from orca_core.services.chat.asking import ENDED, FAILED, REFUSED
from orca_core.settings import InjectSettings, MemoryAgentSettings, MemorySettings, Settings

LONG = "We looked at the container and its ports, and changed the compose file once more. " * 12
PLAIN = Settings(memory_agent=MemoryAgentSettings(enabled=False))
ALWAYS = Settings(
    memory=MemorySettings(inject=InjectSettings(first_round_empty=False, long_term_trigger="always")),
    memory_agent=MemoryAgentSettings(enabled=False),
)


class SmallModel(ScriptedModel):
    """Takes so many tokens, by its own count, and says so or not."""

    def __init__(self, takes: int, *, names_limit: bool = True, counts: float = 1.0, says_count: bool = False) -> None:
        super().__init__(says(LONG))
        self.takes = takes
        self.counts = counts
        self.names_limit = names_limit
        self.says_count = says_count
        self.refused = 0

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        counted = int(estimate_messages(request.messages) * self.counts)
        if counted > self.takes:
            self.requests.append(request)
            self.refused += 1
            raise ContextTooLong(
                provider="scripted",
                limit=self.takes if self.names_limit else None,
                prompt_tokens=counted if self.says_count else None,
            )
        async for event in super().stream(request):
            yield event


async def talk(orca, rounds: int) -> None:
    for number in range(rounds):
        await turn(orca, f"question {number} about the container", session_id="s")


@pytest.mark.long
@pytest.mark.parametrize("says_count", [True, False])
@pytest.mark.parametrize("counts", [0.7, 1.0, 1.9])
async def test_the_limit_that_a_refusal_names_is_kept_to_from_then_on(
    open_orca, counts: float, says_count: bool
) -> None:
    model = SmallModel(2048, counts=counts, says_count=says_count)
    async with open_orca(model, settings=PLAIN) as orca:
        await talk(orca, 16)
        _, rounds = await orca.sessions.show("s")

    assert {each.state for each in rounds} == {RoundState.DONE}
    assert 1 <= model.refused <= 4


async def test_what_was_learnt_survives_a_restart_and_is_tried_anew_after_a_while(open_orca, clock) -> None:
    model = SmallModel(4096)
    async with open_orca(model, settings=PLAIN) as orca:
        await talk(orca, 20)
    refused = model.refused
    async with open_orca(model, settings=PLAIN) as orca:
        await talk(orca, 3)
        assert model.refused == refused
        model.takes = 64_000
        clock.advance(TRUSTED_FOR.total_seconds() + timedelta(minutes=1).total_seconds())
        events = await turn(orca, "question about the container", session_id="s")

    assert only(events, Reply)
    assert len(model.last_prompt()) > 30


async def test_what_names_no_limit_is_fitted_in_few_tries(open_orca) -> None:
    model = SmallModel(1500, names_limit=False)
    async with open_orca(model, settings=PLAIN) as orca:
        await talk(orca, 12)
        _, rounds = await orca.sessions.show("s")
        sent = len(model.requests)
        await turn(orca, "question about the container", session_id="s")

    assert {each.state for each in rounds} == {RoundState.DONE}
    assert len(model.requests) - sent <= 1 + MAX_REFITS


@pytest.mark.parametrize("names_limit", [True, False])
async def test_the_question_alone_is_sent_at_last_and_memory_is_said_to_be_missing(
    open_orca, names_limit: bool
) -> None:
    model = SmallModel(64_000)
    async with open_orca(model, settings=ALWAYS) as orca:
        await orca.memories.add("docker containers run on the machine called thorin", type_word="fact")
        await turn(orca, "how do I restart the docker containers?", session_id="s")
        await turn(orca, "and the docker containers on thorin?", session_id="s", system_prompt="be kind " * 30)
        model.takes, model.names_limit = 20, names_limit
        events = await turn(orca, "docker containers again?", session_id="s", system_prompt="be kind " * 30)
        [memory] = await orca.memories.get([1])

    assert model.last_prompt() == ["docker containers again?"]
    injection = of(events, Injected)[-1].injection
    assert (injection.injected, injection.block, injection.tokens) == ((), "", 0)
    assert [item.reason for item in injection.dropped if str(item.ref) == "m1"] == ["no_room"]
    assert "left_out: memory, system prompt" in injection.rules
    assert "history: 2 older rounds left out" in injection.rules
    assert only(events, Reply).text == LONG
    assert memory.weight >= 1.0


async def test_a_question_that_is_too_long_is_refused_with_the_limit_and_the_chat_goes_on(open_orca) -> None:
    model = SmallModel(600, says_count=True)
    async with open_orca(model, settings=PLAIN) as orca:
        refused = await turn(orca, "很长的问题，" * 300, session_id="s")
        at_once = await turn(orca, "很长的问题，" * 300, session_id="s")
        asked = len(model.requests)
        again = await turn(orca, "a short question", session_id="s")

    for events in (refused, at_once):
        failure = only(events, Failed)
        assert failure.kind == InvalidInput.kind
        assert failure.fields["most"] == 600
        assert int(str(failure.fields["found"])) > 600
    assert asked == 1
    assert only(again, Reply).text == LONG


async def full(*_: object) -> None:
    raise StoreFull(path="orca.db")


async def held_by_others(*_: object) -> None:
    await asyncio.Event().wait()


@pytest.mark.long
@pytest.mark.parametrize("learn", [full, held_by_others])
async def test_a_database_that_can_not_keep_the_limit_does_not_brick_the_chat(open_orca, monkeypatch, learn) -> None:
    monkeypatch.setattr(ModelUsage, "learn", learn)
    monkeypatch.setattr(prompting, "WRITE_PATIENCE_S", 0.01)
    model = SmallModel(4096)
    async with open_orca(model, settings=PLAIN) as orca:
        await talk(orca, 20)

    assert 1 <= model.refused <= 4


PORT = "User's staging postgres listens on port 6543"
QUESTION = "Hm, why can nobody reach it from the new laptops?"


def calls(*queries: object, text: str = "", name: str = "recall", thought: str = "") -> list[Step]:
    """A model that calls, perhaps after some words."""
    called = tuple(
        ModelToolCall(f"call{number}", name, query if isinstance(query, str) else json.dumps(query))
        for number, query in enumerate(queries)
    )
    said: list[Step] = [ReasoningDelta(thought)] if thought else []
    said += [TextDelta(text)] if text else []
    return [*said, ToolsCalled(called), Completed(Finish.STOP, Usage(100, 10, 80))]


def looks(*queries: str, **more: str) -> list[Step]:
    return calls(*({"query": query} for query in queries), **more)


async def test_what_is_looked_up_is_answered_shown_cited_and_weighed(open_orca) -> None:
    model = ScriptedModel(
        looks("postgres staging port", text="Let me look.", thought="their set-up"),
        says("It listens on 6543 [m1].", usage=Usage(160, 20, 100)),
    )
    async with open_orca(model) as orca:
        await orca.memories.add(PORT)
        events = await turn(orca, QUESTION)
        receipt = await orca.sessions.receipt("s", 1)

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


async def test_what_is_looked_up_and_not_cited_moves_nothing(open_orca) -> None:
    model = ScriptedModel(looks("postgres staging port"), says("No idea."))
    async with open_orca(model) as orca:
        await orca.memories.add(PORT)
        events = await turn(orca, QUESTION)
        [memory] = await orca.memories.get([1])

    references = only(events, Referenced).references
    assert references == References()
    assert not of(events, WeightMoved)
    assert memory.weight == 1.0


async def test_two_queries_at_once_are_both_answered_and_a_third_is_refused(open_orca) -> None:
    model = ScriptedModel(looks("postgres port", "the weather", "laptops"), says("6543 [m1]."))
    async with open_orca(model) as orca:
        await orca.memories.add(PORT)
        events = await turn(orca, QUESTION)

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
    open_orca, script: list[Step], lookups: int, requests: int
) -> None:
    model = ScriptedModel(*[script] * (requests - 1), says("Then I do not know."))
    async with open_orca(model) as orca:
        await orca.memories.add(PORT)
        events = await turn(orca, QUESTION)
        receipt = await orca.sessions.receipt("s", 1)

    assert only(events, Reply).text == "Then I do not know."
    assert len(of(events, LookedUp)) == len(receipt.injection.lookups) == lookups
    assert len(model.requests) == requests
    assert not model.requests[-1].tools
    assert model.requests[-1].messages == model.requests[0].messages
    assert receipt.injection.rules[-1] == of(events, Injected)[-1].injection.rules[-1] == ENDED


async def test_a_request_that_fails_behind_a_call_is_sent_again_without(open_orca) -> None:
    refusal = ModelRejected(template="{provider}: unexpected role 'tool'", provider="scripted")
    model = ScriptedModel(looks("postgres port"), [refusal], says("Well."))
    async with open_orca(model) as orca:
        await orca.memories.add(PORT)
        events = await turn(orca, QUESTION)
        receipt = await orca.sessions.receipt("s", 1)

    assert only(events, Reply).text == "Well."
    assert not of(events, Failed)
    assert receipt.injection.rules[-1] == FAILED
    assert not any(each.call for each in model.requests[2].messages)


async def test_a_server_that_takes_no_tools_is_remembered_for_a_week(open_orca, clock) -> None:
    refused: list[Step] = [ToolsRefused("m does not support tools"), *says("hello")]
    async with open_orca(model := ScriptedModel(refused, says("again"))) as orca:
        events = await turn(orca, QUESTION)
        await turn(orca, "And the old ones?")
        assert only(events, Reply).text == "hello"
        assert (await orca.sessions.receipt("s", 1)).injection.rules[-1] == REFUSED
        support = await orca.stores.model_usage.tools(model.endpoint, model.model)
    assert support == ToolSupport(takes=False, at=support.at)
    assert [bool(each.tools) for each in model.requests] == [True, False]

    async with open_orca(later := ScriptedModel()) as orca:
        await turn(orca, "still there?")
        clock.advance(timedelta(days=8).total_seconds())
        await turn(orca, "and now?")
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
async def test_some_turns_carry_no_tool(open_orca, memory: MemorySettings, request_fields: dict[str, bool]) -> None:
    async with open_orca(model := ScriptedModel(), settings=Settings(memory=memory)) as orca:
        await turn(orca, QUESTION, **request_fields)

    assert model.requests[0].tools == ()


async def test_stopping_while_it_looks_keeps_what_came(open_orca) -> None:
    stop = asyncio.Event()

    async def press() -> None:
        stop.set()

    model = ScriptedModel([TextDelta("Let me look."), press, *looks("postgres port")])
    async with open_orca(model) as orca:
        await orca.memories.add(PORT)
        request = TurnRequest((Span(QUESTION),), SessionById("s", may_be_new=True))
        events = [event async for event in orca.chat.turn(request, stop)]
        _, [kept] = await orca.sessions.show("s")

    assert only(events, Reply).finish is Finish.INTERRUPTED
    assert (kept.assistant, kept.state) == ("Let me look.", RoundState.INTERRUPTED)
    assert len(model.requests) == 1
    assert only(events, Done)


async def test_a_model_whose_requests_with_answers_fail_again_and_again_is_offered_no_tool(open_orca) -> None:
    broken = ModelUnavailable(template="{provider}: only user and assistant roles", provider="scripted")
    model = ScriptedModel(*[looks("postgres port"), [broken], says("well")] * 2, says("hi"))
    async with open_orca(model) as orca:
        for number in range(3):
            await turn(orca, f"{QUESTION} {number}")
    assert [bool(each.tools) for each in model.requests] == [True, True, False, True, True, False, False]


async def test_what_the_answering_request_did_not_hold_is_not_cited(open_orca) -> None:
    broken = ModelUnavailable(template="{provider}: gone", provider="scripted")
    model = ScriptedModel(looks("postgres staging port"), [broken], says("6543 [m1]."))
    async with open_orca(model) as orca:
        await orca.memories.add(PORT)
        events = await turn(orca, QUESTION)

    assert only(events, Reply).citations == ()
    assert only(events, Referenced).references == References()


async def test_a_model_that_calls_unasked_in_a_private_turn_is_not_answered(open_orca) -> None:
    model = ScriptedModel([*looks("postgres staging port", text="hm")])
    async with open_orca(model) as orca:
        await orca.memories.add(PORT)
        events = await turn(orca, QUESTION, is_private=True)

    assert not of(events, LookingUp)
    assert only(events, Reply).text == "hm"
    assert len(model.requests) == 1


async def test_what_waits_is_put_away_or_is_anothers_is_not_looked_up(open_orca) -> None:
    waits = NewMemory(f"{PORT} as a candidate", MemoryType.FACT, state=State.CANDIDATE, held_because="not_typed")
    header = OperationHeader(Actor.EXTRACTION, "extract", datetime(2026, 11, 20, tzinfo=UTC))
    model = ScriptedModel(looks("postgres staging port 6543"), says("6543 [m2]."))
    async with open_orca(settings=Settings(profile="work")) as orca:
        await orca.memories.add(f"{PORT} at work")
    async with open_orca(model) as orca:
        await orca.stores.memories.add(waits, header)
        lives = await orca.memories.add(PORT)
        away = await orca.memories.add(f"{PORT} as it was")
        await orca.memories.archive([away.memory.id])
        lookup = only(await turn(orca, QUESTION), LookedUp).lookup

    assert [item.ref.id for item in lookup.items] == [lives.memory.id]
