"""A receipt in lines, which the app and the commands draw: what stood before the model and why, what stayed out, what
the model looked up, what became of each. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from msgspec import Struct

from orca_core.model.memories import Status
from orca_core.model.recall import Injection, Item, Level, Receipt, References, ScoreParts
from orca_core.model.record_types import SUMMARY, plain_ref
from orca_tui.language import listed, with_detail
from orca_tui.marks import Marks
from orca_tui.words.health_words import cause_phrase
from orca_tui.words.memory_words import reason_phrase, status_word
from orca_tui.words.turn_words import (
    Move,
    failure_words,
    found_figure,
    item_reason,
    known_words,
    left_out,
    looked_up_words,
    lookup_notes,
    new_items,
    nothing_in,
    rule_phrases,
    stayed_out,
    used_word,
    weight_step,
)

BELOW = "       "
"""How far that is set in which stands below a memory."""


class ReceiptLine(Struct, frozen=True):
    """A line, what kind of text it is (`text`, `muted`, `good`, `warning`, `title`), and what stands at its right. One
    that `is_cut` makes room for that where it is drawn narrow; a `query` that stands in it makes room for its closing
    quote, too."""

    text: str
    style: str = "text"
    tail: str = ""
    query: str = ""
    is_cut: bool = False


class UsesAndMoves(Struct, frozen=True):
    """What became of what stood before the model."""

    references: References
    moves: Sequence[Move]


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


def injection_lines(
    injection: Injection, outcome: UsesAndMoves, marks: Marks, *, with_parts: bool
) -> list[ReceiptLine]:
    """What was put in and what stayed out; `with_parts` each with its score and its reason."""
    lines = []
    if injection.failed:
        lines.append(ReceiptLine(f"{_('memory could not be read')}: {cause_phrase(injection.failed)}", "warning"))
    rules = listed(rule_phrases(injection))
    lines.append(ReceiptLine(rules if injection.injected else nothing_in(injection, marks)))
    for item in injection.injected:
        reason = "" if item.reason in injection.rules else reason_phrase(item.reason)
        lines += _item_lines(item, outcome, marks, reason if with_parts else None)
    if dropped := stayed_out(injection):
        words = _("left out {count}").format(count=len(dropped))
        lines.append(ReceiptLine(with_detail(words, left_out(dropped, marks)), "muted"))
    return lines


def lookup_lines(injection: Injection, outcome: UsesAndMoves, marks: Marks, *, with_parts: bool) -> list[ReceiptLine]:
    """What the model looked up, each time with what it found."""
    lines = []
    for lookup, brought, known in new_items(injection):
        tail = found_figure(lookup, marks) + (f"  {lookup.seconds:.2f} s" if with_parts else "")
        lines.append(ReceiptLine(looked_up_words(lookup), tail=tail, query=lookup.query, is_cut=True))
        if lookup.failed is not None:
            lines.append(ReceiptLine(failure_words(lookup), "warning"))
        for item in brought:
            lines += _item_lines(item, outcome, marks, "" if with_parts else None)
        if known:
            lines.append(ReceiptLine(BELOW + known_words(known), "muted"))
    return lines


def ending_lines(injection: Injection) -> list[ReceiptLine]:
    """How its look-ups ended, where they did not simply end."""
    return [ReceiptLine(words, "muted") for words in lookup_notes(injection)]


def receipt_lines(receipt: Receipt, marks: Marks) -> list[ReceiptLine]:
    """All of a receipt: each memory with its score, what stayed out and why, the block as it was sent."""
    injection, outcome = receipt.injection, UsesAndMoves(receipt.references, receipt.weights)
    lines = [ReceiptLine(turn_figures(injection), "muted")]
    lines += injection_lines(injection, outcome, marks, with_parts=True)
    lines += lookup_lines(injection, outcome, marks, with_parts=True) + ending_lines(injection)
    if dropped := stayed_out(injection):
        lines += [ReceiptLine(""), ReceiptLine(_("left out"), "title")]
        for item in dropped:
            lines.append(ReceiptLine(f"  {plain_ref(item.ref):>4} {' '.join(item.content.split())}"))
            parts = "" if item.shortfall else f"{parts_line(item)}  "
            lines.append(ReceiptLine(f"{BELOW}{parts}{item_reason(item)}", "muted"))
    if injection.block:
        lines += [ReceiptLine(""), ReceiptLine(_("as sent"), "title")]
        lines += [ReceiptLine(f"  {line}", "muted") for line in injection.block.splitlines()]
    return lines


def receipt_text(receipt: Receipt, marks: Marks) -> str:
    """The same as a text, under the name of its turn."""
    head = _("session {session} round {round}").format(session=receipt.session_id, round=receipt.round)
    lines = [f"{each.text}  {each.tail}" if each.tail else each.text for each in receipt_lines(receipt, marks)]
    return "\n".join([head, *lines])


def _item_lines(item: Item, outcome: UsesAndMoves, marks: Marks, reason: str | None) -> list[ReceiptLine]:
    """A memory with what became of it; with a reason, however empty, its score stands below."""
    mark = marks.short_term if item.ref.kind == SUMMARY else marks.pinned if item.pinned else marks.active
    used = used_word(item, outcome.references)
    move = next((each for each in outcome.moves if each.ref == item.ref), None)
    tail = [used] if used else []
    if move is not None and move.before != move.after:
        tail.append(weight_step(move, marks))
    if move is not None and move.status in (Status.ARCHIVED, Status.CORE):
        tail.append(status_word(move.status))
    head = f"{mark} {plain_ref(item.ref):>4} {' '.join(item.content.split())}"
    lines = [ReceiptLine(head, "good" if used == _("used") else "text", "  ".join(tail), is_cut=True)]
    if reason is not None:
        lines.append(ReceiptLine(BELOW + parts_line(item), "muted"))
    if reason:
        lines.append(ReceiptLine(BELOW + reason, "muted"))
    return lines


def parts_line(item: Item) -> str:
    """A score and what it is made of."""
    return f"{_share(item.score)} = {parts_phrase(item.parts)}"


def parts_phrase(parts: ScoreParts) -> str:
    """What a score is made of."""
    return _("meaning {vector} words {text} weight {weight} new {recency}").format(
        vector=_share(parts.vector),
        text=_share(parts.text),
        weight=_share(parts.weight),
        recency=_share(parts.recency),
    )


def _share(number: float) -> str:
    """Two digits, without the nought that all of them have."""
    return f"{number:.2f}".replace("0.", ".", 1)
