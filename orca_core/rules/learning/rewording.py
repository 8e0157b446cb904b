"""Whether a fact says in other words what a known memory says, and stands on the same typed words."""

from __future__ import annotations

from orca_core.domain.memories import Memory, NewMemory, State
from orca_core.rules.keeping.said_again import standing_refusal
from orca_core.rules.learning.assertions import folded
from orca_core.rules.learning.meanings import Meaning, meaning_of

LEAST_SHARE = 0.5
"""Of two statements one must say all that the other says, and no more than twice of it. Chosen by hand: what replaces a
word (tea, coffee) is another fact of the same quote, and an honest fact does not go with a long false one that was
rejected."""


def is_told_already(new: NewMemory, known: Memory) -> bool:
    """Whether the fact is a twin of what waits, or what a person has refused, in other words.

    A fact that may live is no twin: it would bring the words of the waiting one alive, for which nothing speaks."""
    waits_too = known.state is State.CANDIDATE and new.state is State.CANDIDATE
    return (waits_too or bool(standing_refusal(known))) and is_reworded(new, known)


def is_reworded(new: NewMemory, known: Memory) -> bool:
    """Whether both stand on the same quote and say nearly the same, with the same numbers and negations."""
    quote = folded(new.origin.quote or "")
    if not quote or quote != folded(known.origin.quote or ""):
        return False
    ours, theirs = meaning_of(new.content), meaning_of(known.content)
    if (ours.numbers, ours.dates, ours.negations % 2) != (theirs.numbers, theirs.dates, theirs.negations % 2):
        return False
    less, more = sorted((_says(ours), _says(theirs)), key=len)
    return bool(less) and less <= more and len(less) >= LEAST_SHARE * len(more)


def _says(meaning: Meaning) -> frozenset[str]:
    """Its words and names, Chinese ones by their characters: a character put in between makes other pairs of them."""
    han = {character for word in meaning.words if _is_chinese(word) for character in word}
    return frozenset({*han, *(word for word in meaning.words if not _is_chinese(word)), *meaning.names})


def _is_chinese(word: str) -> bool:
    return word[0] >= "\u3400"  # as `duplicates` cuts them
