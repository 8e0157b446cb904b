"""Asks the memory agent for a whole answer, and records the exchange."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.config.own_prompts import own_path, own_text
from orca_core.model.errors import BadModelReply, ContextTooLong, ModelUnavailable, OrcaError
from orca_core.model.learning import AgentMessage
from orca_core.model.llm import (
    ChatMessage,
    ChatModel,
    ChatRequest,
    Clock,
    Completed,
    Finish,
    JsonSchema,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from orca_core.model.sessions import Round
from orca_core.owned_tasks import carried_through
from orca_core.rules.learning import run_schedule, transcripts
from orca_core.rules.text.spelling import Language, language_of
from orca_core.services.shared.spending import Spending

TEMPERATURE = 0.1
"""Chosen by hand."""
MAX_ANSWER_CHARS = 400_000
"""Chosen by hand."""
MAX_ANSWER_TOKENS = 4_096
"""What an answer may cost, thoughts included. The longest that is wanted, ten facts or a summary, takes a fifth, so
that a model that thinks although it was told not to comes to its end, too. Chosen by hand."""
MAX_ANSWER_S = 600.0
"""Ends the answer of a server that sends a byte now and then and so never times out. Chosen by hand."""


def instructions(name: str, language: Language, agents_folder: Path | None) -> str:
    """The text that tells the agent what to do: the user's own file, looked for each time, for it may be edited while
    Orca runs; else the built-in one. Raises ConfigError where the own file can't be read."""
    path = None if agents_folder is None else own_path(agents_folder, name, language)
    return (own_text(path) if path is not None else "") or prompts.builtin(f"{name}.{language}")


def language_in(rounds: Sequence[Round]) -> Language:
    """The language that the user writes in."""
    typed = "\n".join(text for _, text in transcripts.testimony(rounds).typed)
    return language_of(typed or "\n".join(each.user for each in rounds))


def with_local_dates(rounds: Sequence[Round]) -> list[Round]:
    """The rounds with their dates in the user's own time zone."""
    return [replace(each, at=each.at.astimezone()) for each in rounds]


class AgentAnswer(Struct, frozen=True):
    """An answer with how it ended, and the messages that this call added to the record."""

    text: str
    finish: Finish
    record: tuple[AgentMessage, ...]


class MemoryAgent:
    """The model that learns and sums up."""

    def __init__(self, model: Callable[[], ChatModel], spending: Spending, clock: Clock) -> None:
        self._model = model
        self._spending = spending
        self._clock = clock

    @property
    def name(self) -> str:
        """The model's name, for the origin of the facts. Raises ConfigError where no model can be made."""
        return self._model().model

    async def has_tokens_left(self) -> bool:
        """Whether today's tokens allow another call. Raises StorageError."""
        return (await self._spending.today()).rests_until is None

    async def ask(
        self,
        messages: Sequence[ChatMessage],
        *,
        new: Sequence[ChatMessage],
        as_json: bool,
        job: str,
        schema: JsonSchema | None = None,
    ) -> AgentAnswer:
        """Ask for an answer, in JSON of the `schema` where the provider takes that. `new` are the messages that are not
        on record yet, `job` is who asks. Raises ModelError or ConfigError."""
        asked_at = self._clock.now()
        model = self._model()
        heard = _Heard(model.provider)
        try:
            async with asyncio.timeout(MAX_ANSWER_S):
                request = ChatRequest(
                    tuple(messages),
                    temperature=TEMPERATURE,
                    max_tokens=MAX_ANSWER_TOKENS,
                    json_object=as_json,
                    schema=schema,
                )
                try:
                    await heard.listen(model, request)
                except ContextTooLong:  # a small context may hold the question, and not so long an answer
                    await heard.listen(model, replace(request, max_tokens=None))
        except TimeoutError:
            raise ModelUnavailable(
                provider=model.provider,
                template="{provider}: no whole answer within {limit} s",
                limit=int(MAX_ANSWER_S),
            ) from None
        except OrcaError:
            heard.was_refused = not heard.pieces
            raise
        finally:
            if not model.is_demo:
                tokens = run_schedule.count_tokens(heard.usage, messages, heard.text, was_taken=not heard.was_refused)
                await carried_through(self._spending.note(job, model.model, heard.usage, tokens))
        answer = AgentMessage("assistant", heard.text, self._clock.now(), model.model, heard.usage)
        record = (*(AgentMessage(each.role, each.content, asked_at) for each in new), answer)
        return AgentAnswer(heard.text, heard.finish, record)


def schema_of(answer: type[Any]) -> JsonSchema:
    """The JSON schema of a type, an object at its root, as providers want it."""
    [root], parts = msgspec.json.schema_components((answer,), ref_template="#/$defs/{name}")
    name = root["$ref"].rpartition("/")[2]
    shape = {key: value for key, value in parts[name].items() if key != "title"}
    further = {key: value for key, value in parts.items() if key != name}
    return JsonSchema(name, {**shape, "$defs": further} if further else shape)


class _Heard:
    """What came of one answer so far."""

    def __init__(self, provider: str) -> None:
        self.pieces: list[str] = []
        self.finish = Finish.INTERRUPTED
        self.usage: Usage | None = None
        self.was_refused = False
        self._provider = provider
        self._length = 0

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    async def listen(self, model: ChatModel, request: ChatRequest) -> None:
        """Read the answer to its end. Raises ModelError."""
        async with aclosing(model.stream(request)) as stream:
            async for event in stream:
                match event:
                    case TextDelta(text):
                        self._add(text)
                    case ReasoningDelta(takes_back=True):
                        self.pieces.clear()
                        self._length = 0
                    case Completed(finish, usage, _):
                        self.finish, self.usage = finish, usage
                        return

    def _add(self, text: str) -> None:
        self.pieces.append(text)
        self._length += len(text)
        if self._length > MAX_ANSWER_CHARS:
            raise BadModelReply(
                provider=self._provider,
                template="{provider}: the answer is longer than {limit} characters",
                limit=MAX_ANSWER_CHARS,
            )
