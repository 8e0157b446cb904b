"""What memory did in a turn, how a round ended, how much of memory works."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from gettext import gettext as _

from orca_core.model.dialogues import Round, RoundState
from orca_core.model.events import (
    ActsRead,
    EpisodesRead,
    Event,
    GuideMade,
    LevelChanged,
    LookingUp,
    Promoted,
    Queued,
    Reasoning,
    Remembered,
    Resting,
    Saved,
    WeightMoved,
)
from orca_core.model.memories import Added, Status
from orca_core.model.messages import Finish
from orca_core.model.recall import Injection, Item, References, WeightMove
from orca_core.model.refs import Ref, plain_ref
from orca_tui.language import N_, listed, translated, with_detail
from orca_tui.marks import Marks
from orca_tui.words.acts import acts_line, promoted_line
from orca_tui.words.health import LEVEL_WORDS, cause_phrase, level_note
from orca_tui.words.learning import episodes_line
from orca_tui.words.lookups import looking_line, lookup_notes, lookup_phrase, rule_phrases, stayed_out
from orca_tui.words.memories import (
    addition_line,
    reason_phrase,
    status_word,
    weight_figure,
)
from orca_tui.words.tools import guide_made_line

Move = WeightMoved | WeightMove
"""A weight's move as it is told in a turn, or as a receipt has kept it."""

FINISH_WORDS = {
    Finish.LENGTH: N_("the model stopped at its longest answer"),
    Finish.FILTERED: N_("the provider's filter ended the answer"),
    Finish.INTERRUPTED: N_("stopped: what came is kept, no weight moved"),
}

ENDINGS = {
    RoundState.DONE: "",
    RoundState.STREAMING: N_("still being answered"),
    RoundState.INTERRUPTED: N_("stopped"),
    RoundState.FAILED: N_("failed"),
}


def receipt_line(injection: Injection, references: References, moves: Sequence[Move], marks: Marks) -> str:
    """One line on what memory did in a turn, what the model looked up among it:
    `◇ 5 in · looked up “postgres port” → 2 · 2 used  #12 3.0→3.5  #31 0.5→0.2 archived`."""
    if injection.failed:
        came = f"{_('memory could not be read')}: {cause_phrase(injection.failed)}"
    elif injection.injected:
        came = _("{count} in").format(count=len(injection.injected))
    else:
        came = nothing_in(injection, marks)
    counts = [came, *(lookup_phrase(each, marks) for each in injection.lookups), *lookup_notes(injection)]
    if injection.shown:
        counts.append(_("{count} used").format(count=len(references.used)))
    steps = [_move_phrase(move, marks) for move in moves if move.before != move.after]
    return "  ".join([f"{marks.receipt} " + f" {marks.dot} ".join(counts), *steps])


def nothing_in(injection: Injection, marks: Marks) -> str:
    """That nothing was put in, by which rule, and what was looked at in vain."""
    reasons = listed(rule_phrases(injection))
    words = with_detail(_("nothing in"), reasons) if reasons else _("nothing in")
    dropped = stayed_out(injection)
    if not dropped:
        return words
    return f"{words} {marks.dot} " + _("left out {count}").format(count=len(dropped))


def left_out(dropped: Sequence[Item], marks: Marks) -> str:
    """Why memories were left out, each reason with how many: `not near enough 2 · no room in the budget 1`."""
    counts = Counter(reason_phrase(item.reason) for item in dropped)
    return f" {marks.dot} ".join(f"{words} {count}" for words, count in counts.items())


def used_word(item: Item, references: References) -> str:
    """What the answer did with a memory that stood before the model."""
    words: tuple[tuple[Collection[Ref], str], ...] = (
        (references.used, _("used")),
        (references.unused, _("unused")),
        (references.unknown, _("unknown")),
    )
    return next((word for refs, word in words if item.ref in refs), "")


def note_of(event: Event) -> str:
    """What is to be said beside the answer when this event comes; most events say nothing."""
    match event:
        case LevelChanged(level, cause):
            return level_note(level, cause) or _(LEVEL_WORDS[level])
        case Remembered(memory, outcome):
            return addition_line(Added(outcome), memory)
        case Queued(detail):
            return _("waiting for the model: {detail}").format(detail=detail)
        case Reasoning():
            return _("thinking …")
        case LookingUp(query):
            return looking_line(query)
        case Saved():
            return _("saved after all")
    return _note_of_learning(event)


def _note_of_learning(event: Event) -> str:
    match event:
        case Promoted():
            return promoted_line(event)
        case ActsRead():
            return acts_line(event)
        case GuideMade(state="done" | "failed" | "unreadable"):
            return guide_made_line(event)
        case EpisodesRead(state="done" | "failed" | "unreadable"):
            return episodes_line(event)
        case Resting(used, limit):
            return _("learning rests until tomorrow: {used} of {limit} tokens of today are used").format(
                used=used, limit=limit
            )
    return ""


def weight_step(move: Move, marks: Marks) -> str:
    """`3.0→3.5`"""
    return f"{weight_figure(move.before)}{marks.arrow}{weight_figure(move.after)}"


def _move_phrase(move: Move, marks: Marks) -> str:
    step = f"#{plain_ref(move.ref)} {weight_step(move, marks)}"
    return f"{step} {status_word(move.status)}" if move.status in (Status.ARCHIVED, Status.CORE) else step


def ending_of(each: Round) -> str:
    """How a round ended, and why, where it did not simply end: what was said of it at the time."""
    cause = each.cause
    if cause is None:
        return translated(ENDINGS[each.state], {})
    parts = [translated(cause.template, cause.fields), translated(cause.hint_template, cause.fields)]
    note = cause.fields.get("note", "")
    if note and "{note}" not in cause.template:
        parts[0] = f"{parts[0]} {note}"
    return " — ".join(part for part in parts if part)


def item_reason(item: Item) -> str:
    """Why a record came or stayed out; of one that was not near enough, how near it came to the floor: that decided,
    and not its score, which only orders."""
    reason = reason_phrase(item.reason)
    if item.shortfall is None:
        return reason
    is_figure = item.shortfall.asked > 1  # else both are shares
    digits = 1 if is_figure and round(item.shortfall.near, 1) < round(item.shortfall.asked, 1) else 2
    near, asked = f"{item.shortfall.near:.{digits}f}", f"{item.shortfall.asked:.{digits}f}"
    return _("{reason}: {near} of the {asked} needed").format(reason=reason, near=near, asked=asked)
