"""Which rounds are read next: tables of runs that stand open, and of sessions that wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from orca_core.model.learning import Due, OpenRun, RunState, WaitingSession
from orca_core.rules.learning.run_schedule import due_session, is_fold_due, is_run_due

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
EARLIER, LATER = NOW - timedelta(minutes=1), NOW + timedelta(minutes=1)


def due(**fields: object) -> Due:
    return Due(**{"now": NOW, "batch_size": 3, "idle_since": EARLIER, **fields})  # type: ignore[arg-type]


def run(state: RunState = RunState.FAILED, next_at: datetime | None = NOW, **fields: object) -> OpenRun:
    values = {"id": 1, "session_id": "s", "tries": 1, "rounds": (1,), "is_again": False, **fields}
    return OpenRun(state=state, next_at=next_at, **values)  # type: ignore[arg-type]


def waiting(session_id: str = "s", rounds: int = 1, first: int = 1, **fields: object) -> WaitingSession:
    values = {"used_at": NOW, "is_left": False, "is_held": False, **fields}
    return WaitingSession(session_id, rounds, first, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("open_run", "asked", "is_due"),
    [
        (run(RunState.RUNNING, None), due(), True),
        (run(RunState.RUNNING, None, is_again=True), due(), True),
        (run(RunState.RUNNING, None), due(besides=(1,)), False),
        (run(RunState.RUNNING, None), due(session_id="t"), False),
        (run(RunState.RUNNING, None), due(session_id="s"), True),
        (run(next_at=NOW), due(), True),
        (run(RunState.UNREADABLE, EARLIER), due(), True),
        (run(next_at=LATER), due(), False),
        (run(next_at=LATER), due(everything=True), True),
        (run(next_at=None), due(everything=True), False),  # parked
        (run(next_at=EARLIER, is_again=True), due(everything=True), False),
    ],
)
def test_a_run_goes_on_when_its_time_has_come(open_run: OpenRun, asked: Due, is_due: bool) -> None:
    assert is_run_due(open_run, asked, NOW) is is_due


@pytest.mark.parametrize(
    ("sessions", "asked", "chosen"),
    [
        ([], due(everything=True), None),
        ([waiting(rounds=2)], due(), None),
        ([waiting(rounds=3)], due(), "s"),
        ([waiting()], due(everything=True), "s"),
        ([waiting()], due(ended=("s",)), "s"),
        ([waiting()], due(ended=("t",)), None),
        ([waiting(is_left=True)], due(), "s"),
        ([waiting(used_at=EARLIER)], due(), None),
        ([waiting(used_at=EARLIER - timedelta(seconds=1))], due(), "s"),
        ([waiting(rounds=9, is_held=True)], due(everything=True), None),
        ([waiting(rounds=9)], due(session_id="t"), None),
        ([waiting("late", 9, 2), waiting("early", 9, 1)], due(), "early"),
        ([waiting("late", 9, 2), waiting("early", 1, 1)], due(), "late"),
    ],
)
def test_the_session_that_waits_longest_and_is_due_comes_first(
    sessions: list[WaitingSession], asked: Due, chosen: str | None
) -> None:
    assert due_session(sessions, asked) == chosen


@pytest.mark.parametrize(
    ("open_run", "is_due"),
    [
        (run(RunState.RUNNING, None), True),
        (run(RunState.RUNNING, LATER), True),
        (run(next_at=NOW), True),
        (run(next_at=LATER), False),
        (run(next_at=None), False),
    ],
)
def test_a_fold_goes_on_when_its_time_has_come(open_run: OpenRun, is_due: bool) -> None:
    assert is_fold_due(open_run, NOW) is is_due
