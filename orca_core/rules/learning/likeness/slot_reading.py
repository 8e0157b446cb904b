"""Reads from a memory which things it gives a value, and whether it holds now, for the user, and everywhere."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

from orca_core import words
from orca_core.rules.clauses import tense
from orca_core.rules.learning.likeness.alternatives import Alternatives, read_alternatives
from orca_core.rules.learning.likeness.meanings import Meaning, meaning_of
from orca_core.rules.learning.likeness.slot_values import Value, folded, read_values, without
from orca_core.rules.text.same_words import in_one_spelling
from orca_core.rules.text.scripts import simplified


class SlotReading(Struct, frozen=True):
    """All that a memory says of slots. `within` is for what, when or where alone it holds."""

    meaning: Meaning
    without_denial: str
    values: tuple[Value, ...]
    alternatives: tuple[Alternatives, ...]
    within: frozenset[str]
    is_of_now: bool
    is_definite: bool
    has_happened: bool
    introduces: bool
    tells_of_a_change: bool


_CLOCK = re.compile(
    r"(?<![\d.:])(?P<hour>\d{1,2})(?:[:：](?P<minute>\d\d)(?!\d))?(?![.:\d])(?: ?(?P<half>[ap])\.?m\b\.?)?",
    re.IGNORECASE,
)


def in_one_form(text: str) -> str:
    """The text with each time of day as one number, and each figure that rose, fell or amounts to something now told
    as one that it has now."""
    for spelling, becomes in words.spellings("slots.amounting"):
        text = re.sub(spelling, becomes, text, flags=re.IGNORECASE)
    return _CLOCK.sub(_hour, text)


def _hour(match: re.Match[str]) -> str:
    if match["minute"] is None and match["half"] is None:
        return match[0]
    hour = int(match["hour"]) % 12 + 12 if (match["half"] or "").lower() == "p" else int(match["hour"])
    return f"{hour}" if match["minute"] in (None, "00") else f"{hour}.{match['minute']}"


@lru_cache(maxsize=4096)
def read_slots(written: str) -> SlotReading:
    text = in_one_form(simplified(written))
    plain = re.sub(r"\s+", " ", in_one_spelling(unicodedata.normalize("NFKC", text))).strip().rstrip(".。")
    meaning = meaning_of(text)
    said = words.pattern("slots.beside").sub("", plain)
    return SlotReading(
        meaning=meaning,
        without_denial=folded(without(plain, "comparing.negation", "slots.now", "comparing.referring")),
        values=tuple(read_values(said)),
        alternatives=tuple(read_alternatives(words.pattern("slots.instead").sub("", plain))),
        within=frozenset(folded(match[0]) for match in words.pattern("slots.within").finditer(plain)),
        is_of_now=not tense.is_of_another_time(plain) and not words.pattern("slots.additive").search(plain),
        is_definite=words.pattern("slots.definite").match(text) is not None,
        has_happened=words.pattern("slots.happened").search(plain) is not None,
        introduces=words.pattern("slots.introduces").search(plain) is not None,
        tells_of_a_change=bool(meaning.changes) or tense.says_so_now(text),
    )
