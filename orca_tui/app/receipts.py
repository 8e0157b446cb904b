"""What memory did in a turn, for the line under the answer and for the pane beside it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from gettext import gettext as _

from textual.content import Content

from orca_core.domain.events import (
    Archived,
    Event,
    Extraction,
    ForgetProposed,
    Injected,
    LevelChanged,
    Referenced,
    Remembered,
    Reply,
    WeightMoved,
)
from orca_core.domain.memories import Added, Status
from orca_core.domain.messages import Usage
from orca_core.domain.recall import Injection, Item, Level, Receipt, References
from orca_tui.app.plain import plain
from orca_tui.marks import Marks
from orca_tui.phrases import addition_line, reason_phrase, receipt_line, used_word, weight_figure


@dataclass
class TurnView:
    """What is known of one turn, gathered from its events."""

    injection: Injection | None = None
    references: References = field(default_factory=References)
    moves: list[WeightMoved] = field(default_factory=list)
    archived: set[int] = field(default_factory=set)
    remembered: list[Remembered] = field(default_factory=list)
    proposed: tuple[int, ...] | None = None
    usage: Usage | None = None
    seconds: float = 0.0
    level: LevelChanged | None = None

    def take(self, event: Event) -> None:
        """Note what the event says of memory."""
        match event:
            case Injected(injection):
                self.injection = injection
            case Referenced(references):
                self.references = references
            case WeightMoved():
                self.moves.append(event)
            case Archived(memory_id):
                self.archived.add(memory_id)
            case Remembered():
                self.remembered.append(event)
            case ForgetProposed(proposed):
                self.proposed = proposed
            case Reply():
                self.usage, self.seconds = event.usage, event.seconds
            case LevelChanged():
                self.level = event
            case Extraction():
                pass

    def changes(self, marks: Marks) -> Mapping[int, str]:
        """Weights that moved, as a list shows them until the next turn ends."""
        return {
            move.id: f"{weight_figure(move.before)}{marks.arrow}{weight_figure(move.after)}"
            for move in self.moves
            if move.before != move.after
        }


def receipt_content(turn: TurnView, marks: Marks, *, was_cut: bool) -> Content:
    """The line under an answer."""
    if turn.injection is None:
        return Content("")
    line = receipt_line(turn.injection, turn.references, turn.moves, marks)
    notes = [addition_line(Added(each.outcome), each.memory) for each in turn.remembered]
    if was_cut:
        notes.append(_("partial, no weights moved"))
    if turn.usage is not None:
        notes.append(usage_phrase(turn.usage, turn.seconds))
    return plain("   ".join([line, *notes]))


def usage_phrase(usage: Usage, seconds: float) -> str:
    """Tokens as the provider counted them."""
    words = _("{prompt:,} + {completion:,} tokens").format(
        prompt=usage.prompt_tokens, completion=usage.completion_tokens
    )
    if usage.cached_tokens:
        words += " " + _("({cached:,} cached)").format(cached=usage.cached_tokens)
    return f"{words} · {seconds:.1f} s"


def turn_lines(turn: TurnView, marks: Marks, *, with_parts: bool) -> list[tuple[str, str]]:
    """The pane "This turn": lines with the style that each has."""
    injection = turn.injection
    if injection is None:
        return [(_("Send something: what memory does shows here before the first word."), "muted")]
    lines = [(_figures(injection), "muted")]
    if injection.failed:
        lines.append((f"{_('memory could not be read')}: {injection.failed}", "warning"))
    rules = ", ".join(reason_phrase(rule) for rule in injection.rules)
    lines.append((rules if injection.injected else f"{_('nothing in')}: {rules}" if rules else _("nothing in"), "text"))
    for item in injection.injected:
        lines += _item_lines(item, turn, marks, with_parts=with_parts)
    if injection.dropped:
        words = _("left out {count}").format(count=len(injection.dropped))
        lines.append((f"{words}: {_reasons(injection.dropped)}", "muted"))
    lines += [(addition_line(Added(each.outcome), each.memory), "good") for each in turn.remembered]
    return lines


def _item_lines(item: Item, turn: TurnView, marks: Marks, *, with_parts: bool) -> list[tuple[str, str]]:
    mark = marks.short_term if item.kind == "short" else marks.pinned if item.pinned else marks.active
    used = used_word(item, turn.references)
    move = next((each for each in turn.moves if item.kind == "long" and str(each.id) == item.ref), None)
    tail = [used] if used else []
    if move is not None and move.before != move.after:
        tail.append(f"{weight_figure(move.before)}{marks.arrow}{weight_figure(move.after)}")
    if move is not None and move.status in (Status.ARCHIVED, Status.CORE):
        tail.append(_(move.status.value))
    head = f"{mark} {item.ref:>4} {' '.join(item.content.split())}"
    lines = [(f"{head}  {'  '.join(tail)}".rstrip(), "good" if used == _("used") else "text")]
    if with_parts:
        lines.append((f"       {parts_line(item)}  {reason_phrase(item.reason)}", "muted"))
    return lines


def parts_line(item: Item) -> str:
    """A score and what it is made of."""
    parts = item.parts
    return _("{total:.2f} = meaning {vector:.2f} words {text:.2f} weight {weight:.2f} new {recency:.2f}").format(
        total=item.score, vector=parts.vector, text=parts.text, weight=parts.weight, recency=parts.recency
    )


def _figures(injection: Injection) -> str:
    share = f" · {injection.tokens / injection.prompt_tokens:.0%}" if injection.prompt_tokens else ""
    words = _("{count} in · {tokens} tok").format(count=len(injection.injected), tokens=injection.tokens)
    level = "" if injection.level is Level.FULL else "   " + _("level {level}").format(level=int(injection.level))
    return words + share + level


def _reasons(dropped: Iterable[Item]) -> str:
    counts: dict[str, int] = {}
    for item in dropped:
        counts[item.reason] = counts.get(item.reason, 0) + 1
    return " · ".join(f"{reason_phrase(reason)} {count}" for reason, count in counts.items())


def why_lines(receipt: Receipt, marks: Marks) -> list[tuple[str, str]]:
    """All of a receipt: each memory with its score, what stayed out and why, the block as it was sent."""
    turn = TurnView(injection=receipt.injection, references=receipt.references)
    turn.moves = [WeightMoved(move.id, move.before, move.after, Status.ACTIVE) for move in receipt.weights]
    lines = turn_lines(turn, marks, with_parts=True)
    if receipt.injection.dropped:
        lines += [("", "text"), (_("left out"), "title")]
        for item in receipt.injection.dropped:
            lines.append((f"  {item.ref:>4} {' '.join(item.content.split())}", "text"))
            lines.append((f"       {parts_line(item)}  {reason_phrase(item.reason)}", "muted"))
    if receipt.injection.block:
        lines += [("", "text"), (_("as sent"), "title")]
        lines += [(f"  {line}", "muted") for line in receipt.injection.block.splitlines()]
    return lines


def as_content(lines: Sequence[tuple[str, str]]) -> Content:
    """Lines with their styles as one text."""
    styles = {"muted": "$text-muted", "good": "$text-success", "warning": "$text-warning", "title": "bold", "text": ""}
    return Content("\n").join(plain(text, styles[style]) for text, style in lines)
