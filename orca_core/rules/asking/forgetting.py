"""What the user asks to be forgotten, in their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from orca_core import words
from orca_core.domain.messages import Span
from orca_core.rules.asking import requests
from orca_core.rules.asking.requests import EDGES, Place
from orca_core.rules.clauses.clause import Clause, Mood
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.text.scripts import simplified


def forget_request(spans: Sequence[Span]) -> str | None:
    """What is to be forgotten, in the user's words without particles: the text to search memories for."""
    for place in requests.places(spans, words.pattern("remember.mentions_forgetting")):
        if place.follows_a_plan or _is_question(place):
            continue
        if (what := _asked_to_forget(place)) and not _is_dropped_plan(place, what):
            return what
    return None


def _is_question(place: Place) -> bool:
    """Whether its sentence asks, other than for the favour itself: "can you forget my address?" may ask what Orca can
    do, "… please?" does not."""
    if len(place.sentence) > 1 and requests.courtesy().fullmatch(f" {simplified(place.sentence[-1].text)}"):
        return False
    asked = [
        each
        for each in place.sentence
        if each.text.endswith(("?", "？")) or (each.mood is Mood.ASKED and not _orders_forgetting(each))
    ]
    return any(not _asks_a_favour(simplified(each.text)) for each in asked)


def _asks_a_favour(text: str) -> bool:
    is_polite = requests.courtesy().search(f" {text}") is not None
    return is_polite or words.pattern("remember.asks_the_favour").search(text) is not None


def _orders_forgetting(clause: Clause) -> bool:
    return words.pattern("remember.orders_forgetting").search(simplified(clause.text)) is not None


def _is_dropped_plan(place: Place, what: str) -> bool:
    """ "Forget the diet, let's have pizza", "forget about speed, focus on clarity": what is one's own is no plan."""
    instead = words.pattern("remember.instead")
    goes_on = words.pattern("remember.goes_on_forgetting")
    is_own = words.pattern("remember.mine").search(simplified(what)) is not None
    return any(
        instead.search(simplified(each.text))
        or (each.mood is Mood.ORDERED and not is_own and not goes_on.search(simplified(each.text)))
        for each in place.sentence[1:2]
    )


def _asked_to_forget(place: Place) -> str | None:
    nothing = words.pattern("remember.nothing_to_forget")
    for request, said in _readings(place):
        if match := request.fullmatch(said):
            what = without_particles(clean_memory(place.text[slice(*match.span("what"))]))
            if len(what) >= MEMORY_LIMITS[0] and not nothing.fullmatch(what):
                return what
    return None


def _readings(place: Place) -> Iterator[tuple[re.Pattern[str], str]]:
    """Each wording of a request with what it must match: the clause, or two of them."""
    wordings = ("remember.to_be_forgotten", "remember.to_be_forgotten_at_last")
    for clause, wording in zip(place.sentence, wordings, strict=False):
        said = place.masked[: max(0, clause.end - place.start)].rstrip("。！!？?；;…. ")
        for request in words.patterns(wording):
            yield request, said


def without_particles(what: str) -> str:
    """The words for a thing alone: "the bit about my job that i told you lol" is "my job"."""
    before = ""
    while what != before:
        before = what = what.strip(EDGES)
        if match := _leading().match(simplified(what)):
            what = what[match.end() :].strip(EDGES)
        if match := _trailing().search(simplified(what)):
            what = what[: match.start()].strip(EDGES)
    for pattern, plainly in _plainly():
        what = pattern.sub(plainly, what)
    return what


@cache
def _leading() -> re.Pattern[str]:
    return re.compile(rf"^(?:{words.choices('remember.leading')})", re.IGNORECASE)


@cache
def _trailing() -> re.Pattern[str]:
    return re.compile(rf"(?:{words.choices('remember.particles')})$", re.IGNORECASE)


@cache
def _plainly() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(each, re.IGNORECASE), plainly) for each, plainly in words.spellings("remember.plainly"))
