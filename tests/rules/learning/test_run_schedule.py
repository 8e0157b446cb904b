"""Which rounds are read next: tables of runs that stand open, and of sessions that wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from orca_core.model.knowledge import DueTargets
from orca_core.model.learning import Due, OpenRun, RunState, WaitingSession
from orca_core.model.llm import ChatMessage, Usage
from orca_core.rules.learning import run_schedule
from orca_core.rules.learning.run_schedule import due_session, is_fold_due, is_run_due, is_target_run_due
from orca_core.rules.text import token_count

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


ALL, NAMED = DueTargets(NOW, 3, everything=True), DueTargets(NOW, 3, target="Order Service")


@pytest.mark.parametrize(
    ("open_run", "asked", "is_due"),
    [
        (run(next_at=NOW), DueTargets(NOW, 3), True),
        (run(next_at=LATER), DueTargets(NOW, 3), False),
        (run(next_at=LATER), ALL, True),
        (run(next_at=LATER, target="order service"), NAMED, True),
        (run(next_at=None), ALL, False),
        (run(next_at=None, target="order service"), NAMED, True),
        (run(RunState.RUNNING, None), DueTargets(NOW, 3), True),
        (run(next_at=NOW, target="payment"), NAMED, False),
        (run(RunState.RUNNING, None, target="order service"), DueTargets(NOW, 3, "Order Service", besides=(1,)), False),
    ],
)
def test_a_run_on_a_target_goes_on_at_its_time_or_by_name(open_run: OpenRun, asked: DueTargets, is_due: bool) -> None:
    assert is_target_run_due(open_run, asked, str.casefold) is is_due


@pytest.mark.parametrize(
    ("sessions", "asked", "chosen"),
    [
        ([], due(everything=True), None),
        ([waiting(rounds=2)], due(), None),
        ([waiting(rounds=3)], due(), "s"),
        ([waiting()], due(everything=True), "s"),
        ([waiting()], due(ended=("s",)), "s"),
        ([waiting()], due(ended=("t",)), None),
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


at = datetime.fromisoformat
ASKED = (ChatMessage("user", "What did the user say of the editor that they use?"),)


@pytest.mark.parametrize(
    ("now", "day", "opens"),
    [
        (at("2026-11-20T00:00"), "2026-11-20", at("2026-11-21")),
        (at("2026-11-20T23:59:59.999999"), "2026-11-20", at("2026-11-21")),
        (at("2026-12-31T12:00"), "2026-12-31", at("2027-01-01")),
        (at("2028-02-28T12:00"), "2028-02-28", at("2028-02-29")),
    ],
)
def test_a_day_is_the_users_and_the_cap_opens_with_the_next_one(now: datetime, day: str, opens: datetime) -> None:
    assert (run_schedule.day_of(now), run_schedule.next_day(now)) == (day, opens)


@pytest.mark.parametrize(
    ("usage", "answered", "was_taken", "counted"),
    [
        (Usage(120, 30), "whatever", True, (120, 30)),
        (Usage(120, 0), "", False, (120, 0)),
        (None, "An answer of a few words.", True, None),
        (None, "", True, None),
        (None, "", False, (0, 0)),
    ],
    ids=["as the provider says", "also of a refusal", "estimated", "silent to the end", "refused at once"],
)
def test_what_a_call_used(usage: Usage | None, answered: str, was_taken: bool, counted: tuple[int, int] | None) -> None:
    expected = counted or (token_count.estimate_messages(ASKED), token_count.estimate(answered))

    assert run_schedule.count_tokens(usage, ASKED, answered, was_taken=was_taken) == expected
