"""Of memories that give one thing two values only one may stand before the model: the newest.

A pair is open until a person decides it: keeps both, merges them, or puts one away. The newer of an open pair counts,
so of a chain of values only the last one. Two of which a person keeps both do not give way to each other, also not
through a third that stands between them. There is one exception: a pinned memory counts against a newer one that is
not pinned. A pin is a person's word that this one is to stand before the model, a machine lowers nothing pinned, and
what speaks against it waits in the inbox from the start; where both live all the same, the pin was the later act.
Of two pinned ones the newer counts.

A home may hold thousands of open pairs that all hang together: not all of them are read. From the memories at hand one
follows what each of them gives way to (`to_ask`), and what that gives way to, to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime

from orca_core.domain.dataclass import dataclass
from orca_core.domain.memories import Memory
from orca_core.domain.pairs import ListedPair
from orca_core.domain.recall import Item
from orca_core.rules.recalling.choosing.ranking import BELOW, MAX_DROPPED_SHOWN, Found, Selection, long_item
from orca_core.rules.recalling.finding.evidence import Embedding
from orca_core.rules.recalling.finding.floors import FLOORS, is_relevant, shortfall

OLDER = "older_of_a_pair"
AGAINST_A_PIN = "contradicts_pinned"


@dataclass(frozen=True, slots=True)
class GivesWay:
    """That a memory may not be injected: the number of the one that counts in its place, and why."""

    to: int
    reason: str


@dataclass(frozen=True, slots=True)
class Outdone:
    """The same, with the memory that counts."""

    by: Memory
    reason: str


def kept(pairs: Iterable[ListedPair]) -> set[frozenset[int]]:
    """The pairs of which a person keeps both."""
    return {frozenset((pair.older.id, pair.newer.id)) for pair in pairs if pair.is_settled}


def to_ask(pairs: Collection[ListedPair], asked: Set[int]) -> set[int]:
    """Whose pairs must be known, too, to say which of the memories `asked` about count; `pairs` are all of theirs."""
    ends = {each.to for each in outdone(pairs, asked).values()}
    rivals = [pair for pair in pairs if not pair.is_settled]
    kept_beside = {
        each.id for pair in pairs if pair.is_settled for each in (pair.older, pair.newer) if each.id in asked
    }
    return ends.union(*(_rivals_of(each, rivals) for each in kept_beside)) - asked


def outdone(pairs: Iterable[ListedPair], asked: Set[int]) -> Mapping[int, GivesWay]:
    """Those of the memories `asked` about that give way, by their numbers; `pairs` are all of theirs, with those of
    which both are kept.

    One of each open pair gives way, and one of all that hang together stays: where values went round in a circle, the
    pair that was listed first does not count."""
    ahead: dict[int, tuple[int, str]] = {}
    pairs = sorted(pairs, key=_place, reverse=True)
    rivals = [pair for pair in pairs if not pair.is_settled]
    for loser, winner, reason in sorted((_decided(pair) for pair in rivals), key=lambda each: each[2] != AGAINST_A_PIN):
        if loser in asked and loser not in ahead and _last(winner, ahead) != loser:
            ahead[loser] = (winner, reason)
    for pair in pairs:
        if pair.is_settled:
            for one, other in ((pair.older.id, pair.newer.id), (pair.newer.id, pair.older.id)):
                gives_way_all_the_same = other in _passed(one, ahead)
                if gives_way_all_the_same and all(each in ahead for each in _rivals_of(one, rivals)):
                    del ahead[one]
    return {loser: GivesWay(_last(winner, ahead), reason) for loser, (winner, reason) in ahead.items()}


def named(given_way: Mapping[int, GivesWay], memories: Mapping[int, Memory]) -> dict[int, Outdone]:
    """The same, with the memories that count, by their numbers."""
    return {number: Outdone(memories[each.to], each.reason) for number, each in given_way.items()}


def in_their_place(
    found: Iterable[Found], given_way: Mapping[int, Outdone], own: Mapping[int, Found], embedding: Embedding
) -> list[Found]:
    """The memories found, each that gives way replaced by the one that counts: a question that finds one value of a
    thing asks for the other, too. It stands where the older stood, with what let that in; its parts are its `own`."""

    def strength(each: Found) -> tuple[bool, float]:
        return is_relevant(each.evidence, embedding), each.worth

    best: dict[int, Found] = {}
    for each in found:
        newest = given_way.get(each.memory.id)
        stands = each
        if newest is not None:
            parts = own[newest.by.id].parts
            stands = replace(each, memory=newest.by, parts=parts, stands_for=each.worth)
        known = best.get(stands.memory.id)
        if known is None or strength(stands) > strength(known):
            best[stands.memory.id] = stands
    return list(best.values())


def counts_for(given_way: Mapping[int, Outdone]) -> Callable[[Memory, Memory], bool]:
    """Whether of two memories the first one counts, and the second gives way to it."""
    return lambda one, other: other.id in given_way and given_way[other.id].by.id == one.id


def left_out(
    selection: Selection,
    found: Iterable[Found],
    entering: Iterable[Found],
    given_way: Mapping[int, Outdone],
    embedding: Embedding,
) -> Selection:
    """The selection with what gave way named among those left out; `entering` are those that would have entered
    whatever the question."""
    asked_for = {each.memory.id for each in entering}
    items: dict[int, Item] = {}
    for each in (*entering, *found):
        if (newest := given_way.get(each.memory.id)) is not None:
            was_due = each.memory.id in asked_for or is_relevant(each.evidence, embedding)
            below = None if was_due else shortfall(each.evidence, embedding, FLOORS.technical)
            items.setdefault(each.memory.id, long_item(each, newest.reason if was_due else BELOW, below))
    due = [each for each in items.values() if each.reason != BELOW]
    rest = [each for each in items.values() if each.reason == BELOW]
    return Selection(selection.chosen, (*due, *selection.dropped, *rest)[:MAX_DROPPED_SHOWN])


def _decided(pair: ListedPair) -> tuple[int, int, str]:
    """Who gives way, to whom, and why."""
    if pair.older.pinned and not pair.newer.pinned:
        return pair.newer.id, pair.older.id, AGAINST_A_PIN
    return pair.older.id, pair.newer.id, OLDER


def _place(pair: ListedPair) -> tuple[datetime, int, int]:
    """When it was listed."""
    return pair.listed_at, pair.newer.id, pair.older.id


def _rivals_of(number: int, rivals: Sequence[ListedPair]) -> set[int]:
    """The other of each open pair that it is of."""
    named = [(pair.newer.id, pair.older.id) for pair in rivals]
    return {each for pair in named if number in pair for each in pair if each != number}


def _passed(memory: int, ahead: Mapping[int, tuple[int, str]]) -> set[int]:
    """All that it gives way to, one through the other."""
    passed: set[int] = set()
    while memory in ahead:
        memory = ahead[memory][0]
        passed.add(memory)
    return passed


def _last(memory: int, ahead: Mapping[int, tuple[int, str]]) -> int:
    while memory in ahead:
        memory = ahead[memory][0]
    return memory
