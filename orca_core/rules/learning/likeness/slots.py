"""Whether two memories give one thing two values ("lives in Lyon", "lives in Paris"), also where no word tells of a
change. Such a pair is listed for a person; nothing is archived or hidden by it.

Most relations have many values: one likes tea and coffee, has two dogs, speaks two languages. A memory is read only
where the words say that there is one: a relation that has one value at a time, a possessive ("the user's editor is"),
alternatives of which one holds (dark or light), or the same words with another figure. What adds ("also"), what holds
only somewhere or of another time, and what brings up a further thing ("has a …") stands beside, not in the place.
"""

from __future__ import annotations

from orca_core.domain.memories import MemoryType
from orca_core.rules.learning.likeness.alternatives import Alternatives
from orca_core.rules.learning.likeness.slot_reading import SlotReading, read_slots
from orca_core.rules.learning.likeness.slot_values import Value
from orca_core.rules.text.numerals import numbers_in


def gives_another_value(new: str, new_type: MemoryType, known: str, known_type: MemoryType) -> bool:
    """Whether both speak of one thing that has one value, and name two."""
    ours, theirs = read_slots(new), read_slots(known)
    if not (ours.is_of_now and theirs.is_of_now) or ours.within != theirs.within:
        return False
    if _have_another_value(ours, theirs) or _hold_alternatives(ours, theirs):
        return True
    is_event = MemoryType.EVENT in (new_type, known_type)
    return _differ_in_a_figure(ours, theirs, is_event=is_event) or _are_turned_round(ours, theirs, is_event=is_event)


def _have_another_value(ours: SlotReading, theirs: SlotReading) -> bool:
    tells_of_a_change = ours.tells_of_a_change or theirs.tells_of_a_change
    return any(
        _differ(mine, other)
        for mine in ours.values
        for other in theirs.values
        if mine.slot == other.slot and (tells_of_a_change or not (mine.is_one_of_several or other.is_one_of_several))
    )


def _differ(mine: Value, other: Value) -> bool:
    """Whether they are two values of one kind, and none is the other with more or fewer words."""
    if mine.shape != other.shape or mine.is_written_in_another_script(other):
        return False
    if mine.shape == "figure":
        return numbers_in(mine.text) != numbers_in(other.text) and mine.counts_what(other)
    return not (mine.is_part_of(other) or other.is_part_of(mine))


def _hold_alternatives(ours: SlotReading, theirs: SlotReading) -> bool:
    tells_of_a_change = ours.tells_of_a_change or theirs.tells_of_a_change
    is_one_thing = tells_of_a_change or (ours.is_definite and theirs.is_definite)
    for mine in ours.alternatives:
        for other in theirs.alternatives:
            if mine.of != other.of or mine.whose != other.whose or not mine.held.isdisjoint(other.held):
                continue
            if mine.may_stand_beside and not is_one_thing:
                continue
            if mine.needs_no_topic or _are_about_one_thing(mine, other):
                return True
    return False


def _are_about_one_thing(mine: Alternatives, other: Alternatives) -> bool:
    ours, theirs = set(mine.topic), set(other.topic)
    if mine.is_of_each_thing:
        return ours <= theirs or theirs <= ours
    return bool(ours) and ours == theirs


def _differ_in_a_figure(ours: SlotReading, theirs: SlotReading, *, is_event: bool) -> bool:
    """The same words with another number, time or day."""
    mine, other = ours.meaning, theirs.meaning
    if not _has_the_same_words(ours, theirs) or mine.negations % 2 != other.negations % 2:
        return False
    if (mine.numbers, mine.dates) == (other.numbers, other.dates):
        return False
    if len(mine.numbers) != len(other.numbers) or len(mine.dates) != len(other.dates):
        return False
    if ours.is_definite and theirs.is_definite:
        return True
    if is_event or ours.has_happened or theirs.has_happened or ours.introduces or theirs.introduces:
        return False
    return mine.numbers != other.numbers or ours.tells_of_a_change or theirs.tells_of_a_change


def _are_turned_round(ours: SlotReading, theirs: SlotReading, *, is_event: bool) -> bool:
    """The same said and denied, or x preferred to y and y to x."""
    mine, other = ours.meaning, theirs.meaning
    if is_event or (mine.numbers, mine.dates) != (other.numbers, other.dates):
        return False
    if mine.negations % 2 != other.negations % 2:
        return ours.without_denial == theirs.without_denial or _has_the_same_words(ours, theirs)
    return mine.compares and _has_the_same_words(ours, theirs) and mine.words != other.words


def _has_the_same_words(ours: SlotReading, theirs: SlotReading) -> bool:
    mine, other = ours.meaning, theirs.meaning
    return (
        bool(mine.words)
        and sorted(mine.words) == sorted(other.words)
        and sorted(mine.names) == sorted(other.names)
        and mine.compares == other.compares
        and mine.relations - {"do"} == other.relations - {"do"}
    )
