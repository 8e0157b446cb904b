"""A key that a command gives: the event loop goes on meanwhile, and the command is run once."""

from __future__ import annotations

import asyncio
import sys
import threading

import pytest
from fakes.patience import PATIENCE_S

from orca_core.clock import SystemClock
from orca_core.config.config_file import parse_settings
from orca_core.llm.http import ProviderClient
from orca_core.model.errors import ConfigError, ModelUnavailable
from orca_core.model.llm import ChatMessage, ChatRequest
from orca_core.open import make_model
from orca_core.settings import ProviderSettings

SERVER = ProviderSettings(base_url="http://127.0.0.1:1")


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


async def test_who_gives_up_waiting_leaves_the_key_to_the_next_and_the_loop_goes_on() -> None:
    command = Command("sk-1")
    client = ProviderClient("p", SERVER, command)
    first = asyncio.create_task(client.opened())
    while not command.runs:
        await asyncio.sleep(0)  # the loop turns: whoever waits for it would not
    first.cancel()
    await asyncio.wait({first})
    command.may_end.set()

    opened = await asyncio.wait_for(client.opened(), PATIENCE_S)
    assert await client.opened() is opened
    assert (command.runs, client.api_key, opened.headers["authorization"]) == (1, "sk-1", "Bearer sk-1")
    await client.aclose()


async def test_a_command_that_gives_no_key_is_an_answer_and_run_again() -> None:
    command = Command(ConfigError(template="{name}: no key", name="x"), "sk-1")
    command.may_end.set()
    client = ProviderClient("p", SERVER, command)

    with pytest.raises(ModelUnavailable, match="x: no key"):
        await client.opened()
    await client.opened()
    assert client.api_key == "sk-1"
    await client.aclose()


async def test_making_a_model_runs_no_command() -> None:
    settings = parse_settings(
        'provider = "x"\n[x]\nbase_url = "http://127.0.0.1:1"\nmodel = "m"\n'
        f"api_key_cmd = ['{sys.executable}', '-c', 'raise SystemExit(3)']\n"
    )

    model = make_model(settings, {}, SystemClock())

    assert (model.provider, model.model, model.is_demo) == ("x", "m", False)
    with pytest.raises(ModelUnavailable, match=r"api_key_cmd: .* gave no key \(exit 3\)"):
        [event async for event in model.stream(ChatRequest((ChatMessage("user", "hi"),)))]
