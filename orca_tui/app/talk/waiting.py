"""The line below an answer while nothing of it comes: what it waits for, and how long."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.events import (
    Delta,
    Event,
    Failed,
    Injected,
    LookedUp,
    LookingUp,
    Queued,
    Reasoning,
    Reply,
)
from orca_core.model.llm import Clock
from orca_tui.words.turn_words import looking_line

SHOWN_AFTER_S = 1
"""A shorter wait is not shown. Chosen by hand."""


class Waiting:
    """From the question to the first piece of its answer: for what memory finds, then for the model. Where the model
    looks something up, from there on to its next piece."""

    def __init__(self, clock: Clock, model: str) -> None:
        self._clock = clock
        self._model = model
        self._since = clock.monotonic()
        self._has_memories = False
        self._detail = ""
        self._looking = ""
        self.is_over = False

    def take(self, event: Event) -> None:
        """What the turn waits for after an event."""
        match event:
            case Injected():
                self._has_memories = True
                self._since = self._clock.monotonic()
            case LookingUp(query):
                self._begin(query)
            case LookedUp():
                self._begin("")
            case Queued(detail):
                self._detail = detail
            case Delta() | Reasoning() | Reply():
                self.is_over = True
            case Failed(kind) if kind != "not_saved":
                self.is_over = True

    def words(self) -> str:
        """The line as it is now; empty where there is nothing to wait for."""
        seconds = int(self._clock.monotonic() - self._since)
        if self.is_over or (not self._has_memories and seconds < SHOWN_AFTER_S):
            return ""
        if self._looking:
            whom = looking_line(self._looking)
        elif self._has_memories:
            whom = _("waiting for {model}").format(model=self._model or _("the demo"))
        else:
            whom = _("waiting for what memory finds")
        parts = [whom, f"{seconds} s" if seconds >= SHOWN_AFTER_S else "", self._detail]
        return " · ".join(part for part in parts if part)

    def _begin(self, looking: str) -> None:
        """Something else is waited for."""
        self._looking, self._detail = looking, ""
        self._since = self._clock.monotonic()
        self.is_over = False
