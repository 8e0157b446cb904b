"""Begins a turn: finds the session, reads its rounds, and has the user's message saved before anything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime

from msgspec import Struct

from orca_core.model.errors import InvalidInput, NotFound, StorageError
from orca_core.model.llm import Clock, Span
from orca_core.model.memories import Memory, NewMemory, Origin, OriginKind
from orca_core.model.recall import Injection, Level
from orca_core.model.sessions import Round, RoundStart, RoundState, SessionById, TurnRequest, checked_session_id
from orca_core.rules.memory import undo
from orca_core.rules.requests import remembering
from orca_core.rules.retrieval.prompting import prompt
from orca_core.rules.text import cleaning, spans
from orca_core.services.chat.running_round import RunningRound
from orca_core.services.shared.saves import Saves
from orca_core.store.protocols import DialogueStore

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
