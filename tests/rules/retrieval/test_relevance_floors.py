"""How near a memory must be: strict for what comes unasked, low for what a person asks for."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from msgspec.structs import replace

from orca_core.model.memories import NearBy, Nearness
from orca_core.model.recall import ScoreParts, Shortfall
from orca_core.rules.retrieval.match_evidence import EmbedderWorth, MatchEvidence
from orca_core.rules.retrieval.ranking import FoundMemory, ItemSelection, select_long
from orca_core.rules.retrieval.recall_plan import GUESSES, NEAR, RecallPlan
from orca_core.rules.retrieval.relevance_floors import FLOORS, MARGIN, is_relevant, nearness_of, shortfall

ASKED = RecallPlan(("recall",), "recall", long_count=5, is_asked=True, guesses=GUESSES, floor=FLOORS.asked)
TECHNICAL = RecallPlan(("technical",), "technical", long_count=5)
BESIDE_LOOKUPS = RecallPlan(("technical",), "technical", long_count=5, margin=MARGIN)
ANY_OTHER = RecallPlan(("short_term",), NEAR, long_count=1, floor=FLOORS.unasked)

NO_EMBEDDER = EmbedderWorth()
REAL = EmbedderWorth(trust=1.0, noise=0.4)
HASHED = EmbedderWorth(trust=0.25, noise=0.2)

STRONG = MatchEvidence(mass=6.0, coverage=0.5)
NEAR_ENOUGH = MatchEvidence(mass=3.0, coverage=0.15)
HINT = MatchEvidence(mass=0.9, coverage=0.15)
FAR = MatchEvidence(mass=0.1, coverage=0.01)


@pytest.mark.parametrize(
    ("evidence", "embedding", "asked", "technical", "unasked"),
    [
        (STRONG, NO_EMBEDDER, True, True, True),
        (NEAR_ENOUGH, NO_EMBEDDER, True, True, False),
        (HINT, NO_EMBEDDER, True, False, False),
        (FAR, NO_EMBEDDER, False, False, False),
        # a long question: a small share of it, and enough all the same
        (MatchEvidence(mass=6.0, coverage=0.05), NO_EMBEDDER, True, True, True),
        # a short one: all of it, and one everyday word
        (MatchEvidence(mass=1.7, coverage=1.0), NO_EMBEDDER, True, False, False),
        # by meaning alone
        (MatchEvidence(cosine=0.41), REAL, True, True, True),
        (MatchEvidence(cosine=0.30), REAL, False, False, False),
        # words and meaning together, and meaning against the words
        (MatchEvidence(mass=3.2, cosine=0.05), REAL, False, False, False),
        # letters are no meaning: they count little
        (MatchEvidence(cosine=0.30), HASHED, False, False, False),
        (MatchEvidence(cosine=0.65), HASHED, True, True, True),
        (MatchEvidence(mass=3.2, cosine=0.0), HASHED, True, True, False),
        # without an embedder no cosine counts
        (MatchEvidence(cosine=0.99), NO_EMBEDDER, False, False, False),
        (MatchEvidence(), REAL, False, False, False),
        # where something stands above the low floor, how high the others stand beside it counts alone
        (MatchEvidence(standing=0.4), NO_EMBEDDER, True, False, False),
        (MatchEvidence(mass=0.9, coverage=0.15, standing=0.1), NO_EMBEDDER, False, False, False),
    ],
)
def test_how_near_is_near_enough(
    evidence: MatchEvidence, embedding: EmbedderWorth, asked: bool, technical: bool, unasked: bool
) -> None:
    floors = (FLOORS.asked, FLOORS.technical, FLOORS.unasked)
    assert [is_relevant(evidence, embedding, floor) for floor in floors] == [asked, technical, unasked]


def entered(plan: RecallPlan, *evidence: MatchEvidence) -> list[tuple[int, str]]:
    return [(item.ref.id, item.reason) for item in select(plan, *evidence).chosen]


def select(plan: RecallPlan, *evidence: MatchEvidence) -> ItemSelection:
    found = [
        FoundMemory(memory(id=number), ScoreParts(text=each.mass), each)
        for number, each in enumerate(evidence, start=1)
    ]
    return select_long(plan, found, pinned=(), standing=(), heaviest=(), embedding=NO_EMBEDDER)


def test_into_any_other_turn_comes_only_what_is_very_near() -> None:
    assert entered(ANY_OTHER, STRONG, STRONG, NEAR_ENOUGH) == [(1, "near")]
    left_out = {item.ref.id: item.reason for item in select(ANY_OTHER, STRONG, STRONG, NEAR_ENOUGH, HINT).dropped}
    assert left_out == {2: "over_limit", 3: "no_trigger", 4: "below_floor"}


def why_left_out(plan: RecallPlan, *evidence: MatchEvidence) -> dict[int, str]:
    return {item.ref.id: item.reason for item in select(plan, *evidence).dropped}


def test_what_is_near_enough_and_stays_out_says_why() -> None:
    beside_the_best = MatchEvidence(mass=3.0, coverage=0.15, standing=0.2)

    assert why_left_out(ASKED, replace(STRONG, standing=1.0), beside_the_best) == {2: "far_behind"}
    assert why_left_out(ANY_OTHER, STRONG, NEAR_ENOUGH) == {2: "no_trigger"}
    assert why_left_out(RecallPlan(("recall",), "recall"), STRONG, NEAR_ENOUGH) == {1: "no_trigger", 2: "no_trigger"}


def massing(mass: float) -> MatchEvidence:
    return MatchEvidence(mass=mass, coverage=0.3)


@pytest.mark.parametrize(
    ("masses", "wanted"),
    [
        ((6.0,), [1]),
        ((6.0, 0.9), [1]),
        ((6.0, 6.0 / MARGIN), [1]),
        ((6.0, 6.0 / MARGIN + 0.01), []),  # a name that two memories hold
        ((6.0, 6.0, 6.0), []),
        ((3.0, 6.0), [2]),  # the order in which they were found says nothing
        ((2.0, 0.1), []),  # below the floor
        ((0.0, 0.0), []),
    ],
)
def test_beside_lookups_only_what_stands_out_comes_unasked(masses: tuple[float, ...], wanted: list[int]) -> None:
    assert [number for number, _ in entered(BESIDE_LOOKUPS, *map(massing, masses))] == wanted


def test_a_question_that_nothing_answers_gets_the_nearest() -> None:
    assert entered(TECHNICAL, FAR, FAR) == []
    assert entered(ASKED, *[FAR] * (GUESSES + 2)) == [(number, "perhaps") for number in range(1, GUESSES + 1)]


@pytest.mark.parametrize(
    ("plan", "evidence", "near", "asked"),
    [
        (TECHNICAL, MatchEvidence(mass=1.7), 1.7, 2.75),
        (TECHNICAL, MatchEvidence(mass=1.7, standing=0.9), 1.7, 2.75),
        (ASKED, MatchEvidence(mass=1.7), 1.7, 2.7),
        (ASKED, MatchEvidence(mass=2.72, standing=0.2), 0.2, 0.4),
        (ASKED, MatchEvidence(mass=0.3, standing=0.31), 0.31, 0.4),
    ],
)
def test_how_near_it_came_is_told_by_the_figure_that_decided(plan, evidence, near, asked) -> None:
    assert shortfall(evidence, NO_EMBEDDER, plan.floor) == Shortfall(near, asked)


@pytest.mark.parametrize(
    ("evidence", "trust", "nearness"),
    [
        (MatchEvidence(coverage=0.4, cosine=0.834), 1.0, Nearness(0.83, NearBy.MEANING)),
        (MatchEvidence(coverage=0.4, cosine=0.834), 0.6, Nearness(0.83, NearBy.MEANING)),
        (MatchEvidence(coverage=0.4, cosine=0.834), 0.25, Nearness(0.4, NearBy.WORDS)),
        (MatchEvidence(coverage=0.4, cosine=None), 1.0, Nearness(0.4, NearBy.WORDS)),
        (MatchEvidence(coverage=0.4, cosine=0.834), 0.0, Nearness(0.4, NearBy.WORDS)),
        (MatchEvidence(coverage=1.0000001, cosine=1.0000001), 1.0, Nearness(1.0, NearBy.MEANING)),
        (MatchEvidence(coverage=1.0000001), 0.0, Nearness(1.0, NearBy.WORDS)),
        (MatchEvidence(cosine=-0.2), 1.0, Nearness(0.0, NearBy.MEANING)),
    ],
)
def test_a_figure_says_by_what_it_was_found(evidence: MatchEvidence, trust: float, nearness: Nearness) -> None:
    assert nearness_of(evidence, EmbedderWorth(trust=trust)) == nearness
