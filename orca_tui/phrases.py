"""How memories, receipts and events are put into words. Pure: text in the language of the interface comes out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from gettext import gettext as _

from orca_core.domain.causes import Cause
from orca_core.domain.diagnosis import Check, CheckState, Diagnosis
from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.events import Event, LevelChanged, Queued, Reasoning, Remembered, Resting, Saved, WeightMoved
from orca_core.domain.journal import Operation
from orca_core.domain.memories import Added, Memory, Status
from orca_core.domain.messages import Finish
from orca_core.domain.recall import Injection, Item, Level, References, WeightMove
from orca_core.domain.refs import Ref, plain_ref
from orca_tui.language import N_, counted, listed, said, translated, with_detail
from orca_tui.marks import Marks

Move = WeightMoved | WeightMove
"""A weight's move as it is told in a turn, or as a receipt has kept it."""

LEVEL_WORDS = {
    Level.FULL: N_("memory is whole again"),
    Level.TEXT_ONLY: N_("memory is found by its words only"),
    Level.SHORT_TERM_ONLY: N_("only short-term memory works"),
    Level.NONE: N_("memory is off"),
}

ADDED_WORDS = {
    Added.CREATED: N_("remembered"),
    Added.CONFIRMED: N_("known already"),
    Added.RESTORED: N_("restored"),
    Added.PROMOTED: N_("accepted"),
    Added.DROPPED: N_("not stored"),
}

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

STATUS_WORDS = {
    Status.CANDIDATE: N_("candidate"),
    Status.REJECTED: N_("rejected"),
    Status.ARCHIVED: N_("archived"),
    Status.CORE: N_("core"),
    Status.ACTIVE: N_("active"),
}

REASON_WORDS = {
    "first_round": N_("first round: pinned memories only"),
    "too_short": N_("the text is short"),
    "technical": N_("technical"),
    "recall": N_("asked what Orca knows"),
    "always": N_("always"),
    "standing": N_("standing wish"),
    "pinned": N_("pinned"),
    "short_term": N_("short-term"),
    "visible": N_("stands in the prompt anyway"),
    "budget": N_("no room in the budget"),
    "below_floor": N_("not near enough"),
    "over_limit": N_("more than fit"),
    "no_trigger": N_("nothing asked for long-term memory"),
    "archived": N_("archived"),
    "candidate": N_("candidate"),
    "disabled": N_("memory is off"),
    "long_term_off": N_("long-term memory is off"),
    "remembered": N_("just remembered"),
    "recall_failed": N_("memory could not be read"),
    "no_room": N_("no room in the model's context"),
    "left_out": N_("left out for want of room"),
    # Why a candidate is held back
    "weak_evidence": N_("not said clearly enough"),
    "not_typed": N_("rests on what you did not type"),
    "conditional": N_("holds only under a condition"),
    "url": N_("holds an address"),
    "secret": N_("looks like a secret"),
    "account_number": N_("looks like an account or telephone number"),
    "contradicts_pinned": N_("contradicts what you pinned"),
    "kept_by_hand": N_("would replace what you wrote"),
    "imported": N_("imported"),
    # Why a fact was dropped
    "rejected": N_("you rejected it"),
    "undone": N_("you took it back"),
    "archived: undone": N_("you took it back"),
    "never": N_("you never want to have it learnt"),
    "not_an_object": N_("not in the agreed form"),
    "no_content": N_("says nothing"),
    "too_long": N_("too long"),
    "unknown_type": N_("of no known type"),
    "confidence": N_("its confidence is no number from 0 to 1"),
    "low_confidence": N_("the model was not sure enough"),
    "cut": N_("cut off"),
    "repeated": N_("said twice"),
    # Why two memories are in doubt
    "undecided": N_("these may say the same"),
    "conflict": N_("these may contradict each other"),
    "update": N_("one may have taken the place of the other"),
}

COUNTED_RULES: Mapping[str, str] = {
    "summary": N_("rounds 1-{count} as a summary"),
    "history": N_("{count} older rounds left out"),
    "context": N_("the model takes {count} tokens"),
}
"""Rules that say a number, the last of their detail."""

CHECK_WORDS: Mapping[CheckState, str] = {"ok": N_("ok"), "warn": N_("warning"), "fail": N_("fails")}
LEAST_SUM = 0.0001


def reason_phrase(reason: str) -> str:
    """A reason (`technical: docker`) in words; what is not known stays as it is."""
    code, _colon, detail = reason.partition(": ")
    if code in COUNTED_RULES and (counts := re.findall(r"\d[\d,]*", detail)):
        return _(COUNTED_RULES[code]).format(count=counts[-1])
    words = _(REASON_WORDS[code]) if code in REASON_WORDS else code
    return with_detail(words, detail) if detail else words


def status_word(status: Status) -> str:
    """The status, as people see it."""
    return _(STATUS_WORDS[status])


def weight_figure(weight: float) -> str:
    """A weight, to one digit."""
    return f"{weight:.1f}"


def money(amount: float, currency: str) -> str:
    """A sum, to the digit that still says something."""
    if 0 < amount < LEAST_SUM:
        return f"<{currency}{LEAST_SUM}"
    return f"{currency}{amount:.2f}" if amount >= 0.1 else f"{currency}{amount:.4f}"


def forecast_phrase(unused_until_archived: int | None, used_until_core: int | None) -> str:
    """What a memory's weight is heading for; empty where it heads nowhere."""
    sentences = []
    if unused_until_archived is not None:
        sentences.append(
            counted(
                "archives after {count} more unused injection",
                "archives after {count} more unused injections",
                unused_until_archived,
            )
        )
    if used_until_core is not None:
        sentences.append(
            counted("core after {count} more used one", "core after {count} more used ones", used_until_core)
        )
    return " · ".join(sentences)


def memory_line(memory: Memory) -> str:
    """A memory by its number and its text."""
    return f"#{memory.id}  {memory.content}"


def offered_line(operation: Operation, action: str) -> str:
    """What a machine did after the act that an undo took back: it stands, and can be taken back by its number."""
    words = _("since then Orca did this itself: {action}; orca memory undo {operation} takes it back")
    return words.format(action=action, operation=operation.id)


def passed_over_line(operation: Operation) -> str:
    """That a delete came after the act that an undo took back."""
    return _("the delete [{operation}] since then is for good").format(operation=operation.id)


def addition_line(added: Added, memory: Memory, reason: str = "") -> str:
    """What became of a memory that was to be stored."""
    line = f"{_(ADDED_WORDS[added])}  {memory_line(memory)}"
    return f"{line}  ({reason_phrase(reason)})" if reason else line


def cause_phrase(cause: Cause) -> str:
    """Why something is as it is, in the language of the interface."""
    sentence, way_out = translated(cause.template, cause.fields), translated(cause.hint_template, cause.fields)
    return f"{sentence} — {way_out}" if way_out else sentence


def level_note(level: Level, cause: Cause | None = None) -> str:
    """What does not work, and why; empty where all of it works."""
    if level is Level.FULL:
        return ""
    words = _(LEVEL_WORDS[level])
    return words if cause is None else with_detail(words, translated(cause.template, cause.fields))


def diagnosis_note(diagnosis: Diagnosis) -> str:
    """How much of memory works, in one line; and what could not be found out, of which it then says nothing."""
    if not diagnosis.unknown:
        return level_note(diagnosis.level) or _("memory works in full")
    checks = listed(said(name) for name in diagnosis.unknown)
    return _("whether memory works in full could not be found out: {checks}").format(checks=checks)


def level_fall(level: Level, cause: Cause | None) -> str:
    """That memory fell or rose, why, and the way out."""
    words = level_note(level, cause)
    return f"{words} — {_('orca doctor says more')}" if words else _(LEVEL_WORDS[level])


def receipt_line(injection: Injection, references: References, moves: Sequence[Move], marks: Marks) -> str:
    """One line on what memory did in a turn: `◇ 5 in · 2 used  #12 3.0→3.5  #31 0.5→0.2 archived`."""
    if injection.failed:
        return f"{marks.receipt} {_('memory could not be read')}: {cause_phrase(injection.failed)}"
    if not injection.injected:
        return f"{marks.receipt} {nothing_in(injection, marks)}"
    counts = [
        _("{count} in").format(count=len(injection.injected)),
        _("{count} used").format(count=len(references.used)),
    ]
    steps = [_move_phrase(move, marks) for move in moves if move.before != move.after]
    return "  ".join([f"{marks.receipt} " + f" {marks.dot} ".join(counts), *steps])


def nothing_in(injection: Injection, marks: Marks) -> str:
    """That nothing was put in, by which rule, and what was looked at in vain."""
    reasons = listed(reason_phrase(rule) for rule in injection.rules)
    words = with_detail(_("nothing in"), reasons) if reasons else _("nothing in")
    if not injection.dropped:
        return words
    return f"{words} {marks.dot} " + _("left out {count}").format(count=len(injection.dropped))


def left_out(dropped: Sequence[Item], marks: Marks) -> str:
    """Why memories were left out, each reason with how many: `not near enough 2 · no room in the budget 1`."""
    counts = Counter(reason_phrase(item.reason) for item in dropped)
    return f" {marks.dot} ".join(f"{words} {count}" for words, count in counts.items())


def used_word(item: Item, references: References) -> str:
    """What the answer did with an injected memory."""
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
        case Saved():
            return _("saved after all")
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


def found_and_fix(check: Check) -> tuple[str, str]:
    """What the doctor found, and what is to be done about it."""
    return translated(check.detail_template, check.fields), translated(check.fix_template, check.fields)


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
