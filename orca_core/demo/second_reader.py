"""The demo's second reader: looks, by a few rules, whether the user states now what a fact says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from orca_core.rules.clauses import tense
from orca_core.rules.clauses.clause import Clause, Frame, Mood
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.learning.trust.typed import TypedRound

_PARTS = {"messages", "facts"}


def answers_to(material: str) -> str | None:
    """The answer to a second reading, as the memory agent's JSON; None where the material is of another kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict) or asked.keys() != _PARTS:
        return None
    typed = {message["round"]: str(message["typed"]) for message in asked["messages"]}
    return json.dumps({"answers": [_answer(fact, typed) for fact in asked["facts"]]}, ensure_ascii=False)


def _answer(fact: Mapping[str, Any], typed: Mapping[int, str]) -> Mapping[str, object]:
    texts = [text for number, text in typed.items() if number in fact["rounds"] or not fact["rounds"]]
    why = next(_doubts(str(fact["says"]), str(fact["quote"]), texts), "")
    return {"fact": fact["fact"], "why": why or "stated", "says_so": not why}


def _doubts(content: str, quote: str, texts: list[str]) -> Iterator[str]:
    """Why the quote does not state what the fact says, where it does not."""
    rounds = [TypedRound(0, text, read_clauses(text)) for text in texts]
    holding = [clause for each in rounds for clause in each.holding(quote)]
    if not holding:
        yield "no words that say it"
    for why, is_so in _REASONS:
        if any(is_so(clause) for clause in holding):
            yield why
    if tense.is_of_another_time(quote) and not tense.is_of_another_time(content):
        yield "not now"


_REASONS: Sequence[tuple[str, Callable[[Clause], bool]]] = (
    ("supposed", lambda clause: Mood.SUPPOSED is clause.mood or Frame.SUPPOSED is clause.frame),
    ("denied", lambda clause: Mood.DOUBTED is clause.mood),
    ("asked", lambda clause: Mood.ASKED is clause.mood),
    ("in play", lambda clause: clause.frame in (Frame.ROLE, Frame.TEXT)),
)
