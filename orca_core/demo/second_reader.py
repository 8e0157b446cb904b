"""The demo's second reader: looks, by a few rules, whether the user states what was noted of them, and states a fact as
of now."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from orca_core.rules.clauses import tense
from orca_core.rules.clauses.clause import Clause, Frame, Mood
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.learning.trust.typed import TypedRound

_NOUNS = {"facts": "fact", "statements": "statement"}
"""What was noted, by where it stands in the material: facts, and fields of episodes."""


def answers_to(material: str) -> str | None:
    """The answer to a second reading, as the memory agent's JSON; None where the material is of another kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict):
        return None
    named = next((name for name in _NOUNS if asked.keys() == {"messages", name}), None)
    if named is None:
        return None
    typed = {message["round"]: str(message["typed"]) for message in asked["messages"]}
    answers = [_answer(noted, _NOUNS[named], typed) for noted in asked[named]]
    return json.dumps({"answers": answers}, ensure_ascii=False)


def _answer(noted: Mapping[str, Any], noun: str, typed: Mapping[int, str]) -> Mapping[str, object]:
    texts = [text for number, text in typed.items() if number in noted["rounds"] or not noted["rounds"]]
    says, quote = str(noted["says"]), str(noted["quote"])
    why = next(_doubts(quote, texts), "")
    if not why and noun == "fact" and tense.is_of_another_time(quote) and not tense.is_of_another_time(says):
        why = "not now"
    return {noun: noted[noun], "why": why or "stated", "says_so": not why}


def _doubts(quote: str, texts: list[str]) -> Iterator[str]:
    """Why the quote states nothing, where it does not."""
    rounds = [TypedRound(0, text, read_clauses(text)) for text in texts]
    holding = [clause for each in rounds for clause in each.holding(quote)]
    if not holding:
        yield "no words that say it"
    for why, is_so in _REASONS:
        if any(is_so(clause) for clause in holding):
            yield why


_REASONS: Sequence[tuple[str, Callable[[Clause], bool]]] = (
    ("supposed", lambda clause: Mood.SUPPOSED is clause.mood or Frame.SUPPOSED is clause.frame),
    ("denied", lambda clause: Mood.DOUBTED is clause.mood),
    ("asked", lambda clause: Mood.ASKED is clause.mood),
    ("in play", lambda clause: clause.frame in (Frame.ROLE, Frame.TEXT)),
)
