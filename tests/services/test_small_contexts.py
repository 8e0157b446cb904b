"""A model that takes less than was thought: its refusal is learnt from, and no chat ends there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, only, turn

from orca_core.model.errors import ContextTooLong, InvalidInput, StoreFull
from orca_core.model.events import Failed, Injected, Reply
from orca_core.model.llm import ChatRequest, ModelEvent
from orca_core.model.sessions import RoundState
from orca_core.operations.model_usage import ContextLimits
from orca_core.rules.retrieval.prompt_assembly import MAX_REFITS, TRUSTED_FOR
from orca_core.rules.text.token_count import estimate_messages
from orca_core.services.chat import prompting
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


async def talk(engine, rounds: int) -> None:
    for number in range(rounds):
        await turn(engine, f"question {number} about the container", session_id="s")


@pytest.mark.long
@pytest.mark.parametrize("says_count", [True, False])
@pytest.mark.parametrize("counts", [0.7, 1.0, 1.9])
async def test_the_limit_that_a_refusal_names_is_kept_to_from_then_on(
    open_engine, counts: float, says_count: bool
) -> None:
    model = SmallModel(2048, counts=counts, says_count=says_count)
    async with open_engine(model, settings=PLAIN) as engine:
        await talk(engine, 16)
        _, rounds = await engine.sessions.show("s")

    assert {each.state for each in rounds} == {RoundState.DONE}
    assert 1 <= model.refused <= 4


async def test_a_refit_is_told_and_the_receipt_keeps_it(open_engine) -> None:
    model = SmallModel(4096)
    async with open_engine(model, settings=PLAIN) as engine:
        while not model.refused:
            events = await turn(engine, "question about the container", session_id="s")
        receipt = await engine.sessions.receipt("s")

    first, second = (event.injection for event in of(events, Injected))
    assert only(events, Reply).text == LONG.strip() or only(events, Reply).text == LONG
    assert "context: the model takes 4,096 tokens" in second.rules
    assert any(rule.startswith("history: ") and rule.endswith("older rounds left out") for rule in second.rules)
    assert second.prompt_tokens < first.prompt_tokens
    assert receipt.injection.rules == second.rules


async def test_what_was_learnt_survives_a_restart_and_is_tried_anew_after_a_while(open_engine, clock) -> None:
    model = SmallModel(4096)
    async with open_engine(model, settings=PLAIN) as engine:
        await talk(engine, 20)
    refused = model.refused
    async with open_engine(model, settings=PLAIN) as engine:
        await talk(engine, 3)
        assert model.refused == refused
        model.takes = 64_000
        clock.advance(TRUSTED_FOR.total_seconds() + timedelta(minutes=1).total_seconds())
        events = await turn(engine, "question about the container", session_id="s")

    assert only(events, Reply)
    assert len(model.last_prompt()) > 30


async def test_what_names_no_limit_is_fitted_in_few_tries(open_engine) -> None:
    model = SmallModel(1500, names_limit=False)
    async with open_engine(model, settings=PLAIN) as engine:
        await talk(engine, 12)
        _, rounds = await engine.sessions.show("s")
        sent = len(model.requests)
        await turn(engine, "question about the container", session_id="s")

    assert {each.state for each in rounds} == {RoundState.DONE}
    assert len(model.requests) - sent <= 1 + MAX_REFITS


@pytest.mark.parametrize("names_limit", [True, False])
async def test_the_question_alone_is_sent_at_last_and_memory_is_said_to_be_missing(
    open_engine, names_limit: bool
) -> None:
    model = SmallModel(64_000)
    async with open_engine(model, settings=ALWAYS) as engine:
        await engine.memories.add("docker containers run on the machine called thorin", type_word="fact")
        await turn(engine, "how do I restart the docker containers?", session_id="s")
        await turn(engine, "and the docker containers on thorin?", session_id="s", system_prompt="be kind " * 30)
        model.takes, model.names_limit = 20, names_limit
        events = await turn(engine, "docker containers again?", session_id="s", system_prompt="be kind " * 30)
        [memory] = await engine.memories.get([1])

    assert model.last_prompt() == ["docker containers again?"]
    injection = of(events, Injected)[-1].injection
    assert (injection.injected, injection.block, injection.tokens) == ((), "", 0)
    assert [item.reason for item in injection.dropped if str(item.ref) == "m1"] == ["no_room"]
    assert "left_out: memory, system prompt" in injection.rules
    assert "history: 2 older rounds left out" in injection.rules
    assert only(events, Reply).text == LONG
    assert memory.weight >= 1.0


async def test_a_question_that_is_too_long_is_refused_with_the_limit_and_the_chat_goes_on(open_engine) -> None:
    model = SmallModel(600, says_count=True)
    async with open_engine(model, settings=PLAIN) as engine:
        refused = await turn(engine, "很长的问题，" * 300, session_id="s")
        at_once = await turn(engine, "很长的问题，" * 300, session_id="s")
        asked = len(model.requests)
        again = await turn(engine, "a short question", session_id="s")

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
async def test_a_database_that_can_not_keep_the_limit_does_not_brick_the_chat(open_engine, monkeypatch, learn) -> None:
    monkeypatch.setattr(ContextLimits, "learn", learn)
    monkeypatch.setattr(prompting, "WRITE_PATIENCE_S", 0.01)
    model = SmallModel(4096)
    async with open_engine(model, settings=PLAIN) as engine:
        await talk(engine, 20)

    assert 1 <= model.refused <= 4
