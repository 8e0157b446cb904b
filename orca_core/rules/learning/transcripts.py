"""Make what the memory agent reads: rounds as JSON, and older ones to be folded into a summary; tell who said what."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date

from msgspec import Struct

from orca_core import words
from orca_core.model.learning import DroppedFact
from orca_core.model.llm import Source, Span
from orca_core.model.sessions import Round
from orca_core.rules.learning.model_json import THINKING
from orca_core.rules.text.cleaning import ELLIPSIS, clean_message, cut_text, one_line
from orca_core.rules.text.spelling import Language

MAX_BATCH_CHARS = 4000
"""What one run reads. It bounds what a run costs (`benchmarks/long_conversation.py` counts it); chosen by hand."""
MAX_USER_CHARS = 500
MAX_ASSISTANT_CHARS = 300
"""What is read of a question and of an answer: a fact stands on what the user says. Chosen by hand."""
UNREAD = "unread_rest"
"""Why nothing is learnt from the rest of a long message."""
UNREAD_SHOWN_CHARS = 60
MIN_MESSAGES = 2
"""A run of fewer would hold no answer to what is said."""


class Testimony(Struct, frozen=True):
    """Who said what in some rounds: the ground on which a fact stands or falls. A round's number leads each text.
    `said_on` is the user's own day of each round."""

    typed: tuple[tuple[int, str], ...]
    untrusted: tuple[str, ...]
    assistant: tuple[str, ...]
    said_on: tuple[tuple[int, date], ...] = ()


def testimony(rounds: Sequence[Round]) -> Testimony:
    return Testimony(
        typed=tuple((each.number, span.text) for each in rounds for span in each.spans if span.source is Source.TYPED),
        untrusted=tuple(
            span.text for each in rounds for span in each.spans if span.source is not Source.TYPED and span.text.strip()
        ),
        assistant=tuple(each.assistant for each in rounds if each.assistant.strip()),
        said_on=tuple((each.number, each.at.astimezone().date()) for each in rounds),
    )


def _line(each: Round) -> str:
    return round_line(each, "%Y-%m-%d %A", MAX_USER_CHARS, MAX_ASSISTANT_CHARS)


def round_line(each: Round, day: str, user_chars: int, assistant_chars: int) -> str:
    """A round as a JSON object on one line, its texts cut to so many characters, its day in this format."""
    row = {
        "round": each.number,
        "date": each.at.strftime(day),
        "user": user_text(each.spans, user_chars),
        "assistant": shortened(each.assistant, assistant_chars),
    }
    return json.dumps(row, ensure_ascii=False)


def how_many_fit(
    rounds: Sequence[Round], line: Callable[[Round], str] = _line, most_chars: int = MAX_BATCH_CHARS
) -> int:
    """Tell how many of the oldest rounds one run reads, each as this line: at least one, if there is any."""
    total = 0
    for index, each in enumerate(rounds):
        total += len(line(each))
        if index and total > most_chars:
            return index
    return len(rounds)


def message_count(rounds: Sequence[Round]) -> int:
    return sum(bool(each.user.strip()) + bool(each.assistant.strip()) for each in rounds)


def dialogue(rounds: Sequence[Round], line: Callable[[Round], str] = _line) -> str:
    """The rounds as a JSON array, a line each: no text in it can pretend to be another speaker."""
    return "[" + ",\n".join(map(line, rounds)) + "]"


def unread_rests(rounds: Sequence[Round]) -> list[DroppedFact]:
    """Of each round whose typed text is longer than what is read of it, the beginning of what is not."""
    found = []
    for each in rounds:
        room = MAX_USER_CHARS
        for said in (clean_message(span.text).strip() for span in each.spans if span.source is Source.TYPED):
            read = shortened(said, room)
            if len(said) > room:
                rest = said[max(0, len(read) - len(ELLIPSIS)) :]
                found.append(DroppedFact(ELLIPSIS + one_line(rest, UNREAD_SHOWN_CHARS), UNREAD))
                break
            room -= len(read)
    return found


def user_text(spans: Sequence[Span], limit: int) -> str:
    """A question: its typed text as far as that fits, and only the length of everything else."""
    room = limit
    pieces = []
    for span in spans:
        if span.source is not Source.TYPED:
            pieces.append(f"[{span.source.value} {len(span.text):,} characters]")
            continue
        said = shortened(span.text, room)
        room -= len(said)
        pieces.append(said)
    return " ".join(piece for piece in (each.strip() for each in pieces) if piece)


def shortened(text: str, limit: int) -> str:
    text = clean_message(text).strip()
    return text if len(text) <= limit else cut_text(text, max(0, limit - 1)).rstrip() + ELLIPSIS


KEPT_SHARE = 0.5
"""Folding goes on until what stays verbatim is this share of the trigger.

Chosen by hand; `benchmarks/long_conversation.py` shows what it comes to: tokens of the prompt, and how many folds."""
ALWAYS_VERBATIM = 2
"""The latest rounds are never folded: the conversation goes on from them, and they may still be replaced."""
MAX_FOLD_CHARS = 24_000
MAX_FOLDED_CHARS = 1500
"""They bound what one fold asks the memory agent to read. Chosen by hand."""
MAX_SUMMARY_CHARS = 4000
"""It bounds what a summary takes of every prompt behind it, whatever the memory agent answers. Chosen by hand."""


def max_summary_words(language: Language) -> int:
    """Tell how many words (in Chinese: characters) a running summary may have in a language."""
    return int(words.text("language.limits", "summary_words", language))


def fold_through(rounds: Sequence[Round], costs: Sequence[int], trigger_tokens: int) -> int | None:
    """The number of the last round to fold; None where nothing should be folded.

    `rounds` are those after the summary, `costs` their tokens. Nothing is folded while they weigh no more than the
    trigger. One fold takes no more than it can read."""
    total = sum(costs)
    if total <= trigger_tokens:
        return None
    chars = 0
    last: int | None = None
    for each, cost in zip(rounds[: max(0, len(rounds) - ALWAYS_VERBATIM)], costs, strict=False):
        chars += len(fold_line(each))
        if total <= trigger_tokens * KEPT_SHARE or (last is not None and chars > MAX_FOLD_CHARS):
            break
        total -= cost
        last = each.number
    return last


def fold_material(rounds: Sequence[Round]) -> str:
    """The rounds as the summarizer reads them."""
    return "\n\n".join(fold_line(each) for each in rounds)


def fold_line(each: Round) -> str:
    said = shortened(each.user, MAX_FOLDED_CHARS)
    answered = shortened(each.assistant, MAX_FOLDED_CHARS)
    return f"[{each.number}] user: {said}\n[{each.number}] assistant: {answered}"


def read_summary(answer: str) -> str:
    """The summary in an answer; empty where there is none."""
    text = clean_message(THINKING.sub("", answer)).strip()
    return cut_text(text, MAX_SUMMARY_CHARS)
