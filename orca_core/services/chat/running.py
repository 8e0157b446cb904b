"""The state of a turn while it runs, and how a turn that ends badly is saved."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from orca_core.model.errors import OrcaError, StorageError
from orca_core.model.events import Event, Failed, Injected, LookedUp, Saved
from orca_core.model.llm import ChatModel, Finish
from orca_core.model.recall import Injection, Level
from orca_core.model.sessions import StartedRound
from orca_core.services.chat.answer import Answer
from orca_core.services.chat.opening import OpenedTurn
from orca_core.services.shared.failures import not_saved
from orca_core.services.shared.saves import Saves, Write


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
