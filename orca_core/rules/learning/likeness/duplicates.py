"""Whether two memories say the same. Near ones are only nominated; a machine merges only what agrees in all that
matters: numbers, dates, negation, words of change, names, every word that is not mere phrasing, and type, unless the
letters are the same."""

from __future__ import annotations

from enum import StrEnum

from orca_core.domain.memories import Memory, MemoryType
from orca_core.domain.pairs import OTHER_VALUE
from orca_core.rules.keeping.same_statement import is_spelled_anew
from orca_core.rules.learning.likeness.meanings import Meaning, meaning_of
from orca_core.rules.learning.likeness.slots import gives_another_value

NEAR_SHARE = 0.5
"""Two memories that share so much of their words may say the same: a person is asked.

`benchmarks/duplicates.py` bounds it: nothing is merged by it, but at 0.6 a person is asked about 13 of the 34
duplicates instead of 21, at 0.3 about 20 of the 36 pairs that are none instead of 11."""


class Likeness(StrEnum):
    """How a new memory stands to a known one."""

    SAME = "same"
    UPDATE = "update"
    CONFLICT = "conflict"
    OTHER_VALUE = OTHER_VALUE
    UNDECIDED = "undecided"
    DIFFERENT = "different"


def likeness(new: str, new_type: MemoryType, known: str, known_type: MemoryType) -> Likeness:
    """Precision before recall: SAME and UPDATE are acted upon, OTHER_VALUE lists two of which the newer stands
    first, the rest is for a person or for nobody."""
    by_words = _by_words(new, new_type, known, known_type)
    if by_words in (Likeness.SAME, Likeness.UPDATE):
        return by_words
    return Likeness.OTHER_VALUE if gives_another_value(new, new_type, known, known_type) else by_words


OPEN = frozenset({Likeness.UNDECIDED, Likeness.CONFLICT, Likeness.OTHER_VALUE, Likeness.UPDATE})
"""Memories that stand so to each other are listed for a person."""


def why_a_pair(one: Memory, other: Memory) -> str:
    """Why two memories are listed for a person, whatever the words that brought them; empty where they are not. One
    that a person brings replaces nothing, so an update is a second value, too."""
    like = likeness(one.content, one.type, other.content, other.type)
    if like is Likeness.UPDATE and gives_another_value(one.content, one.type, other.content, other.type):
        like = Likeness.OTHER_VALUE
    return like.value if like in OPEN else ""


def are_of_one_thing(new: Memory, known: Memory) -> bool:
    """Whether they say the same, or give one thing two values, so that only one of them can be right now."""
    like = likeness(new.content, new.type, known.content, known.type)
    return like in (Likeness.SAME, Likeness.UPDATE, Likeness.OTHER_VALUE)


def _by_words(new: str, new_type: MemoryType, known: str, known_type: MemoryType) -> Likeness:
    ours, theirs = meaning_of(new), meaning_of(known)
    if ours.folded == theirs.folded or is_spelled_anew(new, known):
        return Likeness.SAME
    if new_type is not known_type:
        return Likeness.UNDECIDED if _share(ours, theirs) >= NEAR_SHARE else Likeness.DIFFERENT
    if _says_all_of(ours, theirs):
        if not _are_in_one_order(ours, theirs):
            return Likeness.CONFLICT if ours.negations % 2 != theirs.negations % 2 else Likeness.UNDECIDED
        if _values(ours) == _values(theirs) and ours.changes == theirs.changes:
            return Likeness.SAME if ours.negations % 2 == theirs.negations % 2 else Likeness.CONFLICT
        if ours.changes and not theirs.changes and _values(ours) != _values(theirs):
            return Likeness.UPDATE
        return Likeness.CONFLICT
    if _share(ours, theirs) < NEAR_SHARE:
        return Likeness.DIFFERENT
    if ours.numbers != theirs.numbers or ours.negations != theirs.negations or ours.changes != theirs.changes:
        return Likeness.CONFLICT
    return Likeness.UNDECIDED


def _are_in_one_order(ours: Meaning, theirs: Meaning) -> bool:
    """Whether nobody and nothing changed places: "the manager of Ines" is not "Ines is the manager", what goes from one
    place to another does not come back, and two figures belong each to its own thing."""
    if sorted(ours.figures) == sorted(theirs.figures) and ours.figures != theirs.figures:
        return False
    return ours.roles == theirs.roles or (ours.has_one_place and theirs.has_one_place)


def _values(meaning: Meaning) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return meaning.numbers, meaning.dates


def _says_all_of(ours: Meaning, theirs: Meaning) -> bool:
    """The same words, names and relations; in the same order where order tells (x over y; two names)."""
    if not ours.words or ours.compares != theirs.compares or ours.relations != theirs.relations:
        return False
    if sorted(ours.words) != sorted(theirs.words) or sorted(ours.names) != sorted(theirs.names):
        return False
    ordered = ours.compares or len(ours.names) > 1
    return not ordered or (ours.words == theirs.words and ours.names == theirs.names)


def _share(ours: Meaning, theirs: Meaning) -> float:
    mine, other = set(ours.words) | set(ours.names), set(theirs.words) | set(theirs.names)
    return len(mine & other) / min(len(mine), len(other)) if mine and other else 0.0
