"""What the user asks to be forgotten, in their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from orca_core import words
from orca_core.model.llm import Span
from orca_core.rules.requests.requests import EDGES, Place, places
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.text.scripts import simplified

_MARKS = "。！!？?；;…. "


def forget_request(spans: Sequence[Span]) -> str | None:
    """What is to be forgotten, in the user's words without particles: the text to search memories for."""
    found = map(_asked_to_forget, places(spans, words.pattern("remember.mentions_forgetting")))
    return next(filter(None, found), None)


def _asked_to_forget(place: Place) -> str | None:
    sentence = place.plain[: place.sentence]
    if _is_question(sentence) or words.pattern("remember.instead").search(sentence):
        return None
    for pattern in words.patterns("remember.to_be_forgotten"):
        if match := pattern.fullmatch(sentence.rstrip(_MARKS)):
            what = without_particles(clean_memory(place.text[slice(*match.span("what"))]))
            if len(what) >= MEMORY_LIMITS[0] and not words.pattern("remember.nothing_to_forget").fullmatch(what):
                return what
    return None


def _is_question(sentence: str) -> bool:
    """Whether it asks, other than for the favour itself."""
    asks, favour = (words.pattern(f"remember.{each}").search(sentence) for each in ("asks", "favour"))
    return asks is not None and favour is None


def without_particles(what: str) -> str:
    """The words for a thing alone: "the bit about my job please" is "my job"."""
    before = ""
    while what != before:
        before = what = what.strip(EDGES)
        for around in _around():
            if match := around.search(simplified(what)):
                what = (what[: match.start()] + what[match.end() :]).strip(EDGES)
    return what


@cache
def _around() -> tuple[re.Pattern[str], ...]:
    leading, trailing = words.choices("remember.leading"), words.choices("remember.particles")
    return re.compile(rf"^(?:{leading})", re.IGNORECASE), re.compile(rf"(?:{trailing})$", re.IGNORECASE)
