"""The model's part of a turn: stream, stop, save what came, take citations out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from typing import Any, Literal

from orca_core.domain.errors import BadModelReply
from orca_core.domain.events import Delta, Event, Queued, Reasoning
from orca_core.domain.messages import (
    ChatRequest,
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
from orca_core.domain.ports import ChatModel, Clock
from orca_core.domain.recall import Citation, Item
from orca_core.rules.recalling.use.citations import CitationFilter
from orca_core.rules.text import tokens
from orca_core.rules.text.cleaning import clean_message, for_terminal
from orca_core.unattended import carried_through, log_failure

KEEP_EVERY_S = 1.0
"""How often what came of an answer is saved. Chosen by hand."""

Keep = Callable[[str, str], None]
"""Callback for what came so far, the answer and the reasoning, to be saved beside the stream."""


class Answer:
    """One answer while it comes, and what is known of it when it ended.

    Iterate `events` to its end; a model that fails, or says nothing, raises ModelError there, with what came so far
    kept in `text`.
    """

    def __init__(
        self,
        model: ChatModel,
        request: ChatRequest,
        *,
        shown: Collection[Item],
        letters: str,
        stop: asyncio.Event,
        clock: Clock,
        keep: Keep,
    ) -> None:
        self._model = model
        self._request = request
        self._stop = stop
        self._clock = clock
        self._keep = keep
        self._shown = tuple(item.ref for item in shown)
        self._citable = frozenset(item.ref for item in shown if item.is_citable)
        self._letters = letters
        self._filter = CitationFilter(self._shown, letters)
        self._kept_at = clock.monotonic()
        self._kept_length = 0
        self._awaited: asyncio.Future[ModelEvent | None] | None = None
        self.text = ""
        self.reasoning = ""
        self.finish: Finish = Finish.INTERRUPTED
        self.usage: Usage | None = None
        self.note = ""
        self.calls: tuple[ToolCall, ...] = ()
        self.tools_refused = ""

    @property
    def estimated_prompt_tokens(self) -> int:
        """The tokens that were sent, by the rules alone; compared with what the provider counts."""
        return tokens.estimate_messages(self._request.messages)

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(each for each in self._filter.citations if each.ref in self._citable)

    async def events(self) -> AsyncGenerator[Event, None]:
        """The answer as it comes, until the model is done or `stop` is set."""
        pieces = self._model.stream(self._request)
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
                shown = self._filter.feed(clean_message(text))
                self.text += shown
                return [Delta(shown)] if shown else []
            case ReasoningDelta(text, takes_back):
                thought = (self._take_back() if takes_back else "") + clean_message(text)
                self.reasoning += thought
                return [Reasoning(thought, takes_back)]
            case Waiting(detail):
                return [Queued(detail)]
            case ToolsRefused(detail):
                self.tools_refused = detail
                return []
            case ToolsCalled(calls):
                self.calls = calls
                return []
            case Completed(finish, usage, note):
                self.finish, self.usage, self.note = finish, usage, note
                return []

    def _check(self) -> None:
        """Raise ModelError for an answer that ended without anything visible."""
        if self.finish is not Finish.INTERRUPTED and not for_terminal(self.text).strip():
            self.text = ""
            raise BadModelReply(
                template="{provider}: the model answered with nothing that can be seen", hint="try again",
                provider=self._model.provider,
            )  # fmt: skip

    def _take_back(self) -> str:
        """The text that came though the answer was none."""
        self._flush()
        text, self.text = self.text, ""
        self._filter = CitationFilter(self._shown, self._letters)
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
