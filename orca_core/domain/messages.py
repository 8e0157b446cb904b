"""What is said: spans of a user's text, chat messages, and what a model streams back."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from msgspec import Struct


class Source(StrEnum):
    """Where a piece of the user's text came from. Only what was typed can teach Orca anything by itself."""

    TYPED = "typed"
    PASTED = "pasted"
    PIPED = "piped"
    FILE = "file"


class Span(Struct, frozen=True):
    """A piece of a user's message and its origin; a message's text is its spans, joined."""

    text: str
    source: Source = Source.TYPED


Role = Literal["system", "user", "assistant"]


class ChatMessage(Struct, frozen=True):
    """One message of a prompt."""

    role: Role
    content: str


class Cost(Struct, frozen=True):
    """What an answer cost, in the provider's currency."""

    amount: float
    currency: str


class Usage(Struct, frozen=True):
    """Tokens as the provider counted them; `cached` of the prompt's tokens came from its cache. `cost` where it says
    what it charges."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float | None = None


class Finish(StrEnum):
    """How an answer ended."""

    STOP = "stop"
    LENGTH = "length"
    FILTERED = "filtered"
    INTERRUPTED = "interrupted"


class TextDelta(Struct, frozen=True):
    text: str


class ReasoningDelta(Struct, frozen=True):
    """What the model thinks. `takes_back`: all that came as text before was thinking, too."""

    text: str
    takes_back: bool = False


class Waiting(Struct, frozen=True):
    """The server is alive but says nothing yet (a queue, keep-alives)."""

    detail: str


class Completed(Struct, frozen=True):
    """The model is done: always the last event of a stream that did not raise."""

    finish: Finish
    usage: Usage | None = None
    note: str = ""


ModelEvent = TextDelta | ReasoningDelta | Waiting | Completed


class JsonSchema(Struct, frozen=True):
    """The shape of an answer in JSON, by the name of its type."""

    name: str
    shape: Mapping[str, Any]


class ChatRequest(Struct, frozen=True):
    """What a chat model is asked. `temperature` and `max_tokens` are left to the provider where None; `json_object`
    asks for JSON, of the `schema` where the provider takes one."""

    messages: tuple[ChatMessage, ...]
    temperature: float | None = None
    max_tokens: int | None = None
    json_object: bool = False
    schema: JsonSchema | None = None
