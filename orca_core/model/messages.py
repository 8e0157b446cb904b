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


Role = Literal["system", "user", "assistant", "tool"]


class Tool(Struct, frozen=True):
    """What a model may call: `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ToolCall(Struct, frozen=True):
    """One call as the model made it. `arguments` is the text of a JSON object, whatever the server sent, or "" where it
    can not be read: then nothing may run. `id` is the server's, or made here where it sent none. `extra` has to go back
    as it came."""

    id: str
    name: str
    arguments: str
    extra: Mapping[str, Any] | None = None


class ChatMessage(Struct, frozen=True):
    """One message of a prompt. An assistant's may call tools, with what it thought; a tool's answers `call`."""

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    call: ToolCall | None = None


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


class ToolsCalled(Struct, frozen=True):
    """The model called these tools, and waits for what they say: the last but `Completed`."""

    calls: tuple[ToolCall, ...]


class ToolsRefused(Struct, frozen=True):
    """The server takes no tools for this model: the request went out again without them. `detail` is its refusal."""

    detail: str


class Completed(Struct, frozen=True):
    """The model is done: always the last event of a stream that did not raise."""

    finish: Finish
    usage: Usage | None = None
    note: str = ""


ModelEvent = TextDelta | ReasoningDelta | Waiting | ToolsRefused | ToolsCalled | Completed


class JsonSchema(Struct, frozen=True):
    """The shape of an answer in JSON, by the name of its type."""

    name: str
    shape: Mapping[str, Any]


class ChatRequest(Struct, frozen=True):
    """What a chat model is asked. `temperature` and `max_tokens` are left to the provider where None; `json_object`
    asks for JSON, of the `schema` where the provider takes one. The model may call `tools`, where the server takes
    them."""

    messages: tuple[ChatMessage, ...]
    temperature: float | None = None
    max_tokens: int | None = None
    json_object: bool = False
    schema: JsonSchema | None = None
    tools: tuple[Tool, ...] = ()
