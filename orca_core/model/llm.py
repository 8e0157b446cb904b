"""What is said to models and what they answer: messages, requests, prompts, streams, limits and cost; and the ports
through which models, embedders and the clock are reached."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Protocol

from msgspec import Struct, field

from orca_core.model.errors import OrcaError


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


class ModelToolCall(Struct, frozen=True):
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
    calls: tuple[ModelToolCall, ...] = ()
    reasoning: str = ""
    call: ModelToolCall | None = None


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


class ServerWaiting(Struct, frozen=True):
    """The server is alive but says nothing yet (a queue, keep-alives)."""

    detail: str


class ToolsCalled(Struct, frozen=True):
    """The model called these tools, and waits for what they say: the last but `Completed`."""

    calls: tuple[ModelToolCall, ...]


class ToolsRefused(Struct, frozen=True):
    """The server takes no tools for this model: the request went out again without them. `detail` is its refusal."""

    detail: str


class Completed(Struct, frozen=True):
    """The model is done: always the last event of a stream that did not raise."""

    finish: Finish
    usage: Usage | None = None
    note: str = ""


ModelEvent = TextDelta | ReasoningDelta | ServerWaiting | ToolsRefused | ToolsCalled | Completed


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


class Vector(Protocol):
    """A vector of unit length, as an embedder made it: a list, or a numpy array, which is no Sequence."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[float]: ...


class Clock(Protocol):
    """Time, so that tests can hold it still."""

    def now(self) -> datetime:
        """The time of day, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        ...


class ChatModel(Protocol):
    """A model that answers, streamed."""

    @property
    def provider(self) -> str:
        """The section's name: `deepseek`, `demo` …"""
        ...

    @property
    def model(self) -> str: ...

    @property
    def endpoint(self) -> str:
        """The address that is asked; empty where nothing is."""
        ...

    @property
    def is_demo(self) -> bool:
        """Whether it is a stand-in: rounds are saved, but no weight moves."""
        ...

    @property
    def context_tokens(self) -> int:
        """How long a prompt may be, by the configuration."""
        ...

    def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """The answer as it comes, ended by `Completed`. Raises ModelError. Closing the iterator stops the model."""
        ...

    async def aclose(self) -> None: ...


class Embedder(Protocol):
    """Texts to vectors of unit length, in order, one each."""

    @property
    def model(self) -> str:
        """The identity of the vectors: provider, model and dimensions. Vectors of two models are never compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def trust(self) -> float:
        """What the vectors are worth in fusion: about 1 for a real embedding model, little for hashed n-grams."""
        ...

    @property
    def uncached(self) -> Embedder:
        """The same embedder, without a cache."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Raises EmbeddingError."""
        ...

    async def aclose(self) -> None: ...


class Reranker(Protocol):
    """Puts texts in order by how well each answers a query. Only its order counts: scores of two models, or of one
    model in two servers, are never comparable."""

    @property
    def model(self) -> str:
        """Provider and model, as receipts name them."""
        ...

    @property
    def dialect(self) -> str:
        """How its server is spoken to, as far as is known by now."""
        ...

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        """Positions in `texts`, the best first, each at most once; some may be missing. Raises RerankError."""
        ...

    async def aclose(self) -> None: ...


class ContextLimit(Struct, frozen=True):
    """How long a prompt a model takes, as its server named it in a refusal; `configured` is what the configuration
    said at that time. `token_ratio` is how the server counted, over what the rules estimated."""

    tokens: int
    configured: int
    at: datetime
    token_ratio: float | None = None


class ToolSupport(Struct, frozen=True):
    """Whether a server takes tools for a model, as it was found out `at` this time."""

    takes: bool
    at: datetime


class ModelOffer(Struct, frozen=True):
    """The models of one endpoint, in the order of their names; none, and a `failure`, where its server did not say.
    `used_for` names what each model of it is configured for, also one that is not listed."""

    provider: str
    models: tuple[str, ...] = ()
    used_for: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    failure: OrcaError | None = None

    @property
    def unlisted(self) -> tuple[str, ...]:
        """What is configured and not listed."""
        return tuple(each for each in self.used_for if each not in self.models)


class PromptText(Struct, frozen=True):
    """One prompt in one language, as it is used now. `path` is the user's file, None where the built-in text is used.
    `placeholders` are filled in where the text has them; `lacking` are those of the built-in text that the user's own
    has not. `failure` says why the user's file can't be used."""

    name: str
    language: str
    text: str
    placeholders: tuple[str, ...] = ()
    is_replaceable: bool = False
    path: Path | None = None
    lacking: tuple[str, ...] = ()
    failure: OrcaError | None = None

    @property
    def is_own(self) -> bool:
        return self.path is not None


class AgentCall(Struct, frozen=True):
    """One call, however it ended. `day` is the user's (2026-11-20); `is_estimated` where the provider counted nothing;
    `cost` where a price is known."""

    job: str
    model: str
    at: datetime
    day: str
    prompt_tokens: int
    completion_tokens: int
    is_estimated: bool = False
    cost: Cost | None = None


class DailyUsage(Struct, frozen=True):
    """What one job asked of one model on one day. `estimated` of the calls were not counted by the provider, `priced`
    of them have a share in the cost."""

    day: str
    job: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    estimated: int
    priced: int
    cost: Cost | None = None

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class Allowance(Struct, frozen=True):
    """Today's tokens: how many were used, of how many (0: no limit), and until when jobs rest where they are used
    up."""

    used: int
    limit: int
    rests_until: datetime | None = None
