"""Begins a turn: finds the session, reads its rounds, and has the user's message saved before anything else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, NotFound, OrcaError, StorageError
from orca_core.model.events import Event, Failed, ForgetProposed, Injected, LookedUp, Saved
from orca_core.model.llm import ChatModel, Clock, Finish, Span
from orca_core.model.memories import Memory, NewMemory, Origin, OriginKind
from orca_core.model.recall import Injection, Level, Receipt, References
from orca_core.model.sessions import (
    Round,
    RoundOutcome,
    RoundStart,
    RoundState,
    SessionById,
    StartedRound,
    TurnRequest,
    checked_session_id,
)
from orca_core.rules.memory import causes, undo
from orca_core.rules.requests import remembering
from orca_core.rules.requests.forgetting import forget_request
from orca_core.rules.retrieval.prompting import prompt
from orca_core.rules.text import cleaning, spans
from orca_core.services.shared.failures import not_saved
from orca_core.services.shared.levels import Levels
from orca_core.services.shared.saving import Saves, Write
from orca_core.services.shared.search import MemorySearch
from orca_core.store.protocols import DialogueStore, PlanRetry

if TYPE_CHECKING:
    from orca_core.services.chat.asking import Answer

EndState = Literal["interrupted", "failed"]


class RunningRound:
    """Writes in this order: the question, the answer so far (the latest state only), the end. Nothing here waits for
    the database."""

    def __init__(self, start: RoundStart, expected_number: int, dialogues: DialogueStore, saves: Saves) -> None:
        self.start = start
        self.started: StartedRound | None = None
        self._expected_number = expected_number
        self._dialogues = dialogues
        self._saves = saves
        self._answer = ("", "")
        self._state = RoundState.STREAMING
        self._partial: Write[None] | None = None
        self._begun: Write[StartedRound] | None = None
        self._ended: Write[RoundOutcome] | Write[None] | None = None

    @property
    def number(self) -> int:
        """Its number in the session; a guess until the question is written."""
        return self.started.number if self.started else self._expected_number

    @property
    def has_ended(self) -> bool:
        """Whether its end is queued, though it may not be written yet."""
        return self._ended is not None

    @property
    def is_over(self) -> bool:
        """Whether all of it is written, or refused for good."""
        if self._begun is not None and self._begun.is_refused:
            return True
        return self._ended is not None and self._ended.is_over

    def as_round(self) -> Round:
        """The round as the database would return it, were it written already."""
        answer, _reasoning = self._answer
        return Round(
            id=self.started.id if self.started else 0,
            session_id=self.start.session_id,
            number=self.number,
            attempt=self.started.attempt if self.started else 1,
            user=spans.join(self.start.spans),
            spans=self.start.spans,
            assistant=answer,
            state=self._state,
            at=self.start.at,
        )

    def begin(self, plan_retry: PlanRetry) -> Write[StartedRound]:
        """Queue the write of the question."""

        async def write() -> StartedRound:
            self.started = await self._dialogues.begin_round(self.start, plan_retry)
            return self.started

        self._begun = self._saves.put(write)
        return self._begun

    def keep(self, answer: str, reasoning: str) -> None:
        """Queue the write of what came so far; it replaces one that still waits."""
        self._answer = (answer, reasoning)
        if self._partial is None or self._partial.is_over:
            self._partial = self._saves.put(self._write_partial)

    def finish(
        self,
        answer: str,
        reasoning: str,
        record: Callable[[StartedRound], Awaitable[RoundOutcome]],
        on_written: Callable[[RoundOutcome], None],
    ) -> Write[RoundOutcome]:
        """Queue the record of the whole round."""
        self._answer, self._state = (answer, reasoning), RoundState.DONE

        async def write() -> RoundOutcome:
            return await record(self._written_start())

        written = self._ended = self._saves.put(write, on_written)
        return written

    def end(
        self,
        error: OrcaError | None,
        answer: str,
        reasoning: str,
        injection: Injection,
        on_written: Callable[[None], None] | None = None,
    ) -> Write[None]:
        """Queue the end of a round that was cut or failed, with what came of it, and the cause."""
        state: EndState = "failed" if error and not answer else "interrupted"
        self._answer, self._state = (answer, reasoning), RoundState(state)

        async def write() -> None:
            started = self._written_start()
            receipt = Receipt(started.session_id, started.number, injection, References())
            await self._dialogues.end_round(started.id, state, answer, reasoning, receipt, causes.of_end(error))

        written = self._ended = self._saves.put(write, on_written)
        return written

    async def _write_partial(self) -> None:
        if self._ended is None:  # else the queued end holds more
            await self._dialogues.save_partial(self._written_start().id, *self._answer)

    def _written_start(self) -> StartedRound:
        """Raises the refusal of the question: without it nothing else of the round can be written."""
        assert self._begun is not None
        return self._begun.result()


PRIVATE = "private"
"""The session of private turns, which are not stored."""


class OpenedTurn(Struct, frozen=True):
    """A turn whose question is being saved; `round` is None for a private turn, of which nothing is saved. Its history
    are the latest rounds before it, as many as a prompt may hold. `unsaved` says why the question is not written yet,
    `unread` why earlier rounds could not be read."""

    session_id: str
    spans: tuple[Span, ...]
    history: tuple[Round, ...]
    round: RunningRound | None
    unsaved: StorageError | None = None
    unread: StorageError | None = None

    @property
    def is_private(self) -> bool:
        return self.round is None

    @property
    def number(self) -> int:
        return self.round.number if self.round else _next_number(self.history)

    @property
    def remembered(self) -> Memory | None:
        """What was remembered at once, because the question asked for it."""
        started = self.round.started if self.round else None
        return started.remembered.memory if started and started.remembered else None

    @property
    def is_first_round(self) -> bool:
        """Whether no finished answer stands before it."""
        return not any(each.state is RoundState.DONE for each in self.history)


class Opening:
    """Finds or makes the session, reads its rounds, has the question saved."""

    def __init__(
        self,
        dialogues: DialogueStore,
        saves: Saves,
        clock: Clock,
        new_session_id: Callable[[datetime], str],
        *,
        max_history: int,
        notes_acts: bool,
    ) -> None:
        self._dialogues = dialogues
        self._saves = saves
        self._clock = clock
        self._new_session_id = new_session_id
        self._max_history = max_history
        self._notes_acts = notes_acts
        self._unwritten: list[RunningRound] = []
        self._readers = 0
        self._nobody_reads = asyncio.Event()
        self._nobody_reads.set()
        self._is_closing = False

    async def open(self, request: TurnRequest, *, keeps_memory: bool) -> OpenedTurn:
        """Open the turn. Raises InvalidInput or NotFound where the request itself is wrong."""
        said = spans.normalise(tuple(Span(cleaning.clean_message(span.text), span.source) for span in request.spans))
        if not spans.join(said).strip():
            raise InvalidInput(template="there is nothing to send")
        if request.is_private:
            return OpenedTurn(PRIVATE, said, request.private_history, None)
        session_id = self._named(request)
        with self._reading():
            history, unread = await self._history(request, session_id)
        start = RoundStart(
            session_id=session_id,
            title=title_of(said),
            spans=said,
            at=self._clock.now(),
            replaces=request.replaces,
            remember=memory_to_write(said, session_id) if keeps_memory else None,
            continues=bool(history),
            is_act=keeps_memory and self._notes_acts,
        )
        begun = RunningRound(start, request.replaces or _next_number(history), self._dialogues, self._saves)
        unsaved = await self._begin(begun)
        return OpenedTurn(session_id, said, history, begun, unsaved, unread)

    async def aclose(self) -> None:
        """Save the questions of turns that are being opened, without an answer. Waits for those that still read
        their earlier rounds, at most a turn's patience."""
        self._is_closing = True
        with suppress(TimeoutError):
            async with asyncio.timeout(self._saves.patience_s):
                await self._nobody_reads.wait()
        for begun in self._unwritten:
            if not begun.has_ended:
                _leave(begun)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        self._readers += 1
        self._nobody_reads.clear()
        try:
            yield
        finally:
            self._readers -= 1
            if not self._readers:
                self._nobody_reads.set()

    async def _begin(self, begun: RunningRound) -> StorageError | None:
        """Why the question is not written yet, if so; the write goes on. Raises its refusal."""
        self._unwritten = [each for each in self._unwritten if not each.is_over]
        self._unwritten.append(begun)
        written = begun.begin(undo.plan_retried)
        if self._is_closing:
            _leave(begun)
        try:
            await written.outcome(self._saves.patience_s)
        except StorageError as error:
            return error
        except asyncio.CancelledError:
            if not begun.has_ended:
                _leave(begun)
            raise
        return None

    async def _history(self, request: TurnRequest, session_id: str) -> tuple[tuple[Round, ...], StorageError | None]:
        """Earlier rounds, also those not written yet; or why they can't be read."""
        unread: StorageError | None = None
        read: Sequence[Round] = ()
        unwritten = self._unwritten_of(session_id)
        try:
            read = await self._read(request, is_known=bool(unwritten))
        except StorageError as error:
            unread = error
        rounds = {each.number: each for each in (*read, *unwritten)}
        before = request.replaces
        return tuple(rounds[number] for number in sorted(rounds) if before is None or number < before), unread

    def _unwritten_of(self, session_id: str) -> tuple[Round, ...]:
        """The ended rounds that the database does not know completely yet."""
        return tuple(
            each.as_round()
            for each in self._unwritten
            if each.has_ended and not each.is_over and each.start.session_id == session_id
        )

    def _named(self, request: TurnRequest) -> str:
        """The id of the session that was named, else of a new one."""
        if isinstance(request.session, SessionById):
            return request.session.id
        return self._new_session_id(self._clock.now())

    async def _read(self, request: TurnRequest, *, is_known: bool) -> Sequence[Round]:
        """The latest rounds of the session that was named. Raises NotFound where it must exist and does not; a session
        that `is_known` is still being written."""
        if not isinstance(request.session, SessionById):
            return ()
        session_id = request.session.id
        if latest := await self._latest(session_id):
            return latest
        try:
            await self._dialogues.session(session_id)
        except NotFound as error:
            if is_known:
                return ()
            if request.session.may_be_new and request.replaces is None:
                checked_session_id(session_id)
                return ()
            raise NotFound(what="session", id=session_id, hint="it may have been deleted; begin a new one") from error
        return ()

    async def _latest(self, session_id: str) -> Sequence[Round]:
        """The latest rounds of a session, as many as a prompt may hold; further back where many have no answer."""
        wanted = self._max_history + 2  # one may be asked again, and one more tells whether there are older ones
        while True:
            rounds = await self._dialogues.rounds(session_id, last=wanted)
            if len(rounds) < wanted or prompt.fills_window(rounds[:-1], self._max_history):
                return rounds
            wanted *= 2


def _leave(begun: RunningRound) -> None:
    """Save the question of a turn that will not be answered."""
    begun.end(None, "", "", Injection(Level.NONE, ()))


def _next_number(history: tuple[Round, ...]) -> int:
    return history[-1].number + 1 if history else 1


def title_of(said: tuple[Span, ...]) -> str:
    """The first title of a session: how its first question begins."""
    return cleaning.one_line(spans.typed_text(said).strip() or spans.join(said), cleaning.TITLE_CHARS)


def memory_to_write(said: tuple[Span, ...], session_id: str) -> NewMemory | None:
    """The memory that the user asks to keep, if any. The store adds the round to its origin."""
    asked = remembering.remember_request(said)
    if asked is None:
        return None
    content = cleaning.clean_memory(asked)
    return NewMemory(
        content=content,
        type=remembering.remembered_type(content),
        origin=Origin(OriginKind.USER, session_id=session_id, quote=content),
    )


class RunningTurn:
    """One turn between its first and its last event."""

    def __init__(self, opened: OpenedTurn, model: ChatModel, saves: Saves, stop: asyncio.Event) -> None:
        self.opened = opened
        self.model = model
        self.stop = stop
        self.injection = Injection(level=Level.FULL, rules=())
        self.answer: Answer | None = None
        self.error: OrcaError | None = None
        self._notes: tuple[str, ...] = ()
        self._saves = saves
        self._has_complained = False
        self._is_start_reported = False

    @property
    def is_whole(self) -> bool:
        """Whether the answer is complete."""
        return self.answer is not None and self.error is None and self.answer.finish is not Finish.INTERRUPTED

    def keep(self, text: str, reasoning: str) -> None:
        """Save what came so far, beside the stream."""
        if self.opened.round is not None:
            self.opened.round.keep(text, reasoning)

    def note(self, rule: str) -> Injected:
        """Add a rule to the receipt; returns the event that tells what it says by now."""
        self._notes = (*self._notes, rule)
        self.injection = replace(self.injection, rules=(*self.injection.rules, rule))
        return Injected(self.injection)

    def inject(self, injection: Injection) -> Injected:
        """Take what a smaller prompt holds, with what was noted and looked up so far."""
        rules = (*injection.rules, *self._notes)
        self.injection = replace(injection, rules=rules, lookups=self.injection.lookups)
        return Injected(self.injection)

    def take(self, event: Event) -> None:
        """Add what the model looked up to the receipt."""
        if isinstance(event, LookedUp):
            self.injection = replace(self.injection, lookups=(*self.injection.lookups, event.lookup))

    def end(self) -> Write[None] | None:
        """Save a round that was cut or failed, with what came of it; None where it has ended already, or where the
        turn is private."""
        running = self.opened.round
        if running is None or running.has_ended:
            return None
        text = self.answer.text if self.answer else ""
        reasoning = self.answer.reasoning if self.answer else ""
        return running.end(self.error, text, reasoning, self.injection, lambda _none: self.was_written())

    def unreported_start(self) -> StartedRound | None:
        """What saving the question changed, the first time that it is known; None afterwards."""
        started = self.opened.round.started if self.opened.round else None
        if started is None or self._is_start_reported:
            return None
        self._is_start_reported = True
        return started

    def was_written(self) -> None:
        """Report that the round is saved, where a failed save was reported before; also after the turn has ended."""
        if self._has_complained:
            self._saves.tell(Saved(self.opened.session_id, self.opened.number))

    def complain(self, error: StorageError) -> Failed | None:
        """The event of a failed save: once a turn."""
        if self._has_complained:
            return None
        self._has_complained = True
        return not_saved(error)


async def forget_proposal(opened: OpenedTurn, search: MemorySearch, levels: Levels) -> ForgetProposed | None:
    """The memories that would be archived if the user agrees; None where the question asks for no such thing."""
    wanted = forget_request(opened.spans)
    if wanted is None:
        return None
    try:
        return ForgetProposed(tuple(await search.meant(wanted)))
    except StorageError:
        levels.long_term_failed()
        return ForgetProposed(())
