"""Two floors: a strict one for what comes unasked, a low one for what a person asks for."""

from __future__ import annotations

import pytest
from fakes.memories import memory

from orca_core.domain.recall import ScoreParts
from orca_core.rules.recalling.evidence import Embedding, Evidence
from orca_core.rules.recalling.floors import Floor, is_relevant
from orca_core.rules.recalling.injection import RecallPlan
from orca_core.rules.recalling.ranking import GUESSES, Found, select_long

ASKED = RecallPlan(("recall",), "recall", long_count=5, floor=Floor.ASKED)
UNASKED = RecallPlan(("technical",), "technical", long_count=5)
NEAR, PERHAPS, FAR = 0.5, 0.15, 0.01


@pytest.mark.parametrize(
    ("coverage", "floor", "expected"),
    [
        (NEAR, Floor.STRICT, True),
        (NEAR, Floor.ASKED, True),
        (PERHAPS, Floor.STRICT, False),
        (PERHAPS, Floor.ASKED, True),
        (FAR, Floor.ASKED, False),
    ],
)
def test_how_near_is_near_enough(coverage: float, floor: Floor, expected: bool) -> None:
    assert is_relevant(Evidence(coverage=coverage), Embedding(), floor) is expected


def entered(plan: RecallPlan, *coverages: float) -> list[tuple[int, str]]:
    found = [
        Found(memory(id=number), ScoreParts(text=coverage), Evidence(coverage=coverage))
        for number, coverage in enumerate(coverages, start=1)
    ]
    selection = select_long(plan, found, pinned=(), standing=(), heaviest=(), embedding=Embedding())
    return [(item.ref.id, item.reason) for item in selection.chosen]


def test_what_a_person_asks_for_enters_above_the_low_floor() -> None:
    assert entered(UNASKED, NEAR, PERHAPS) == [(1, "technical")]
    assert entered(ASKED, NEAR, PERHAPS, FAR) == [(1, "recall"), (2, "perhaps")]


def test_a_question_that_nothing_answers_gets_the_nearest() -> None:
    assert entered(UNASKED, FAR, FAR) == []
    assert entered(ASKED, *[FAR] * (GUESSES + 2)) == [(number, "perhaps") for number in range(1, GUESSES + 1)]


@pytest.mark.parametrize(("coverage", "guessed"), [(NEAR, False), (PERHAPS, False), (FAR, True)])
def test_nothing_is_guessed_beside_a_pinned_answer(coverage: float, guessed: bool) -> None:
    plan = RecallPlan(("recall",), "recall", long_count=5, floor=Floor.ASKED, pinned=True)
    pinned = [Found(memory(id=9, pinned=True), ScoreParts(text=coverage), Evidence(coverage=coverage))]
    found = [Found(memory(id=1), ScoreParts(text=FAR), Evidence(coverage=FAR))]
    selection = select_long(plan, found, pinned=pinned, standing=(), heaviest=(), embedding=Embedding())
    assert [item.ref.id for item in selection.chosen] == ([9, 1] if guessed else [9])
