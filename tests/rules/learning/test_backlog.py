"""How soon what broke is looked at again."""

from __future__ import annotations

import pytest

from orca_core.rules.learning import run_schedule


@pytest.mark.parametrize(
    ("failures", "wait_s"),
    [(0, 30.0), (1, 30.0), (2, 120.0), (3, 480.0), (4, 1920.0), (5, 3600.0), (600, 3600.0), (10**9, 3600.0)],
)
def test_it_is_looked_at_less_and_less_often_and_never_less_than_once_an_hour(failures: int, wait_s: float) -> None:
    assert run_schedule.look_again_s(failures) == wait_s
