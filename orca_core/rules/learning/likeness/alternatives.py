"""Reads from a memory which of several alternatives it holds: dark or light, vegan or vegetarian, tabs or spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from orca_core import words
from orca_core.rules.learning.likeness.meanings import meaning_of


class Alternatives(Struct, frozen=True):
    """Which alternatives of a class a memory holds, whose they are, and which words stand beside them."""

    of: str
    held: frozenset[str]
    whose: frozenset[str]
    topic: tuple[str, ...]
    needs_no_topic: bool
    is_of_each_thing: bool
    may_stand_beside: bool


def read_alternatives(said: str) -> Iterator[Alternatives]:
    held: dict[str, set[str]] = {}
    first: dict[str, int] = {}
    bare = said
    for key, pattern in words.keyed_patterns("slots.alternatives"):
        of, _, value = key.rpartition("_")
        match = pattern.search(said)
        if match is not None:
            held.setdefault(of, set()).add(value)
            first[of] = min(first.get(of, len(said)), match.start())
            if match[0] != said:
                bare = pattern.sub(" ", bare)
    about: dict[str, bool] = {}
    for of, pattern in words.keyed_patterns("slots.about"):
        about[of] = about.get(of, False) or pattern.search(said) is not None
    topic = tuple(sorted(set(meaning_of(words.pattern("slots.now").sub(" ", bare).lower()).words)))
    for of, values in held.items():
        if not about.get(of, True):
            continue
        yield Alternatives(
            of,
            frozenset(values),
            people_in(said[: first[of]]),
            topic,
            of in about or of in words.word_set("slots.alone"),
            of in words.word_set("slots.of_each_thing"),
            of in words.word_set("slots.side_by_side"),
        )


def people_in(text: str) -> frozenset[str]:
    """Whom a text speaks of beside the user."""
    lowered = text.casefold()
    tokens = set(re.findall(r"[a-z-]+", lowered))
    return frozenset(
        each for each in words.words("slots.people") if each in tokens or (not each.isascii() and each in lowered)
    )
