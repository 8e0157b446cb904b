"""The demo's second reader: looks, by a few rules, whether the user states now what a fact says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from orca_core.demo import clauses
from orca_core.rules.learning import tense
from orca_core.rules.learning.assertions import folded, is_denied, is_only_asked, is_supposed, sentences

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
    holding = [text for text in texts if folded(quote) in folded(text)]
    if not quote or not holding:
        yield "no words that say it"
    if any(is_supposed(quote, text) for text in holding):
        yield "supposed"
    if any(is_denied(quote, text) for text in holding):
        yield "denied"
    if any(is_only_asked(quote, text) for text in holding):
        yield "asked"
    if any(_is_in_play(quote, text) for text in holding):
        yield "in play"
    if tense.is_of_another_time(quote) and not tense.is_of_another_time(content):
        yield "not now"


def _is_in_play(quote: str, text: str) -> bool:
    """Whether a game is opened in the quote's sentence, or in one before it."""
    for sentence in sentences(text):
        if clauses.is_in_play(sentence.text):
            return True
        if folded(quote) in folded(sentence.text):
            return False
    return False
