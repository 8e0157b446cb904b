"""Which of what a query finds is given to the model."""

from __future__ import annotations

import pytest

from orca_core.model.recall import Item, ScoreParts
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, Ref, memory_ref
from orca_core.rules.retrieval.ranking import LOOKED_UP, given


def item(ref: Ref) -> Item:
    return Item(ref, str(ref), ScoreParts(), "near", "fact")


STATEMENTS = [item(memory_ref(number)) for number in range(1, 7)]
WORK = [item(Ref(KNOWLEDGE, 1)), item(Ref(EPISODE, 1)), item(Ref(GUIDE, 1))]


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ([], ""),
        (STATEMENTS, "m1 m2 m3 m4 m5"),
        (STATEMENTS[:1] + WORK[:1], "m1 k1"),
        (STATEMENTS + WORK, "m1 m2 m3 k1 e1"),
        (STATEMENTS + WORK[2:], "m1 m2 m3 m4 g1"),
        (WORK, "k1 e1"),
    ],
)
def test_statements_come_first_and_leave_room_for_a_little_work(chosen: list[Item], told: str) -> None:
    found = given(chosen)

    assert " ".join(str(each.ref) for each in found) == told
    assert {each.reason for each in found} <= {LOOKED_UP}
