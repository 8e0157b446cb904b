"""What episodes are about: which names mean one thing, and which known ones are near to a text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from orca_core.model.knowledge import TargetCount
from orca_core.rules.text.cleaning import clean_memory, cut
from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.terms import content_words

NEAREST = 30
"""So many known targets are shown to who names one: more would fill the prompt, and the right one would be among
strangers. Chosen by hand."""
MAX_TARGET_CHARS = 80
"""A longer one describes what happened. Chosen by hand."""

_TELL_APART = frozenset("+#")
"""C, C++ and C# are three."""


@lru_cache(maxsize=20_000)
def folded(target: str) -> str:
    """A target as it is compared: without width, case, blanks and punctuation, in one script."""
    plain = _in_one_script(target)
    telling = "".join(each for place, each in enumerate(plain) if _tells_apart(plain, place))
    return unicodedata.normalize("NFC", telling) or " ".join(plain.split())  # what stood apart may make one letter now


def clean_target(target: str) -> str:
    """A target as it is stored."""
    return cut(clean_memory(target), MAX_TARGET_CHARS).strip()


def near_targets(text: str, known: Iterable[TargetCount], limit: int = NEAREST) -> list[str]:
    """The known targets nearest to a text: those that share most words with it, then those with most episodes."""
    said = content_words(text)
    ranked = sorted(known, key=lambda each: (-len(said & _words_of(each.target)), -each.episodes, each.target))
    return [each.target for each in ranked[:limit]]


def chosen_target(answered: str, known: Iterable[TargetCount]) -> str:
    """The known target that an answer means, as it is spelled there; else the answer's own."""
    cleaned = clean_target(answered)
    same = folded(cleaned)
    return next((each.target for each in known if folded(each.target) == same), cleaned) if same else ""


@lru_cache(maxsize=20_000)
def _words_of(target: str) -> frozenset[str]:
    return content_words(target)


def _in_one_script(target: str) -> str:
    plain = simplified(unicodedata.normalize("NFKC", target).casefold())
    return unicodedata.normalize("NFKC", plain)


def _tells_apart(plain: str, place: int) -> bool:
    character = plain[place]
    if character == ".":  # 1.2 is not 12
        return plain[place - 1 : place].isdigit() and plain[place + 1 : place + 2].isdigit()
    return character.isalnum() or character in _TELL_APART or unicodedata.category(character) in ("Mn", "Mc")
