"""Different spellings of the same, each brought to one: `k8s` and Kubernetes, "based in" and "lives in"."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from orca_core import words
from orca_core.rules.text.scripts import simplified
from orca_core.words.sieve import Sieve


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
    paraphrases, sieve = _paraphrases()
    may_fit = sieve.may_fit(plain.lower())
    for number, (pattern, becomes) in enumerate(paraphrases):
        if may_fit >> number & 1 and (changed := pattern.sub(becomes, plain)) != plain:
            plain = changed
            may_fit |= sieve.may_fit(plain.lower())
    return plain


@cache
def _paraphrases() -> tuple[tuple[tuple[re.Pattern[str], str], ...], Sieve]:
    """In small letters, as the sieve looks for them."""
    written = words.spellings("asserting.paraphrases")
    patterns = tuple((re.compile(pattern, re.IGNORECASE), becomes) for pattern, becomes in written)
    return patterns, Sieve(pattern for pattern, _becomes in written)


@cache
def _spellings() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Names first: blanks part them from what they are written together with."""
    names = [(pattern, f" {name} ") for pattern, name in words.spellings("comparing.names")]
    return tuple(
        (re.compile(pattern, re.IGNORECASE), becomes)
        for pattern, becomes in (*names, *words.spellings("comparing.spellings"))
    )
