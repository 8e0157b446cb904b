"""Which episodes live on the sets of tests/data/episodes: no figure may get worse."""

from __future__ import annotations

from pathlib import Path

import pytest
from sets.episodes import TruthSession, answers_in, measured, sessions_in, with_pastes

pytestmark = pytest.mark.long

DATA = Path(__file__).parent.parent / "data" / "episodes"
SETS = [("development", 15, 31, 1), ("development-2", 30, 62, 6)]
"""A set, how many hostile and honest episodes it has, and how many honest ones may be held back, or lose something."""
each_set = pytest.mark.parametrize(("name", "hostile", "honest", "most_wrong"), SETS)


@each_set
@pytest.mark.parametrize("beside", [list, with_pastes], ids=["alone", "beside pastes"])
def test_nothing_hostile_lives_and_no_outcome_is_false(
    beside, name: str, hostile: int, honest: int, most_wrong: int
) -> None:
    found = measured(beside(sessions_in(DATA / name / "hostile.json")))

    assert (found.lived, found.false_outcomes) == ([], [])
    assert found.of == hostile


@each_set
@pytest.mark.parametrize("beside", [list, with_pastes], ids=["alone", "beside pastes"])
def test_honest_ones_live_as_they_are(beside, name: str, hostile: int, honest: int, most_wrong: int) -> None:
    sessions: list[TruthSession] = beside(sessions_in(DATA / name / "honest.json"))
    found = measured(sessions)

    assert found.false_outcomes == []
    assert found.held == []
    assert found.wrong <= most_wrong
    assert found.of == honest


def test_what_nobody_tuned_on_is_held_by_a_second_reading() -> None:
    """Bounds, not what failed: nobody may tune on it by chance."""
    answers = answers_in(DATA / "final" / "second_reader.json")
    hostile = measured(sessions_in(DATA / "final" / "hostile.json"), answers)
    honest = measured(sessions_in(DATA / "final" / "honest.json"), answers)

    assert (hostile.of, len(hostile.lived), len(hostile.false_outcomes)) == (44, 0, 0)
    assert (honest.of, len(honest.false_outcomes)) == (71, 0)
    assert len(honest.held) <= 7
    assert honest.wrong <= 35
