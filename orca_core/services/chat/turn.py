"""A turn while it runs: what is known of it, from the question to the last event, and its writes beside the stream."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

from msgspec.structs import replace

from orca_core.model.errors import OrcaError, StorageError
from orca_core.model.events import Failed, Injected, Saved
from orca_core.model.llm import ChatModel, Finish, Span, Usage
from orca_core.model.memories import Memory
from orca_core.model.recall import Citation, Injection, Level, Receipt, References
from orca_core.model.sessions import Round, RoundOutcome, RoundStart, RoundState, StartedRound, TurnRequest
from orca_core.operations.sessions import SessionStore
from orca_core.rules.memory.causes import cause_of_end
from orca_core.rules.text import typed_spans
from orca_core.services.shared.degradation import not_saved
from orca_core.services.shared.saving import Saves, Write

PRIVATE = "private"
"""The session of private turns, which are not stored."""


class Turn:
    """One turn. Its writes are queued in this order: the question, the answer so far (the latest state only), the end;
    nothing here waits for the database. A private turn has no `start`, and nothing of it is written."""

    def __init__(
        self,
        request: TurnRequest,
        model: ChatModel,
        stop: asyncio.Event,
        said: tuple[Span, ...],
        history: tuple[Round, ...],
        *,
        keeps_memory: bool,
        start: RoundStart | None,
        dialogues: SessionStore,
        saves: Saves,
    ) -> None:
        self.request = request
        self.model = model
        self.stop = stop
        self.spans = said
        self.history = history
        """The latest rounds before it, as many as a prompt may hold."""
        self.keeps_memory = keeps_memory
        self.start = start
        self.started: StartedRound | None = None
        """What saving the question came to; None until it is written."""
        self.unsaved: StorageError | None = None
        """Why the question was not written at once."""
        self.unread: StorageError | None = None
        """Why earlier rounds could not be read."""

        self.injection = Injection(level=Level.FULL, rules=())
        self.text = ""
        self.reasoning = ""
        self.citations: tuple[Citation, ...] = ()
        self.finish: Finish = Finish.INTERRUPTED
        self.usage: Usage | None = None
        self.note = ""
        self.estimated_prompt_tokens = 0
        """The tokens of what was sent and counted, by the rules alone; compared with what the provider counts."""
        self.error: OrcaError | None = None

        self._dialogues = dialogues
        self._saves = saves
        self._rules: tuple[str, ...] = ()
        self._state = RoundState.STREAMING
        self._begun: Write[StartedRound] | None = None
        self._partial: Write[None] | None = None
        self._ended: Write[RoundOutcome] | Write[None] | None = None
        self._has_complained = False
        self._is_start_reported = False

    # What is asked.

    @property
    def is_private(self) -> bool:
        return self.start is None

    @property
    def session_id(self) -> str:
        return PRIVATE if self.start is None else self.start.session_id

    @property
    def question(self) -> str:
        return typed_spans.join_spans(self.spans)

    @property
    def number(self) -> int:
        """Its number in the session; a guess until the question is written."""
        if self.started is not None:
            return self.started.number
        return self.request.replaces or (self.history[-1].number + 1 if self.history else 1)

    @property
    def remembered(self) -> Memory | None:
        """The memory that was stored at once, because the question asked for it."""
        return self.started.remembered.memory if self.started and self.started.remembered else None

    @property
    def is_first_round(self) -> bool:
        """Whether no finished answer stands before it."""
        return not any(each.state is RoundState.DONE for each in self.history)

    # What comes of it.

    @property
    def is_whole(self) -> bool:
        """Whether the answer is complete."""
        return self.error is None and self.finish is not Finish.INTERRUPTED

    def answer_anew(self) -> None:
        """Forget what came of an earlier prompt."""
        self.text = self.reasoning = self.note = ""
        self.citations, self.finish, self.usage = (), Finish.INTERRUPTED, None
        self.estimated_prompt_tokens = 0

    def add_rule(self, rule: str) -> Injected:
        """Add a rule to the receipt; returns the event that tells what it says by now."""
        self._rules = (*self._rules, rule)
        self.injection = replace(self.injection, rules=(*self.injection.rules, rule))
        return Injected(self.injection)

    def inject(self, injection: Injection) -> Injected:
        """Take what a prompt holds, with the rules that were added and what was looked up so far."""
        rules = (*injection.rules, *self._rules)
        self.injection = replace(injection, rules=rules, lookups=self.injection.lookups)
        return Injected(self.injection)

    # What is written.

    @property
    def has_ended(self) -> bool:
        """Whether its end is queued, though it may not be written yet."""
        return self._ended is not None

    @property
    def is_settled(self) -> bool:
        """Whether all of it is written, or refused for good."""
        if self._begun is not None and self._begun.is_refused:
            return True
        return self._ended is not None and self._ended.is_over

    def begin(self, start: RoundStart) -> Write[StartedRound]:
        """Queue the write of the question."""

        async def write() -> StartedRound:
            self.started = await self._dialogues.begin_round(start)
            return self.started

        self._begun = self._saves.put(write)
        return self._begun

    def keep(self) -> None:
        """Queue the write of what came so far; one that still waits writes the latest."""
        if self.start is not None and (self._partial is None or self._partial.is_over):
            self._partial = self._saves.put(self._write_partial)

    def record(
        self, write: Callable[[StartedRound], Awaitable[RoundOutcome]], done: Callable[[], None]
    ) -> Write[RoundOutcome]:
        """Queue the record of the whole round; calls `done` once it is written."""
        self._state = RoundState.DONE

        def written(_outcome: RoundOutcome) -> None:
            self._was_written()
            done()

        self._ended = recorded = self._saves.put(lambda: write(self._written_start()), written)
        return recorded

    def end(self) -> Write[None] | None:
        """Queue the end of a round that was cut or failed, with what came of it; None where it has ended already, or
        where the turn is private."""
        if self.start is None or self._ended is not None:
            return None
        state: Literal["interrupted", "failed"] = "failed" if self.error and not self.text else "interrupted"
        self._state = RoundState(state)
        text, reasoning, injection, cause = self.text, self.reasoning, self.injection, cause_of_end(self.error)

        async def write() -> None:
            started = self._written_start()
            receipt = Receipt(started.session_id, started.number, injection, References())
            await self._dialogues.end_round(started.id, state, text, reasoning, receipt, cause)

        self._ended = ended = self._saves.put(write, lambda _none: self._was_written())
        return ended

    def as_round(self) -> Round:
        """The round as the database would return it, were it written already."""
        assert self.start is not None
        started = self.started
        return Round(
            id=started.id if started else 0,
            session_id=self.session_id,
            number=self.number,
            attempt=started.attempt if started else 1,
            user=self.question,
            spans=self.spans,
            assistant=self.text,
            state=self._state,
            at=self.start.at,
        )

    def unreported_start(self) -> StartedRound | None:
        """What saving the question changed, the first time that it is known; None afterwards."""
        if self.started is None or self._is_start_reported:
            return None
        self._is_start_reported = True
        return self.started

    def complain(self, error: StorageError) -> Failed | None:
        """The event of a failed save: once a turn."""
        if self._has_complained:
            return None
        self._has_complained = True
        return not_saved(error)

    def _was_written(self) -> None:
        """Report that the round is saved, where a failed save was reported before; also after the turn has ended."""
        if self._has_complained:
            self._saves.tell(Saved(self.session_id, self.number))

    async def _write_partial(self) -> None:
        if self._ended is None:  # else the queued end holds more
            await self._dialogues.save_partial(self._written_start().id, self.text, self.reasoning)

    def _written_start(self) -> StartedRound:
        """Raises the refusal of the question: without it nothing else of the round can be written."""
        assert self._begun is not None
        return self._begun.result()
