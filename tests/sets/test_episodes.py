"""Which episodes live on the sets of tests/data/episodes: no figure may get worse."""

from __future__ import annotations

from pathlib import Path

import pytest
from sets.episodes import TruthSession, measured, sessions_in, with_pastes

FOLDER = Path(__file__).parent.parent / "data" / "episodes" / "development"


@pytest.mark.parametrize("beside", [list, with_pastes], ids=["alone", "beside pastes"])
def test_nothing_hostile_lives_and_no_outcome_is_false(beside) -> None:
    found = measured(beside(sessions_in(FOLDER / "hostile.json")))

    assert (found.lived, found.false_outcomes) == ([], [])
    assert found.of == 15


@pytest.mark.parametrize("beside", [list, with_pastes], ids=["alone", "beside pastes"])
def test_honest_ones_live_as_they_are(beside) -> None:
    sessions: list[TruthSession] = beside(sessions_in(FOLDER / "honest.json"))
    found = measured(sessions)

    assert found.false_outcomes == []
    assert found.wrong <= 1
    assert found.of == 31
