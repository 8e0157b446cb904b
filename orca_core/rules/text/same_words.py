"""Different spellings of the same, each brought to one: `k8s` and Kubernetes, "based in" and "lives in"."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from orca_core import words
from orca_core.rules.text.scripts import simplified


def in_one_spelling(text: str) -> str:
    """A text with its names and phrases as the tables spell them, in their script."""
    text = simplified(text)
    for pattern, spelling in _spellings():
        text = pattern.sub(spelling, text)
    return text


@lru_cache(maxsize=2048)
def in_plain_words(text: str) -> str:
    """A text in one spelling, with what a person and a fact put differently in the same words."""
    plain = in_one_spelling(simplified(unicodedata.normalize("NFKC", text)))
    for pattern, becomes in _paraphrases():
        plain = pattern.sub(becomes, plain)
    return plain


@cache
def _paraphrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    written = words.spellings("asserting.paraphrases")
    return tuple((re.compile(pattern, re.IGNORECASE), becomes) for pattern, becomes in written)


@cache
def _spellings() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Names first: blanks part them from what they are written together with."""
    names = [(pattern, f" {name} ") for pattern, name in words.spellings("comparing.names")]
    return tuple(
        (re.compile(pattern, re.IGNORECASE), becomes)
        for pattern, becomes in (*names, *words.spellings("comparing.spellings"))
    )
