"""What memory did in a turn, for the line under the answer and for the pane beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from gettext import gettext as _

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from orca_core.model.llm import Usage
from orca_core.model.memories import Added
from orca_core.model.recall import Receipt
from orca_tui.app.chat.chat_state import ChatState, TurnView
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.pane import About, Pane
from orca_tui.app.widgets.text import Growing, beside, fitted, literal
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.health_words import level_fall
from orca_tui.words.memory_words import addition_line
from orca_tui.words.receipt_words import (
    ReceiptLine,
    UsesAndMoves,
    ending_lines,
    injection_lines,
    lookup_lines,
    receipt_lines,
    turn_figures,
)
from orca_tui.words.turn_words import looking_line, query_words, receipt_line

Line = tuple[str, str]
"""A line and the style that it has."""
STYLES = {
    "muted": "$foreground-muted",
    "good": "$text-success",
    "warning": "$text-warning",
    "title": "bold",
    "text": "",
}


def receipt_content(turn: TurnView, marks: Marks) -> Content:
    """The line under an answer."""
    if turn.injection is None:
        return Content("")
    parts = [receipt_line(turn.injection, turn.references, turn.moves, marks)]
    parts += [addition_line(Added(each.outcome), each.memory) for each in turn.remembered]
    return _as_line(parts, was_cut=turn.was_cut)


def past_receipt(receipt: Receipt, marks: Marks, *, was_cut: bool = False) -> Content:
    """The line under an answer that was given before."""
    line = receipt_line(receipt.injection, receipt.references, receipt.weights, marks)
    return _as_line([line], was_cut=was_cut)


def _as_line(parts: Sequence[str], *, was_cut: bool) -> Content:
    cut = [_("partial, no weights moved")] if was_cut else []
    return literal("   ".join([*parts, *cut]), "$foreground-muted")


def usage_phrase(usage: Usage, seconds: float) -> str:
    """Tokens as the provider counted them."""
    words = _("{prompt:,}+{completion:,} tokens").format(prompt=usage.prompt_tokens, completion=usage.completion_tokens)
    if usage.cached_tokens:
        words += " " + _("({cached:,} cached)").format(cached=usage.cached_tokens)
    return f"{words} · {seconds:.1f} s"


def turn_lines(turn: TurnView, marks: Marks, *, width: int | None = None, with_parts: bool) -> list[Line]:
    """The pane "This turn": each memory cut to so many cells, so that what became of it is always seen."""
    injection = turn.injection
    if injection is None:
        return [(_("Send something: what memory does shows here before the first word."), "muted")]
    outcome = UsesAndMoves(turn.references, turn.moves)
    lines = [] if turn.level is None else [ReceiptLine(level_fall(turn.level.level, turn.level.cause), "warning")]
    lines += injection_lines(injection, outcome, marks, with_parts=with_parts)
    lines += lookup_lines(injection, outcome, marks, with_parts=with_parts)
    lines += [ReceiptLine(looking_line(turn.looking))] if turn.looking else []
    lines += ending_lines(injection)
    lines += [ReceiptLine(addition_line(Added(each.outcome), each.memory), "good") for each in turn.remembered]
    return [_drawn(line, width, marks) for line in lines]


def why_lines(receipt: Receipt, marks: Marks) -> list[Line]:
    """All of a receipt."""
    return [_drawn(line, None, marks) for line in receipt_lines(receipt, marks)]


def _drawn(line: ReceiptLine, width: int | None, marks: Marks) -> Line:
    """A line in so many cells, and its style."""
    text = line.text
    if line.query and width is not None and cell_len(text) > (room := width - cell_len(line.tail) - 2):
        text = query_words(fitted(line.query, room - cell_len(query_words("")), marks).rstrip())
    return (beside(text, line.tail, width, marks) if line.is_cut else text, line.style)


def as_content(lines: Sequence[Line]) -> Content:
    """Lines with their styles as one text."""
    return Content("\n").join(literal(text, STYLES[style]) for text, style in lines)


def turn_title_of(state: ChatState) -> Content:
    """The title of the pane "This turn", with how much memory put before the model."""
    injection = state.turn.injection
    figures = turn_figures(injection) if injection is not None else ""
    return literal(f"{_('This turn')} ", "bold") + literal(f" {figures}", "$foreground-muted")


TURN = (
    Key("turn.open", "enter", "act('open')", N_("open what the model got"), is_shown=True),
    Key("turn.not_helpful", "-", "act('not_helpful')", N_("say what did not help")),
    Key("turn.why", "w", "act('why')", N_("why, and the block as sent"), is_shown=True),
)

Lines = Callable[[int], list[Line]]
"""The lines for so many cells."""


@dataclass
class TurnAction(Message):
    """Something is to be done about this turn: open what stood before the model, say what did not help, why."""

    action: str


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

    def action_act(self, action: str) -> None:
        self.post_message(TurnAction(action))

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
