"""Which episodes live on the sets of tests/data/episodes: no figure may get worse."""

from __future__ import annotations

from pathlib import Path

import pytest
from sets.episodes import TruthSession, measured, sessions_in, with_pastes

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
