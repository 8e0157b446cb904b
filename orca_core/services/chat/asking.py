"""The model's part of a turn: asks, streams and stops, goes on behind what it looked up, asks again with less."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import aclosing
from typing import Any, Literal

from msgspec.structs import replace

from orca_core.model.errors import BadModelReply, ContextTooLong, ModelError, OrcaError
from orca_core.model.events import Delta, Event, Queued, Reasoning, Reply
from orca_core.model.llm import (
    ChatMessage,
    ChatRequest,
    Clock,
    Completed,
    Cost,
    Finish,
    ModelEvent,
    ModelToolCall,
    ReasoningDelta,
    ServerWaiting,
    TextDelta,
    Tool,
    ToolsCalled,
    ToolsRefused,
    Usage,
)
from orca_core.model.recall import Item
from orca_core.model.record_types import Ref
from orca_core.owned_tasks import carried_through, log_failure
from orca_core.rules.retrieval import prompt_assembly
from orca_core.rules.retrieval.used_memories import CitationFilter
from orca_core.rules.text import token_count
from orca_core.rules.text.cleaning import clean_message, for_terminal
from orca_core.services.chat.look_ups import LookUpCalls, LookUps
from orca_core.services.chat.prompting import Prompting, TurnPrompt
from orca_core.services.chat.recall import RecallRequest
from orca_core.services.chat.turn import Turn
from orca_core.services.shared.degradation import failed
from orca_core.settings import InjectSettings

KEEP_EVERY_S = 1.0
"""How often what came of an answer is saved. Chosen by hand."""
LEAST_ROOM = 150
"""So many tokens an answer of a tool may always take: a prompt that gets too long by it is sent without. Chosen by
hand."""
REFUSED, FAILED, ENDED = "lookups: refused", "lookups: failed", "lookups: ended"
"""What the receipt says of tools that the server does not take, of a request with their answers that failed, and of a
model that called on past the limit: the last two were asked again without."""

Price = Callable[[Usage | None], Cost | None]
"""Computes what an answer cost; None where the price is not known."""


class AnswerStream:
    """Reads the answer to one prompt into the turn, and stops where the user does. It may take several requests, where
    the model calls tools before it is done: what came before a call stays."""

    def __init__(self, turn: Turn, letters: str, clock: Clock) -> None:
        turn.answer_anew()
        self._turn = turn
        self._clock = clock
        self._filter = CitationFilter((), letters)
        self._citable: frozenset[Ref] = frozenset()
        self._kept_at = clock.monotonic()
        self._kept_length = 0
        self._sent_tokens = 0
        self._may_call = False
        self._is_further = False
        self._begun_at = 0
        self._awaited: asyncio.Future[ModelEvent | None] | None = None
        self.calls: tuple[ModelToolCall, ...] = ()
        self.thought = ""
        """The reasoning before the latest calls."""
        self.tools_refused = ""

    @property
    def latest(self) -> str:
        """The text that came to the latest request."""
        return self._turn.text[self._begun_at :].strip()

    async def events(self, request: ChatRequest, shown: Collection[Item]) -> AsyncGenerator[Event, None]:
        """The answer to a request as it comes, until the model is done or the turn is stopped. `shown` is all that the
        model may cite. A model that fails, or says nothing and calls nothing, raises ModelError; what came so far stays
        in the turn."""
        turn = self._turn
        turn.finish, self.calls, self.thought = Finish.INTERRUPTED, (), ""
        self._sent_tokens = token_count.estimate_request(request)
        self._may_call = bool(request.tools)
        self._filter.go_on(item.ref for item in shown)
        self._citable |= {item.ref for item in shown if item.is_citable}
        self._is_further = bool(turn.text)
        self._begun_at = len(turn.text)
        pieces = turn.model.stream(request)
        stopped = asyncio.create_task(turn.stop.wait())
        try:
            while (piece := await self._next(pieces, stopped)) is not None:
                for event in self._take(piece):
                    yield event
            if rest := self._flush():
                yield Delta(rest)
            self._check()
        finally:
            self._flush()
            turn.citations = tuple(each for each in self._filter.citations if each.ref in self._citable)
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
        turn = self._turn
        match piece:
            case TextDelta(text):
                shown = self._filter.feed(self._parted(clean_message(text)))
                turn.text += shown
                return [Delta(shown)] if shown else []
            case ReasoningDelta(text, takes_back):
                thought = (self._take_back() if takes_back else "") + clean_message(text)
                turn.reasoning += thought
                self.thought += thought
                kept = [Delta(turn.text)] if takes_back and turn.text else []
                return [Reasoning(thought, takes_back), *kept]
            case ServerWaiting(detail):
                return [Queued(detail)]
            case ToolsRefused(detail):
                self.tools_refused = detail
                return []
            case ToolsCalled(calls):
                self.calls = calls if self._may_call else ()
                return []
            case Completed(finish, usage, note):
                turn.finish, turn.usage, turn.note = finish, _sum(turn.usage, usage), note
                if usage is not None or turn.usage is None:
                    turn.estimated_prompt_tokens += self._sent_tokens
                return []

    def _check(self) -> None:
        """Raise ModelError for an answer that ended without anything visible."""
        turn = self._turn
        if turn.finish is not Finish.INTERRUPTED and not self.calls and not for_terminal(turn.text).strip():
            turn.text = ""
            raise BadModelReply(
                template="{provider}: the model answered with nothing that can be seen", hint="try again",
                provider=turn.model.provider,
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
        turn = self._turn
        turn.text, text = turn.text[: self._begun_at], turn.text[self._begun_at :]
        self._filter.take_back(self._begun_at)
        self._is_further = bool(turn.text)
        return text

    def _flush(self) -> str:
        """The text that the filter held back because a citation might have begun there."""
        rest = self._filter.finish()
        self._turn.text += rest
        return rest

    @property
    def _length(self) -> int:
        return len(self._turn.text) + len(self._turn.reasoning)

    def _until_kept_s(self) -> float | None:
        if self._length == self._kept_length:
            return None
        return max(0.0, self._kept_at + KEEP_EVERY_S - self._clock.monotonic())

    def _keep_if_due(self) -> None:
        now = self._clock.monotonic()
        if self._length != self._kept_length and now - self._kept_at >= KEEP_EVERY_S:
            self._kept_at, self._kept_length = now, self._length
            self._turn.keep()


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


class Asking:
    """The part of a turn that waits for the model. `letters` are those of all kinds that an answer may cite."""

    def __init__(
        self,
        *,
        prompting: Prompting,
        lookups: LookUps,
        inject: InjectSettings,
        price: Price,
        clock: Clock,
        letters: str,
    ) -> None:
        self._prompting = prompting
        self._lookups = lookups
        self._inject = inject
        self._price = price
        self._clock = clock
        self._letters = letters

    async def events(self, turn: Turn, prompt: TurnPrompt, recall: RecallRequest) -> AsyncGenerator[Event, None]:
        """Stream the answer; after a refusal for length send a smaller prompt, as long as there is one."""
        started_s = self._clock.monotonic()
        calls = self._lookups.calls(turn, recall, self._room(prompt))
        offered = (self._lookups.tool,) if recall.may_look else ()
        sent: TurnPrompt | None = prompt
        while sent is not None:
            answering = AnswerStream(turn, self._letters, self._clock)
            try:
                async with aclosing(self._answer(turn, answering, sent, offered, calls)) as events:
                    async for event in events:
                        yield event
                break
            except ContextTooLong as error:
                sent = await self._smaller(turn, sent, error)
            except ModelError as error:
                turn.error = error
                break
            finally:
                if answering.tools_refused:
                    offered = ()
                    await self._lookups.refused(turn.model)
            if sent is not None:
                yield turn.inject(sent.injection)
        if turn.text or turn.error is None:
            seconds, cost = self._clock.monotonic() - started_s, self._price(turn.usage)
            yield Reply(turn.text, turn.citations, turn.finish, turn.usage, seconds, turn.note, cost)
        if turn.error is not None:
            yield failed(turn.error)

    async def _answer(
        self, turn: Turn, answering: AnswerStream, sent: TurnPrompt, offered: tuple[Tool, ...], calls: LookUpCalls
    ) -> AsyncGenerator[Event, None]:
        """The answer to a prompt, with what the model calls before it. Where its calls lead to none, the same prompt is
        sent without tools."""
        first = request = replace(sent.request, tools=offered)
        while True:
            try:
                async with aclosing(answering.events(request, turn.injection.shown)) as events:
                    async for event in events:
                        yield event
            except ModelError:
                if request is first or answering.latest:
                    raise
                self._lookups.ended(turn.model, well=False)
                why = FAILED
                break
            if request is not first:
                self._lookups.ended(turn.model, well=True)
            if answering.tools_refused:
                yield turn.add_rule(REFUSED)
            if not answering.calls:
                return
            if calls.are_over:
                why = ENDED
                break
            async with aclosing(calls.answered(answering.calls)) as events:
                async for event in events:
                    yield event
            if turn.stop.is_set():
                turn.finish = Finish.INTERRUPTED
                return
            said = ChatMessage("assistant", answering.latest, answering.calls, answering.thought)
            request = replace(request, messages=(*request.messages, said, *calls.answers))
        yield turn.add_rule(why)
        async with aclosing(answering.events(sent.request, turn.injection.injected)) as events:
            async for event in events:
                yield event

    def _room(self, sent: TurnPrompt) -> int:
        """How many tokens each answer of a tool may take: as many as the block of memories, where so many are left."""
        left = prompt_assembly.prompt_room(sent.context_tokens) - sent.tokens
        return max(LEAST_ROOM, min(prompt_assembly.budget_tokens(sent.tokens, self._inject), left // 2))

    async def _smaller(self, turn: Turn, refused: TurnPrompt, error: ContextTooLong) -> TurnPrompt | None:
        """The prompt to send after a refusal; None where there is none smaller, with the turn's error set."""
        try:
            smaller = await self._prompting.smaller(turn.model, refused, error)
        except OrcaError as final:
            turn.error = final
            return None
        if turn.text:
            turn.error = error
            return None
        return smaller
