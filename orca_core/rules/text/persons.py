"""What is said of oneself, as another would put it: "I use vim" is "User uses vim"."""

from __future__ import annotations

import re
from functools import cache

from orca_core import words
from orca_core.rules.text.scripts import simplified


def in_the_third_person(text: str) -> str:
    """A text that begins with its speaker, told of the user; any other as it is."""
    plain = simplified(text)
    for pattern, becomes in _spellings():
        if found := pattern.match(plain):
            return found.expand(becomes) + text[found.end() :]
    return text


@cache
def _spellings() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(each, re.IGNORECASE), becomes) for each, becomes in words.spellings("comparing.persons_told")
    )
