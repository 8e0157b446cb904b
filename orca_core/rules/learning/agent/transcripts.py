"""Rounds as a memory agent reads them: typed text in full as far as it fits, of all other text only its length."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from orca_core.model.learning import DroppedFact
from orca_core.model.llm import Source, Span
from orca_core.model.sessions import Round
from orca_core.rules.text.cleaning import ELLIPSIS, clean_message, cut, one_line

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


def how_many_fit(rounds: Sequence[Round]) -> int:
    """How many of the oldest rounds one run reads: at least one, if there is any."""
    total = 0
    for index, each in enumerate(rounds):
        total += len(_line(each))
        if index and total > MAX_BATCH_CHARS:
            return index
    return len(rounds)


def message_count(rounds: Sequence[Round]) -> int:
    return sum(bool(each.user.strip()) + bool(each.assistant.strip()) for each in rounds)


def dialogue(rounds: Sequence[Round]) -> str:
    """The rounds as a JSON array, a line each: no text in it can pretend to be another speaker."""
    return "[" + ",\n".join(_line(each) for each in rounds) + "]"


def _line(each: Round) -> str:
    row = {
        "round": each.number,
        "date": each.at.strftime("%Y-%m-%d %A"),
        "user": user_text(each.spans, MAX_USER_CHARS),
        "assistant": shortened(each.assistant, MAX_ASSISTANT_CHARS),
    }
    return json.dumps(row, ensure_ascii=False)


def unread(rounds: Sequence[Round]) -> list[DroppedFact]:
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
    return text if len(text) <= limit else cut(text, max(0, limit - 1)).rstrip() + ELLIPSIS
