"""This turn: the rule that fired, what it put in with which score, what it left out and why."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from orca_tui.app.keymap import TURN, bindings
from orca_tui.app.talk.messages import WhyWanted
from orca_tui.app.talk.receipts import Line, as_content

Lines = Callable[[int], list[Line]]
"""The lines for so many cells."""


class TurnPane(VerticalScroll):
    """Draws lines as wide as it is; enter asks for all of it."""

    BINDINGS = bindings(TURN)

    def __init__(self) -> None:
        super().__init__(id="turn-body")
        self._lines: Lines = lambda _width: []

    def compose(self) -> ComposeResult:
        yield Static("", id="turn-text")

    def show(self, lines: Lines) -> None:
        self._lines = lines
        self._draw()

    def on_resize(self, _event: events.Resize) -> None:
        self._draw()

    def action_why(self) -> None:
        self.post_message(WhyWanted())

    def _draw(self) -> None:
        width = self.scrollable_content_region.width
        if width:
            self.query_one("#turn-text", Static).update(as_content(self._lines(width)))
