"""What memory did in a turn, what the model looked up, how a round ended, and a chat as a document. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from gettext import gettext as _

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
from orca_core.model.llm import Finish, Source, Span
from orca_core.model.memories import Added, Status
from orca_core.model.recall import Injection, Item, LookUp, References, WeightMove
from orca_core.model.record_types import Ref, plain_ref
from orca_core.model.sessions import Round, RoundState, Session
from orca_core.rules.text.cleaning import for_terminal, one_line
from orca_tui.language import N_, counted, listed, translated, with_detail
from orca_tui.marks import Marks
from orca_tui.words.feedback_words import acts_line, promoted_line
from orca_tui.words.health_words import LEVEL_WORDS, cause_phrase, level_note
from orca_tui.words.learning_words import episodes_line
from orca_tui.words.memory_words import addition_line, reason_phrase, status_word, weight_figure
from orca_tui.words.tool_words import guide_made_line

LOOKUP_RULES = "lookups: "
"""The rules of an injection that begin so say how its look-ups ended; the others decided what came unasked."""
QUERY_CHARS = 48
"""Of a query so much is said where it shares a line. Chosen by hand."""


def looking_line(query: str) -> str:
    """That the model looks, and for what: `looking: postgres port …`"""
    begun = one_line(query, QUERY_CHARS)
    return with_detail(_("looking"), begun if begun.endswith("…") else f"{begun} …")


def lookup_phrase(lookup: LookUp, marks: Marks) -> str:
    """A look-up and how much it found, or that it could not: `looked up “postgres port” → 2`."""
    words = looked_up_words(lookup, QUERY_CHARS)
    if lookup.failed is not None:
        return with_detail(words, failure_words(lookup))
    return f"{words} {found_figure(lookup, marks)}"


def looked_up_words(lookup: LookUp, chars: int | None = None) -> str:
    """`looked up “postgres port”`, at most so many characters of the query."""
    query = " ".join(for_terminal(lookup.query).split()) if chars is None else one_line(lookup.query, chars)
    return query_words(query)


def query_words(query: str) -> str:
    """`looked up “postgres port”`, of a query as it is to stand there."""
    return _("looked up “{query}”").format(query=query)


def found_figure(lookup: LookUp, marks: Marks) -> str:
    """`→ 2`"""
    return f"{marks.arrow} {len(lookup.items)}"


def failure_words(lookup: LookUp) -> str:
    """Why nothing could be searched; empty where it could."""
    if lookup.failed is None:
        return ""
    return with_detail(_("memory could not be read"), cause_phrase(lookup.failed))


def new_items(injection: Injection) -> list[tuple[LookUp, Sequence[Item], Sequence[Ref]]]:
    """Each look-up with what it brought before the model, and with the names of what stood there already."""
    there = {item.ref for item in injection.injected}
    told: list[tuple[LookUp, Sequence[Item], Sequence[Ref]]] = []
    for lookup in injection.lookups:
        brought = [item for item in lookup.items if item.ref not in there]
        told.append((lookup, brought, [item.ref for item in lookup.items if item.ref in there]))
        there.update(item.ref for item in brought)
    return told


def stayed_out(injection: Injection) -> list[Item]:
    """What was left out and not looked up either: both would contradict each other."""
    found = {item.ref for item in injection.looked_up}
    return [item for item in injection.dropped if item.ref not in found]


def known_words(refs: Sequence[Ref]) -> str:
    """What a look-up found that stood before the model already; empty where there was nothing of it."""
    return with_detail(_("in already"), listed(f"#{plain_ref(ref)}" for ref in refs)) if refs else ""


def lookup_notes(injection: Injection) -> list[str]:
    """How its look-ups ended where they did not simply end: by the limit, by a failure, refused."""
    return [reason_phrase(rule) for rule in injection.rules if rule.startswith(LOOKUP_RULES)]


def rule_phrases(injection: Injection) -> list[str]:
    """The rules that decided what came unasked."""
    return [reason_phrase(rule) for rule in injection.rules if not rule.startswith(LOOKUP_RULES)]


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


_MARKUP = re.compile(r"[\\`*_\[\]<>]")
_FENCE = re.compile(r"(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})(?P<info>.*)", re.DOTALL)
_BACKTICKS = re.compile("`{3,}")
# What begins a block of HTML that hides what follows, until it is closed.
_HTML = re.compile(r"^( {0,3})<(?=!|\?|/?(?:script|pre|style|textarea)\b)", re.IGNORECASE)


def chat_markdown(session: Session, rounds: Sequence[Round]) -> str:
    """The title, then every round as it stands: its date, the question, the answer with its code as it is."""
    begun = f"{session.created_at.astimezone():%Y-%m-%d %H:%M}"
    length = counted("{count} round", "{count} rounds", len(rounds))
    parts = [f"# {_MARKUP.sub(_escaped, session.title)}", f"*{begun} · {length} · {_MARKUP.sub(_escaped, session.id)}*"]
    for each in rounds:
        parts += _round_parts(each)
    return for_terminal("\n\n".join(parts)) + "\n"


def _round_parts(each: Round) -> Iterator[str]:
    yield f"## {each.number} · {each.at.astimezone():%Y-%m-%d %H:%M}"
    yield f"**{_('You')}**"
    yield "\n\n".join(_asked(each.spans or (Span(each.user),)))
    if each.assistant:
        model = f" ({_MARKUP.sub(_escaped, each.model)})" if each.model else ""
        yield f"**{_('Answer')}**{model}"
        yield _contained(each.assistant)
    if ending := ending_of(each):
        yield f"*({_MARKUP.sub(_escaped, ending)})*"


def _asked(spans: Sequence[Span]) -> Iterator[str]:
    """What was typed as it is; what was pasted, piped or read from a file as a block of its own where it has lines."""
    typed = ""
    for span in spans:
        if span.source is Source.TYPED or "\n" not in span.text.strip():
            typed += span.text
            continue
        if typed.strip():
            yield _contained(typed)
        typed = ""
        yield _fenced(span.text)
    if typed.strip():
        yield _contained(typed)


def _fenced(text: str) -> str:
    fence = "`" * max(3, *(len(found) + 1 for found in ["", *_BACKTICKS.findall(text)]))
    return f"{fence}text\n{text.strip(chr(10))}\n{fence}"


def _contained(text: str) -> str:
    """A text that ends what it begins: a fence that is open at its end is closed, and no comment hides what follows."""
    lines: list[str] = []
    fence = ""
    for line in for_terminal(text).strip("\n").split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found["fence"].startswith(fence) and not found["info"].strip():
                fence = ""
        elif found and not (found["fence"][0] == "`" and "`" in found["info"]):
            fence = found["fence"]
        lines.append(line if fence or found else _HTML.sub(r"\1\\<", line, count=1))
    return "\n".join([*lines, fence] if fence else lines)


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"
