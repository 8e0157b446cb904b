"""Whether a fact says in other words what a known memory says, and stands on the same typed words."""

from __future__ import annotations

from orca_core.domain.memories import Memory, NewMemory, State
from orca_core.rules.keeping.said_again import standing_refusal
from orca_core.rules.learning.likeness.meanings import Meaning, meaning_of
from orca_core.rules.learning.outcomes.succession import is_read_again
from orca_core.rules.text.letters import folded

LEAST_SHARE = 2 / 3
"""Of two statements one must say all that the other says, and only half as much again. Chosen by hand: what replaces a
word (tea, coffee) or adds one (tea, tea and coffee) is another fact of the same quote, and an honest fact does not go
with a long false one that was rejected."""


def is_told_already(new: NewMemory, known: Memory) -> bool:
    """Whether the fact is a twin of what waits, or what a person has refused, in other words.

    A fact that may live is no twin: it would bring the words of the waiting one alive, for which nothing speaks."""
    waits_too = known.state is State.CANDIDATE and new.state is State.CANDIDATE
    return (waits_too or bool(standing_refusal(known))) and is_reworded(new, known)


def is_reworded(new: NewMemory, known: Memory) -> bool:
    """Whether both stand on the same words and say nearly the same, with the same names, numbers and negations."""
    if not _stand_on_the_same(new, known):
        return False
    ours, theirs = meaning_of(new.content), meaning_of(known.content)
    if _values(ours) != _values(theirs):
        return False
    less, more = sorted((_says(ours), _says(theirs)), key=len)
    return bool(less) and less <= more and len(less) >= LEAST_SHARE * len(more)


def _stand_on_the_same(new: NewMemory, known: Memory) -> bool:
    """Whether they have the same quote, of the same rounds one that holds the other. Where neither has one nobody typed
    them, and what may not live either way is told apart by what it says alone."""
    ours, theirs = folded(new.origin.quote or ""), folded(known.origin.quote or "")
    if not ours and not theirs:
        return new.state is State.CANDIDATE
    if is_read_again(new, known):
        return bool(ours and theirs) and (ours in theirs or theirs in ours)
    return ours == theirs


def _values(meaning: Meaning) -> tuple[object, ...]:
    """What two statements of one thing never differ in."""
    return frozenset(meaning.names), meaning.numbers, meaning.dates, meaning.negations % 2


def _says(meaning: Meaning) -> frozenset[str]:
    """Its words, Chinese ones by their characters: a character put in between makes other pairs of them."""
    han = {character for word in meaning.words if _is_chinese(word) for character in word}
    return frozenset({*han, *(word for word in meaning.words if not _is_chinese(word))})


def _is_chinese(word: str) -> bool:
    return word[0] >= "\u3400"  # as `duplicates` cuts them
