"""How a turn begins: which session, what was said in it, and the user's message saved before anything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from orca_core.domain.dialogues import (
    Round,
    RoundStart,
    RoundState,
    SessionById,
    StartedRound,
    TurnRequest,
)
from orca_core.domain.errors import InvalidInput, NotFound, StorageError
from orca_core.domain.memories import Memory, NewMemory, Origin, OriginKind
from orca_core.domain.messages import Span
from orca_core.domain.ports import Clock
from orca_core.domain.stores import DialogueStore
from orca_core.rules import cleaning, remembering, spans, status, undo

PRIVATE = "private"
"""The session of turns of which nothing is kept."""
WRITE_PATIENCE_S = 10.0
"""A database that others hold for longer must not keep the user from an answer."""


@dataclass(frozen=True, slots=True)
class OpenedTurn:
    """A turn whose question is saved; or is not, where `started` is None: `failure` says why, unless it is private."""

    session_id: str
    spans: tuple[Span, ...]
    history: tuple[Round, ...]
    started: StartedRound | None
    failure: StorageError | None = None

    @property
    def number(self) -> int:
        return self.started.number if self.started else (self.history[-1].number + 1 if self.history else 1)

    @property
    def remembered(self) -> Memory | None:
        """What was written at once, because the question asked for it."""
        addition = self.started.remembered if self.started else None
        return addition.memory if addition else None

    @property
    def is_first_round(self) -> bool:
        """No finished answer stands before it in its session."""
        return not any(each.state is RoundState.DONE for each in self.history)


class Opening:
    """Finds or makes the session, reads what was said, saves the question."""

    def __init__(self, dialogues: DialogueStore, clock: Clock, new_session_id: Callable[[datetime], str]) -> None:
        self._dialogues = dialogues
        self._clock = clock
        self._new_session_id = new_session_id

    async def open(self, request: TurnRequest, *, keeps_memory: bool) -> OpenedTurn:
        """Raises InvalidInput or NotFound where the request itself is wrong."""
        said = spans.normalise(tuple(Span(cleaning.clean_message(span.text), span.source) for span in request.spans))
        if not spans.join(said).strip():
            raise InvalidInput(template="there is nothing to send")
        if request.is_private:
            return OpenedTurn(PRIVATE, said, request.private_history, None)
        try:
            async with asyncio.timeout(WRITE_PATIENCE_S):
                return await self._open(request, said, keeps_memory)
        except TimeoutError:
            failure = StorageError(path="database", detail=f"no answer within {WRITE_PATIENCE_S:g} s")
        except StorageError as error:
            failure = error
        return OpenedTurn(self._named(request), said, (), None, failure)

    async def _open(self, request: TurnRequest, said: tuple[Span, ...], keeps_memory: bool) -> OpenedTurn:
        session_id = self._named(request)
        history = await self._history(request)
        if request.replaces is not None:
            history = _before(history, request.replaces)
        start = RoundStart(
            session_id=session_id,
            title=title_of(said),
            spans=said,
            at=self._clock.now(),
            replaces=request.replaces,
            remember=memory_to_write(said, session_id) if keeps_memory else None,
        )
        started = await self._dialogues.begin_round(start, status.said_again, undo.plan)
        return OpenedTurn(session_id, said, history, started)

    def _named(self, request: TurnRequest) -> str:
        """The session that was named, else a name for the new one."""
        if isinstance(request.session, SessionById):
            return request.session.id
        return self._new_session_id(self._clock.now())

    async def _history(self, request: TurnRequest) -> tuple[Round, ...]:
        """What was said before in the session that was named. Raises NotFound where it had to be there."""
        if not isinstance(request.session, SessionById):
            return ()
        session_id = request.session.id
        try:
            await self._dialogues.session(session_id)
        except NotFound as error:
            if request.session.may_be_new and request.replaces is None:
                return ()
            raise NotFound(what="session", id=session_id, hint="it may have been deleted; begin a new one") from error
        return tuple(await self._dialogues.rounds(session_id))


def _before(history: tuple[Round, ...], number: int) -> tuple[Round, ...]:
    if not any(each.number == number for each in history):
        raise NotFound(what="round", id=number)
    return tuple(each for each in history if each.number < number)


def title_of(said: tuple[Span, ...]) -> str:
    """A session's first name: how its first question begins."""
    return cleaning.one_line(spans.typed_text(said).strip() or spans.join(said), cleaning.TITLE_CHARS)


def memory_to_write(said: tuple[Span, ...], session_id: str) -> NewMemory | None:
    """What the user asked to be remembered, if so. The store adds the round to its origin."""
    asked = remembering.remember_request(said)
    if asked is None:
        return None
    content = cleaning.clean_memory(asked)
    return NewMemory(
        content=content,
        type=remembering.remembered_type(content),
        origin=Origin(OriginKind.USER, session_id=session_id, quote=content),
    )
