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
from orca_core.model.memories import Added, Status
from orca_core.model.recall import Injection, Item, Level, LookUp, Receipt
from orca_core.model.record_types import SUMMARY, plain_ref
from orca_tui.app.chat.chat_state import ChatState, TurnView, turn_of
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.pane import About, Pane
from orca_tui.app.widgets.text import Growing, beside, fitted, literal
from orca_tui.language import N_, listed, with_detail
from orca_tui.marks import Marks
from orca_tui.words.health_words import cause_phrase, level_fall
from orca_tui.words.memory_words import addition_line, reason_phrase, status_word
from orca_tui.words.turn_words import (
    failure_words,
    found_figure,
    item_reason,
    known_words,
    left_out,
    looked_up_words,
    looking_line,
    lookup_notes,
    new_items,
    nothing_in,
    query_words,
    receipt_line,
    rule_phrases,
    stayed_out,
    used_word,
    weight_step,
)

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
    lines: list[Line] = []
    if turn.level is not None:
        lines.append((level_fall(turn.level.level, turn.level.cause), "warning"))
    if injection.failed:
        lines.append((f"{_('memory could not be read')}: {cause_phrase(injection.failed)}", "warning"))
    rules = listed(rule_phrases(injection))
    lines.append((rules if injection.injected else nothing_in(injection, marks), "text"))
    for item in injection.injected:
        shown = "" if item.reason in injection.rules else reason_phrase(item.reason)
        lines += _item_lines(item, turn, marks, width, shown if with_parts else None)
    if dropped := stayed_out(injection):
        words = _("left out {count}").format(count=len(dropped))
        lines.append((with_detail(words, left_out(dropped, marks)), "muted"))
    lines += _lookup_lines(turn, injection, marks, width, with_parts=with_parts)
    lines += [(addition_line(Added(each.outcome), each.memory), "good") for each in turn.remembered]
    return lines


def _lookup_lines(
    turn: TurnView, injection: Injection, marks: Marks, width: int | None, *, with_parts: bool
) -> list[Line]:
    """What the model looked up, each time with what it found, and what it is looking for now."""
    lines: list[Line] = []
    for lookup, brought, known in new_items(injection):
        tail = found_figure(lookup, marks) + (f"  {lookup.seconds:.2f} s" if with_parts else "")
        lines.append((beside(_lookup_head(lookup, tail, width, marks), tail, width, marks), "text"))
        if lookup.failed is not None:
            lines.append((failure_words(lookup), "warning"))
        for item in brought:
            lines += _item_lines(item, turn, marks, width, "" if with_parts else None)
        if known:
            lines.append((f"       {known_words(known)}", "muted"))
    if turn.looking:
        lines.append((looking_line(turn.looking), "text"))
    return lines + [(words, "muted") for words in lookup_notes(injection)]


def _lookup_head(lookup: LookUp, tail: str, width: int | None, marks: Marks) -> str:
    """What was looked up; where the width is known the query makes room for its closing quote and for the tail."""
    words = looked_up_words(lookup)
    if width is None or cell_len(words) <= (room := width - cell_len(tail) - 2):
        return words
    return query_words(fitted(lookup.query, room - cell_len(query_words("")), marks).rstrip())


def turn_figures(injection: Injection) -> str:
    """How much stood before the model: `5 in · 340 tok · 9 % · 2 looked up`. The tokens are of what was put in; of
    what was looked up no figure is kept."""
    found = len(injection.looked_up)
    if found and not injection.injected:
        words = _("{count} in").format(count=0)
    else:
        share = f" · {injection.tokens / injection.prompt_tokens:.0%}" if injection.prompt_tokens else ""
        words = _("{count} in · {tokens} tok").format(count=len(injection.injected), tokens=injection.tokens) + share
    if found:
        words += " · " + _("{count} looked up").format(count=found)
    level = "" if injection.level is Level.FULL else "   " + _("level {level}").format(level=int(injection.level))
    return words + level


def _item_lines(item: Item, turn: TurnView, marks: Marks, width: int | None, reason: str | None) -> list[Line]:
    """A memory with what became of it; with a reason, however empty, its score stands below."""
    mark = marks.short_term if item.ref.kind == SUMMARY else marks.pinned if item.pinned else marks.active
    used = used_word(item, turn.references)
    move = next((each for each in turn.moves if each.ref == item.ref), None)
    tail = [used] if used else []
    if move is not None and move.before != move.after:
        tail.append(weight_step(move, marks))
    if move is not None and move.status in (Status.ARCHIVED, Status.CORE):
        tail.append(status_word(move.status))
    head = f"{mark} {plain_ref(item.ref):>4} {' '.join(item.content.split())}"
    lines = [(beside(head, "  ".join(tail), width, marks), "good" if used == _("used") else "text")]
    if reason is not None:
        lines.append((f"       {parts_line(item)}", "muted"))
    if reason:
        lines.append((f"       {reason}", "muted"))
    return lines


def parts_line(item: Item) -> str:
    """A score and what it is made of."""
    parts = item.parts
    return _("{total} = meaning {vector} words {text} weight {weight} new {recency}").format(
        total=_share(item.score),
        vector=_share(parts.vector),
        text=_share(parts.text),
        weight=_share(parts.weight),
        recency=_share(parts.recency),
    )


def _share(number: float) -> str:
    """Two digits, without the nought that all of them have."""
    return f"{number:.2f}".replace("0.", ".", 1)


def why_lines(receipt: Receipt, marks: Marks) -> list[Line]:
    """All of a receipt: each memory with its score, what stayed out and why, the block as it was sent."""
    lines = [(turn_figures(receipt.injection), "muted"), *turn_lines(turn_of(receipt), marks, with_parts=True)]
    if dropped := stayed_out(receipt.injection):
        lines += [("", "text"), (_("left out"), "title")]
        for item in dropped:
            lines.append((f"  {plain_ref(item.ref):>4} {' '.join(item.content.split())}", "text"))
            parts = "" if item.shortfall else f"{parts_line(item)}  "
            lines.append((f"       {parts}{item_reason(item)}", "muted"))
    if receipt.injection.block:
        lines += [("", "text"), (_("as sent"), "title")]
        lines += [(f"  {line}", "muted") for line in receipt.injection.block.splitlines()]
    return lines


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
