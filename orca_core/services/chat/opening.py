"""Begins a turn: finds the session, reads its rounds, and has the user's message saved before anything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime

from orca_core.model.errors import InvalidInput, NotFound, StorageError
from orca_core.model.events import ForgetProposed
from orca_core.model.llm import ChatModel, Clock, Span
from orca_core.model.memories import NewMemory, Origin, OriginKind
from orca_core.model.recall import Injection, Level
from orca_core.model.sessions import Round, RoundStart, SessionById, TurnRequest, checked_session_id
from orca_core.operations.sessions import SessionStore
from orca_core.rules.requests import remember_and_forget
from orca_core.rules.requests.remember_and_forget import forget_request
from orca_core.rules.retrieval import prompt_assembly
from orca_core.rules.text import cleaning, typed_spans
from orca_core.services.chat.turn import Turn
from orca_core.services.shared.degradation import Levels
from orca_core.services.shared.saving import Saves
from orca_core.services.shared.search import MemorySearch


class TurnOpening:
    """Finds or makes the session, reads its rounds, has the question saved."""

    def __init__(
        self,
        dialogues: SessionStore,
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
        self._unwritten: list[Turn] = []
        self._readers = 0
        self._nobody_reads = asyncio.Event()
        self._nobody_reads.set()
        self._is_closing = False

    async def open(self, request: TurnRequest, model: ChatModel, stop: asyncio.Event, *, keeps_memory: bool) -> Turn:
        """The turn, its question saved or on its way. Raises InvalidInput or NotFound where the request is wrong."""
        said = typed_spans.merge_spans(
            tuple(Span(cleaning.clean_message(span.text), span.source) for span in request.spans)
        )
        if not typed_spans.join_spans(said).strip():
            raise InvalidInput(template="there is nothing to send")
        history, start, unread = request.private_history, None, None
        if not request.is_private:
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
        turn = Turn(
            request,
            model,
            stop,
            said,
            history,
            keeps_memory=keeps_memory,
            start=start,
            dialogues=self._dialogues,
            saves=self._saves,
        )
        turn.unread = unread
        if start is not None:
            await self._begin(turn, start)
        return turn

    async def aclose(self) -> None:
        """Save the questions of turns that are being opened, without an answer. Waits for those that still read
        their earlier rounds, at most a turn's patience."""
        self._is_closing = True
        with suppress(TimeoutError):
            async with asyncio.timeout(self._saves.patience_s):
                await self._nobody_reads.wait()
        for turn in self._unwritten:
            _leave(turn)

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

    async def _begin(self, turn: Turn, start: RoundStart) -> None:
        """Have the question written; where that is not done at once, the turn goes on and knows why. Raises the
        refusal of the write."""
        self._unwritten = [each for each in self._unwritten if not each.is_settled]
        self._unwritten.append(turn)
        written = turn.begin(start)
        if self._is_closing:
            _leave(turn)
        try:
            await written.outcome(self._saves.patience_s)
        except StorageError as error:
            turn.unsaved = error
        except asyncio.CancelledError:
            _leave(turn)
            raise

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
            if each.has_ended and not each.is_settled and each.session_id == session_id
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
            if len(rounds) < wanted or prompt_assembly.fills_window(rounds[:-1], self._max_history):
                return rounds
            wanted *= 2


def _leave(turn: Turn) -> None:
    """Save the question of a turn that will not be answered."""
    if not turn.has_ended:
        turn.injection = Injection(Level.NONE, ())
        turn.end()


def title_of(said: tuple[Span, ...]) -> str:
    """The first title of a session: how its first question begins."""
    return cleaning.one_line(typed_spans.typed_text(said).strip() or typed_spans.join_spans(said), cleaning.TITLE_CHARS)


def memory_to_write(said: tuple[Span, ...], session_id: str) -> NewMemory | None:
    """The memory that the user asks to keep, if any. The store adds the round to its origin."""
    asked = remember_and_forget.remember_request(said)
    if asked is None:
        return None
    content = cleaning.clean_memory(asked)
    return NewMemory(
        content=content,
        type=remember_and_forget.remembered_type(content),
        origin=Origin(OriginKind.USER, session_id=session_id, quote=content),
    )


async def forget_proposal(said: tuple[Span, ...], search: MemorySearch, levels: Levels) -> ForgetProposed | None:
    """The memories that would be archived if the user agrees; None where the question asks to forget nothing."""
    wanted = forget_request(said)
    if wanted is None:
        return None
    try:
        return ForgetProposed(tuple(await search.meant(wanted)))
    except StorageError:
        levels.long_term_failed()
        return ForgetProposed(())
