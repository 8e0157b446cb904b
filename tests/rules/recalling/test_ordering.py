"""In which order what was found is looked at."""

from __future__ import annotations

from datetime import timedelta

from fakes.memories import AT, memory
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.memories import MemoryType
from orca_core.domain.recall import ScoreParts
from orca_core.rules.recalling.evidence import Embedding, Evidence
from orca_core.rules.recalling.ordering import by_score, likeness_of_subjects, newer_first, spread
from orca_core.rules.recalling.ranking import Found


def found(memory_id: int, content: str, score: float, *, day: int = 0, kind: MemoryType = MemoryType.FACT) -> Found:
    at = AT + timedelta(days=day)
    evidence = Evidence(mass=10 * score, mass_over_best=1.0)
    return Found(memory(id=memory_id, content=content, created_at=at, type=kind), ScoreParts(text=score), evidence)


def order(*given: Found) -> list[int]:
    return [each.memory.id for each in newer_first(by_score(given), Embedding())]


OLD_DRAWINGS = found(1, "Floor plans are drawn in ArchiCAD and shared as PDF.", 0.8, day=0)
NEW_DRAWINGS = found(2, "Floor plans are kept as IFC models on the office server.", 0.3, day=90)
BETWEEN = found(3, "The user's bicycle has a belt drive.", 0.5, day=30)


def test_the_newer_of_two_on_one_subject_stands_above_the_older() -> None:
    assert order(OLD_DRAWINGS, NEW_DRAWINGS, BETWEEN) == [2, 1, 3]


def test_where_it_surely_is_one_subject_the_newer_takes_over_what_speaks_for_the_older() -> None:
    [first, *_] = newer_first([OLD_DRAWINGS, BETWEEN, NEW_DRAWINGS], Embedding())

    assert (first.memory.id, first.evidence) == (2, OLD_DRAWINGS.evidence)


def test_where_it_only_is_likely_the_newer_keeps_its_own_evidence() -> None:
    older = found(1, "Drawings are on paper in the archive.", 0.8)
    newer = found(2, "Drawings are now in the cloud.", 0.3, day=9)

    [first, second] = newer_first([older, newer], Embedding())

    assert (first.memory.id, first.evidence, second.memory.id) == (2, newer.evidence, 1)


def test_the_same_first_word_is_enough_to_stand_above() -> None:
    older = found(1, "Invoices are printed and sent by post.", 0.8)
    newer = found(2, "Invoices leave as signed PDF files.", 0.7, day=9)

    assert order(older, newer) == [2, 1]


def test_where_both_are_about_as_near_it_takes_over_too() -> None:
    older = found(1, "Drawings are on paper in the archive.", 0.8)
    newer = found(2, "Drawings are now in the cloud.", 0.5, day=9)

    assert newer_first([older, newer], Embedding())[0].evidence == older.evidence


def test_what_surely_is_newer_is_found_however_far_behind_it_stands() -> None:
    between = [found(number, f"Something else, number {number}", 0.6) for number in range(10, 40)]

    assert order(OLD_DRAWINGS, *between, NEW_DRAWINGS)[:2] == [2, 1]


def test_what_is_newer_and_above_stays_where_it_is() -> None:
    assert order(found(1, "Floor plans are drawn in ArchiCAD.", 0.3), found(2, "Floor plans are IFC.", 0.8, day=9)) == [
        2,
        1,
    ]


def test_other_subjects_stay_in_the_order_of_their_scores() -> None:
    assert order(OLD_DRAWINGS, BETWEEN, found(4, "她每周二练大提琴。", 0.6, day=200)) == [1, 4, 3]


def test_an_event_is_not_made_untrue_by_what_comes_later() -> None:
    event = found(2, "Floor plans were lost in the flood.", 0.3, day=90, kind=MemoryType.EVENT)

    assert likeness_of_subjects(event.memory, OLD_DRAWINGS.memory) == 0
    assert order(OLD_DRAWINGS, event) == [1, 2]


def test_of_three_values_the_newest_is_first() -> None:
    values = [
        found(number, f"Floor plans are drawn in tool{number}.", 0.9 - number / 10, day=number) for number in (1, 2, 3)
    ]

    assert order(*values) == [3, 2, 1]


def test_a_spread_brings_something_else_before_a_twin() -> None:
    near = [
        found(1, "我们的图纸放在共享盘", 0.9),
        found(2, "我们的图纸放在共享盘上", 0.85),
        found(3, "事务所一共九个人", 0.5),
    ]

    assert [each.memory.id for each in spread(near, 2)] == [1, 3, 2]


CONTENTS = st.sampled_from(
    ["图纸放在共享盘", "图纸改用云盘", "Floor plans are PDF", "Floor plans are IFC", "她练大提琴", ""]
)
FOUND = st.lists(st.tuples(CONTENTS, st.floats(0, 1), st.integers(0, 30)), max_size=16)


@given(FOUND, st.integers(0, 8))
def test_nothing_is_lost_and_nothing_comes_twice(rows: list[tuple[str, float, int]], count: int) -> None:
    given_ones = [found(number, content, score, day=day) for number, (content, score, day) in enumerate(rows)]

    for ordered in (newer_first(by_score(given_ones), Embedding()), spread(by_score(given_ones), count)):
        assert sorted(each.memory.id for each in ordered) == list(range(len(rows)))
