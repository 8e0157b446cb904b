"""This turn: the rule that fired, what it put in with which score, what the model looked up, what was left out."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from orca_tui.app.keymap import Key, bindings
from orca_tui.app.pane import About, Pane
from orca_tui.app.state.chat import ChatState
from orca_tui.app.talk.messages import JudgingWanted, ShownWanted, WhyWanted
from orca_tui.app.talk.receipts import Line, as_content, turn_lines
from orca_tui.app.talk.status_line import turn_title_of
from orca_tui.app.widgets.growing import Growing
from orca_tui.language import N_

TURN = (
    Key("turn.open", "enter", "open", N_("open what the model got"), is_shown=True),
    Key("turn.not_helpful", "-", "not_helpful", N_("say what did not help")),
    Key("turn.why", "w", "why", N_("why, and the block as sent"), is_shown=True),
)

Lines = Callable[[int], list[Line]]
"""The lines for so many cells."""


class TurnText(VerticalScroll):
    """Draws lines as wide as it is; keys ask for all of it."""

    BINDINGS = bindings(TURN)

    def __init__(self) -> None:
        super().__init__(id="turn-body")
        self._lines: Lines = lambda _width: []

    def compose(self) -> ComposeResult:
        yield Growing("", id="turn-text")

    def show(self, lines: Lines, *, follows: bool) -> None:
        """Draw these lines; `follows` where what comes stands at their end."""
        self._lines = lines
        self._draw()
        if follows:
            self.scroll_end(animate=False)

    def on_resize(self, _event: events.Resize) -> None:
        self._draw()

    def action_open(self) -> None:
        self.post_message(ShownWanted())

    def action_not_helpful(self) -> None:
        self.post_message(JudgingWanted())

    def action_why(self) -> None:
        self.post_message(WhyWanted())

    def _draw(self) -> None:
        width = self.scrollable_content_region.width
        if width:
            self.query_one("#turn-text", Static).update(as_content(self._lines(width)))


class TurnPane(Pane):
    """What memory did in the turn at hand."""

    about = About("turn", N_("This turn"), N_("this turn"), "f2", TURN, stop="#turn-body", share=2)

    def compose_body(self) -> ComposeResult:
        yield TurnText()

    def draw(self, state: ChatState, *, is_wide: bool) -> None:
        turn, marks = state.turn, self.marks
        self.query_one(TurnText).show(
            lambda width: turn_lines(turn, marks, width=width, with_parts=is_wide),
            follows=state.answering and turn.has_looked,
        )
        self.show_title(turn_title_of(state))
