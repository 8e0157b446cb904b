"""The model's part of a turn: stream, stop, save what came, take citations out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from typing import Any, Literal

from orca_core.model.errors import BadModelReply
from orca_core.model.events import Delta, Event, Queued, Reasoning
from orca_core.model.llm import (
    ChatModel,
    ChatRequest,
    Clock,
    Completed,
    Finish,
    ModelEvent,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolsCalled,
    ToolsRefused,
    Usage,
    Waiting,
)
from orca_core.model.recall import Citation, Item
from orca_core.model.records import Ref
from orca_core.rules.retrieval.use.citations import CitationFilter
from orca_core.rules.text import tokens
from orca_core.rules.text.cleaning import clean_message, for_terminal
from orca_core.unattended import carried_through, log_failure

KEEP_EVERY_S = 1.0
"""How often what came of an answer is saved. Chosen by hand."""

Keep = Callable[[str, str], None]
"""Callback for what came so far, the answer and the reasoning, to be saved beside the stream."""


class Answer:
    """One answer while it comes, and what is known of it when it ended. It may take several requests, where the model
    calls tools before it is done: what came before a call stays.

    Iterate `events` to its end for each; a model that fails, or says nothing and calls nothing, raises ModelError
    there, with what came so far kept in `text`.
    """

    def __init__(self, model: ChatModel, *, letters: str, stop: asyncio.Event, clock: Clock, keep: Keep) -> None:
        self._model = model
        self._stop = stop
        self._clock = clock
        self._keep = keep
        self._filter = CitationFilter((), letters)
        self._citable: frozenset[Ref] = frozenset()
        self._kept_at = clock.monotonic()
        self._kept_length = 0
        self._sent_tokens = 0
        self._may_call = False
        self._is_further = False
        self._begun_at = 0
        self._awaited: asyncio.Future[ModelEvent | None] | None = None
        self.text = ""
        self.reasoning = ""
        self.finish: Finish = Finish.INTERRUPTED
        self.usage: Usage | None = None
        self.note = ""
        self.calls: tuple[ToolCall, ...] = ()
        self.thought = ""
        """What it thought before the latest calls."""
        self.tools_refused = ""
        self.estimated_prompt_tokens = 0
        """The tokens of what was sent and counted, by the rules alone; compared with what the provider counts."""

    @property
    def latest(self) -> str:
        """What the model said to the latest request."""
        return self.text[self._begun_at :].strip()

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(each for each in self._filter.citations if each.ref in self._citable)

    async def events(self, request: ChatRequest, shown: Collection[Item]) -> AsyncGenerator[Event, None]:
        """The answer to a request as it comes, until the model is done or `stop` is set. `shown` is all that the model
        may cite."""
        self.finish, self.calls, self.thought = Finish.INTERRUPTED, (), ""
        self._sent_tokens = tokens.estimate_request(request)
        self._may_call = bool(request.tools)
        self._filter.go_on(item.ref for item in shown)
        self._citable |= {item.ref for item in shown if item.is_citable}
        self._is_further = bool(self.text)
        self._begun_at = len(self.text)
        pieces = self._model.stream(request)
        stopped = asyncio.create_task(self._stop.wait())
        try:
            while (piece := await self._next(pieces, stopped)) is not None:
                for event in self._take(piece):
                    yield event
            if rest := self._flush():
                yield Delta(rest)
            self._check()
        finally:
            self._flush()
            stopped.cancel()
            await carried_through(self._close(pieces))

    async def _next(
        self, pieces: AsyncGenerator[ModelEvent, None], stopped: asyncio.Task[Literal[True]]
    ) -> ModelEvent | None:
        """The next piece, with what came saved while waiting; None at the end or when stopped."""
        self._awaited = awaited = asyncio.ensure_future(anext(pieces, None))
        while not awaited.done():
            if stopped.done():
                return None
            waited: set[asyncio.Future[Any]] = {awaited, stopped}
            await asyncio.wait(waited, timeout=self._until_kept_s(), return_when=asyncio.FIRST_COMPLETED)
            self._keep_if_due()
        self._awaited = None
        return awaited.result()

    async def _close(self, pieces: AsyncGenerator[ModelEvent, None]) -> None:
        """Close the stream and cancel the piece that was being read. Their exceptions go to the log."""
        if self._awaited is not None:
            self._awaited.cancel()
            await asyncio.wait({self._awaited})
            log_failure(self._awaited)
        closed = asyncio.ensure_future(pieces.aclose())
        await asyncio.wait({closed})
        log_failure(closed)

    def _take(self, piece: ModelEvent) -> list[Event]:
        match piece:
            case TextDelta(text):
                shown = self._filter.feed(self._parted(clean_message(text)))
                self.text += shown
                return [Delta(shown)] if shown else []
            case ReasoningDelta(text, takes_back):
                thought = (self._take_back() if takes_back else "") + clean_message(text)
                self.reasoning += thought
                self.thought += thought
                kept = [Delta(self.text)] if takes_back and self.text else []
                return [Reasoning(thought, takes_back), *kept]
            case Waiting(detail):
                return [Queued(detail)]
            case ToolsRefused(detail):
                self.tools_refused = detail
                return []
            case ToolsCalled(calls):
                self.calls = calls if self._may_call else ()
                return []
            case Completed(finish, usage, note):
                self.finish, self.usage, self.note = finish, _sum(self.usage, usage), note
                if usage is not None or self.usage is None:
                    self.estimated_prompt_tokens += self._sent_tokens
                return []

    def _check(self) -> None:
        """Raise ModelError for an answer that ended without anything visible."""
        if self.finish is not Finish.INTERRUPTED and not self.calls and not for_terminal(self.text).strip():
            self.text = ""
            raise BadModelReply(
                template="{provider}: the model answered with nothing that can be seen", hint="try again",
                provider=self._model.provider,
            )  # fmt: skip

    def _parted(self, text: str) -> str:
        """More of the answer; behind what came before a call it begins a paragraph."""
        if not self._is_further or not text.strip():
            return text
        self._is_further = False
        return f"\n\n{text.lstrip()}"

    def _take_back(self) -> str:
        """The text that came to this request, though it was no answer; what came to an earlier one stays."""
        self._flush()
        self.text, text = self.text[: self._begun_at], self.text[self._begun_at :]
        self._filter.take_back(self._begun_at)
        self._is_further = bool(self.text)
        return text

    def _flush(self) -> str:
        """The text that the filter held back because a citation might have begun there."""
        rest = self._filter.finish()
        self.text += rest
        return rest

    @property
    def _length(self) -> int:
        return len(self.text) + len(self.reasoning)

    def _until_kept_s(self) -> float | None:
        if self._length == self._kept_length:
            return None
        return max(0.0, self._kept_at + KEEP_EVERY_S - self._clock.monotonic())

    def _keep_if_due(self) -> None:
        now = self._clock.monotonic()
        if self._length == self._kept_length or now - self._kept_at < KEEP_EVERY_S:
            return
        self._kept_at, self._kept_length = now, self._length
        self._keep(self.text, self.reasoning)


def _sum(before: Usage | None, more: Usage | None) -> Usage | None:
    """What several requests took together; what nobody counted is left out."""
    if before is None or more is None:
        return more or before
    cost = None if before.cost is None and more.cost is None else (before.cost or 0.0) + (more.cost or 0.0)
    return Usage(
        before.prompt_tokens + more.prompt_tokens,
        before.completion_tokens + more.completion_tokens,
        before.cached_tokens + more.cached_tokens,
        before.reasoning_tokens + more.reasoning_tokens,
        cost,
    )
