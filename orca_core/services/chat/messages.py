"""Keeps what a client's user and its assistant said, as rounds of a session: as a turn does, without asking a model."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.jobs.worker import Worker
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.llm import Clock, Span
from orca_core.model.recall import Injection, References
from orca_core.model.sessions import Round, RoundStart, RoundState, StartedRound, checked_session_id
from orca_core.model.views import Role
from orca_core.rules.memory import undo
from orca_core.rules.text import cleaning
from orca_core.services.chat.opening import memory_to_write, title_of
from orca_core.services.chat.recording import Answered, GivenAnswer, Recording
from orca_core.services.shared.levels import Levels
from orca_core.settings import MemorySettings
from orca_core.store.protocols import DialogueStore


class Messages:
    """A user's message begins a round, the assistant's next one ends it."""

    def __init__(
        self,
        dialogues: DialogueStore,
        recording: Recording,
        worker: Worker,
        levels: Levels,
        changed: Callable[[], None],
        clock: Clock,
        memory: MemorySettings,
    ) -> None:
        self._dialogues = dialogues
        self._recording = recording
        self._worker = worker
        self._levels = levels
        self._changed = changed
        self._clock = clock
        self._memory = memory

    async def save(self, session_id: str, role: str, text: str) -> int:
        """The number of the round that it belongs to. The session is made where there is none of that name; a round
        that still waits for an answer when the next one begins is kept as interrupted. Raises InvalidInput."""
        checked_session_id(session_id)
        said = cleaning.clean_message(text)
        if not said.strip():
            raise InvalidInput(template="there is nothing to save")
        if role not in {each.value for each in Role}:
            known = ", ".join(each.value for each in Role)
            raise InvalidInput(template="no such role: {role}", hint="there are {known}", role=role, known=known)
        latest = await self._latest(session_id)
        waits = latest if latest is not None and latest.state is RoundState.STREAMING else None
        number = await (self._ask if Role(role) is Role.USER else self._answer)(session_id, said, waits)
        self._changed()
        return number

    async def _latest(self, session_id: str) -> Round | None:
        try:
            await self._dialogues.session(session_id)
        except NotFound:  # the first message makes it
            return None
        rounds = await self._dialogues.rounds(session_id, last=1)
        return rounds[-1] if rounds else None

    async def _ask(self, session_id: str, said: str, waits: Round | None) -> int:
        if waits is not None:
            await self._dialogues.end_round(waits.id, "interrupted", "", "", None)
        spans = (Span(said),)
        start = RoundStart(
            session_id=session_id,
            title=title_of(spans),
            spans=spans,
            at=self._clock.now(),
            remember=memory_to_write(spans, session_id) if self._memory.enabled else None,
        )
        started = await self._dialogues.begin_round(start, undo.plan_retried)
        return started.number

    async def _answer(self, session_id: str, said: str, waits: Round | None) -> int:
        if waits is None:
            raise InvalidInput(
                template="no message of the user waits for an answer in {session}",
                hint="save what the user said first",
                session=session_id,
            )
        level, _ = await self._levels.current()
        answered = Answered(
            spans=waits.spans,
            injection=Injection(level, ()),
            answer=GivenAnswer(said),
            model="",
            keeps_memory=self._memory.enabled,
        )
        started = StartedRound(waits.id, session_id, waits.number, waits.attempt)
        await self._recording.record(answered, References(), started)
        self._worker.round_done(session_id)
        return waits.number
