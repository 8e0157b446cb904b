"""A key that a command gives: the event loop goes on meanwhile, and the command is run once."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncGenerator

import pytest
from fakes.rerankers import ScriptedReranker
from fakes.scripted_model import ScriptedModel, says

from orca_core.clock import SystemClock
from orca_core.config.config_file import parse_settings
from orca_core.llm.key_from_command import KeyedEmbedder, KeyedModel, KeyedReranker
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import ConfigError, EmbeddingError, ModelRejected, RerankError
from orca_core.model.llm import ChatMessage, ChatRequest, ModelEvent
from orca_core.open import make_model

REQUEST = ChatRequest((ChatMessage("user", "hi"),))
PATIENCE_S = 30.0


async def heard(model: KeyedModel) -> list[ModelEvent]:
    stream: AsyncGenerator[ModelEvent, None] = model.stream(REQUEST)
    return [event async for event in stream]


class Command:
    """Stands for a command that takes its time: it waits until it is let go."""

    def __init__(self, *outcomes: str | ConfigError) -> None:
        self.outcomes = list(outcomes)
        self.runs = 0
        self.may_end = threading.Event()

    def __call__(self) -> str:
        self.runs += 1
        assert self.may_end.wait(PATIENCE_S)
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, ConfigError):
            raise outcome
        return outcome


async def test_the_loop_goes_on_while_the_command_runs_and_it_runs_once() -> None:
    command, keys = Command("sk-1"), []

    def make(key: str | None) -> ScriptedModel:
        keys.append(key)
        return ScriptedModel(says("one"), says("two"))

    model = KeyedModel(command, make)
    asking = asyncio.create_task(heard(model))
    while not command.runs:
        await asyncio.sleep(0)  # the loop turns: whoever waits for it would not
    command.may_end.set()

    assert await asyncio.wait_for(asking, PATIENCE_S)
    assert await heard(model)
    assert (command.runs, keys) == (1, [None, "sk-1"])
    await model.aclose()


async def test_who_gives_up_waiting_leaves_the_key_to_the_next() -> None:
    command = Command("sk-1")
    embedder = KeyedEmbedder(command, lambda _key: LocalEmbedder())
    first = asyncio.create_task(embedder.embed(["a"]))
    while not command.runs:
        await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait({first})
    command.may_end.set()

    assert len(await asyncio.wait_for(embedder.embed(["a", "b"]), PATIENCE_S)) == 2
    assert command.runs == 1


async def test_a_command_that_gives_no_key_is_an_answer_and_run_again() -> None:
    refusal = ConfigError(template="{name}: no key", name="x")
    command = Command(refusal, refusal, "sk-1")
    command.may_end.set()
    model = KeyedModel(command, lambda _key: ScriptedModel(says("one")))
    embedder = KeyedEmbedder(command, lambda _key: LocalEmbedder())

    with pytest.raises(ModelRejected, match="x: no key"):
        await heard(model)
    with pytest.raises(EmbeddingError, match="x: no key"):
        await embedder.embed(["a"])
    assert await heard(model)


def test_making_a_model_runs_no_command() -> None:
    settings = parse_settings(
        'provider = "x"\n[x]\nbase_url = "http://127.0.0.1:1"\nmodel = "m"\n'
        f"api_key_cmd = ['{sys.executable}', '-c', 'raise SystemExit(3)']\n"
    )

    model = make_model(settings, {}, SystemClock())

    assert (model.provider, model.model, model.is_demo) == ("x", "m", False)
    with pytest.raises(ModelRejected, match=r"api_key_cmd: .* gave no key \(exit 3\)"):
        asyncio.run(heard(model))


async def test_a_reranker_waits_for_its_key_as_an_embedder_does() -> None:
    command = Command(ConfigError(template="no key"), "sk-1")
    command.may_end.set()
    keys: list[str | None] = []

    def make(key: str | None) -> ScriptedReranker:
        keys.append(key)
        return ScriptedReranker()

    reranker = KeyedReranker(command, make)
    with pytest.raises(RerankError, match="no key"):
        await reranker.rank("a", ["b", "c"])

    assert await reranker.rank("a", ["b", "c"]) == [1, 0]
    assert (reranker.model, reranker.dialect, keys) == ("p/r", "cohere", [None, "sk-1"])
    await reranker.aclose()
