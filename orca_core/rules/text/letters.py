"""A text by its letters alone: two that differ in width, case, blanks or invisible characters are the same."""

from __future__ import annotations

import re
import unicodedata

from orca_core.model.ignorables import IGNORABLE

_INVISIBLE = re.compile(f"[{IGNORABLE}]")
_UNPRINTED = frozenset({"Cf", "Cc"})
_APOSTROPHES = "’‘"


def folded(text: str) -> str:
    """The letters of a text."""
    return folded_with_places(text)[0]


def folded_with_places(text: str) -> tuple[str, list[int]]:
    """The letters of a text, and where in it each of them stood."""
    if text.isascii():
        places = [place for place, letter in enumerate(text) if " " < letter < "\x7f"]
        return "".join(text[place] for place in places).lower(), places
    letters: list[str] = []
    places = []
    for place, character in enumerate(text):
        for letter in unicodedata.normalize("NFKC", character).casefold():
            if not (letter.isspace() or unicodedata.category(letter) in _UNPRINTED or _INVISIBLE.match(letter)):
                letters.append("'" if letter in _APOSTROPHES else letter)
                places.append(place)
    return "".join(letters), places
