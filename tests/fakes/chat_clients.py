"""Asking a model server through the chat client, and what came of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fakes.clocks import StillClock
from fakes.model_server import ModelServer
from fakes.patience import PATIENCE_S

from orca_core.clock import SystemClock
from orca_core.llm.openai_chat import OpenAIChat
from orca_core.model.errors import ModelError
from orca_core.model.llm import ChatMessage, ChatRequest, Clock, ModelEvent, ReasoningDelta, TextDelta
from orca_core.settings import ProviderSettings

HELLO = ChatRequest((ChatMessage("user", "hello"),))
KEY = "sk-very-secret-1234"


class Waits:
    """A sleep that only writes down how long it would have slept."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def client(
    server: ModelServer,
    waits: Waits | None = None,
    clock: Clock | None = None,
    key: str | None = KEY,
    first_token_timeout_s: float = PATIENCE_S,
    **settings: Any,
) -> OpenAIChat:
    """A client of the provider `p`. Where its waits are looked at, its clock stands still."""
    provider = ProviderSettings(**{"base_url": server.base_url, "model": "m", "timeout": PATIENCE_S, **settings})
    time = clock or (StillClock() if waits else SystemClock())
    return OpenAIChat("p", provider, key, time, waits or Waits(), first_token_timeout_s)


def ask(server: ModelServer, request: ChatRequest = HELLO, **settings: Any) -> list[ModelEvent]:
    """The events of one answer; `settings` are `client`'s."""
    kept: list[ModelEvent] = []
    asyncio.run(_collect(client(server, **settings), request, kept))
    return kept


def fails(server: ModelServer, request: ChatRequest = HELLO, **settings: Any) -> tuple[ModelError, list[ModelEvent]]:
    """The error that one answer ended with, and the events before it."""
    kept: list[ModelEvent] = []
    with pytest.raises(ModelError) as caught:
        asyncio.run(_collect(client(server, **settings), request, kept))
    return caught.value, kept


def text(events: list[ModelEvent]) -> str:
    return "".join(each.text for each in events if isinstance(each, TextDelta))


def thoughts(events: list[ModelEvent]) -> str:
    return "".join(each.text for each in events if isinstance(each, ReasoningDelta))


async def _collect(chat: OpenAIChat, request: ChatRequest, kept: list[ModelEvent]) -> None:
    try:
        async for each in chat.stream(request):
            kept.append(each)
    finally:
        await chat.aclose()
