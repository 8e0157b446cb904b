"""Asking the memory agent: the whole answer, and a record of what was said."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from orca_core.domain.errors import BadModelReply, ModelUnavailable
from orca_core.domain.learning import AgentMessage
from orca_core.domain.messages import ChatMessage, ChatRequest, Completed, Finish, ReasoningDelta, TextDelta, Usage
from orca_core.domain.ports import ChatModel, Clock
from orca_core.flows.shared.lazy import Lazy

TEMPERATURE = 0.1
MAX_ANSWER_CHARS = 400_000
MAX_ANSWER_S = 600.0
"""A server that drips a byte now and then keeps every silence short; this ends it."""


@dataclass(frozen=True, slots=True)
class AgentAnswer:
    """An answer with how it ended, and the messages that this asking added to the record."""

    text: str
    finish: Finish
    record: tuple[AgentMessage, ...]


class MemoryAgent:
    """The model that learns and sums up."""

    def __init__(self, model: Lazy[ChatModel], clock: Clock) -> None:
        self._model = model
        self._clock = clock

    @property
    def name(self) -> str:
        """The model's name, for the origin of what it found. Raises ConfigError where none can be made."""
        return self._model.get().model

    async def ask(self, messages: Sequence[ChatMessage], *, new: Sequence[ChatMessage], as_json: bool) -> AgentAnswer:
        """`new` are the messages that are not on record yet. Raises ModelError or ConfigError."""
        asked_at = self._clock.now()
        model = self._model.get()
        request = ChatRequest(tuple(messages), temperature=TEMPERATURE, json_object=as_json)
        try:
            async with asyncio.timeout(MAX_ANSWER_S):
                text, finish, usage = await _whole_answer(model, request)
        except TimeoutError:
            raise ModelUnavailable(
                provider=model.provider,
                template="{provider}: no whole answer within {limit} s",
                limit=int(MAX_ANSWER_S),
            ) from None
        answer = AgentMessage("assistant", text, self._clock.now(), model.model, usage)
        return AgentAnswer(text, finish, (*(AgentMessage(each.role, each.content, asked_at) for each in new), answer))


async def _whole_answer(model: ChatModel, request: ChatRequest) -> tuple[str, Finish, Usage | None]:
    pieces: list[str] = []
    length = 0
    async with aclosing(model.stream(request)) as stream:
        async for event in stream:
            match event:
                case TextDelta(text):
                    pieces.append(text)
                    length += len(text)
                    if length > MAX_ANSWER_CHARS:
                        raise BadModelReply(
                            provider=model.provider,
                            template="{provider}: the answer is longer than {limit} characters",
                            limit=MAX_ANSWER_CHARS,
                        )
                case ReasoningDelta(takes_back=True):
                    pieces.clear()
                    length = 0
                case Completed(finish, usage, _):
                    return "".join(pieces), finish, usage
    return "".join(pieces), Finish.INTERRUPTED, None
