"""In which order candidates are shown that wait to be shown often enough."""

from __future__ import annotations

import pytest
from fakes.memories import memory

from orca_core.model.feedback import Weighed
from orca_core.model.memories import State, Waits
from orca_core.model.records import EPISODE, Ref, memory_ref
from orca_core.rules.feedback.promotion_score import UNPROVEN, ByNearness, nearness

READY = Weighed(days=3, needed=3, score=0.9, threshold=0.8, visited=3)
STALE = Weighed(days=4, needed=3, score=0.7, threshold=0.8, visited=4)
ONE_DAY_SHORT = Weighed(days=2, needed=3, score=0.9, threshold=0.8, visited=9)
NEW = Weighed(days=1, needed=3, score=0.86, threshold=0.8, visited=1)
SENT_BACK = Weighed(days=3, needed=3, score=0.9, threshold=0.8, visited=3, blocked_by="undone")


@pytest.mark.parametrize(
    ("nearer", "farther"), [(READY, STALE), (STALE, ONE_DAY_SHORT), (ONE_DAY_SHORT, NEW), (NEW, SENT_BACK)]
)
def test_what_lacks_less_is_nearer(nearer: Weighed, farther: Weighed) -> None:
    assert nearness(nearer) < nearness(farther)


def waits(number: int, held: str, *, is_memory: bool = True) -> Waits:
    candidate = memory(id=number, state=State.CANDIDATE, held_because=held)
    ref = memory_ref(number) if is_memory else Ref(EPISODE, number)
    return Waits(ref, candidate.content, candidate.updated_at, held, held, candidate.origin, candidate)


def test_unproven_memories_change_places_among_themselves_alone() -> None:
    waiting = [
        waits(1, UNPROVEN),
        waits(2, "not_typed"),
        waits(3, UNPROVEN),
        waits(4, UNPROVEN, is_memory=False),
        waits(5, UNPROVEN),
        waits(6, UNPROVEN),
    ]

    order = ByNearness(waiting, {1: NEW, 2: READY, 3: READY, 5: ONE_DAY_SHORT})

    ordered = [*order.placed(waiting[:2]), *order.placed(waiting[2:])]
    assert [each.ref.id for each in ordered] == [3, 2, 5, 4, 1, 6]
    assert order.left() == []


def test_of_equals_the_one_that_has_waited_longest_is_first() -> None:
    waiting = [waits(1, UNPROVEN), waits(2, UNPROVEN)]

    assert [each.ref.id for each in ByNearness(waiting, {1: NEW, 2: NEW}).placed(waiting)] == [1, 2]


def test_none_is_left_out_or_told_twice_where_candidates_change_while_they_come() -> None:
    first, second, third = (waits(number, UNPROVEN) for number in (1, 2, 3))
    order = ByNearness([first, second, third], {1: NEW, 2: READY, 3: ONE_DAY_SHORT})

    placed = order.placed([first])  # the second one is decided about, and changed, before its page comes

    assert [each.ref.id for each in placed] == [2]
    assert [each.ref.id for each in order.placed([third, waits(4, UNPROVEN)])] == [3, 4]
    assert [each.ref.id for each in order.left()] == [1]
