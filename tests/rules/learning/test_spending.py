"""When the tokens of a day are used up, when the next day begins, and how a call is counted."""

from __future__ import annotations

from datetime import datetime

import pytest

from orca_core.model.llm import ChatMessage, Usage
from orca_core.rules.learning import run_schedule
from orca_core.rules.text import token_count

at = datetime.fromisoformat
ASKED = (ChatMessage("user", "What did the user say of the editor that they use?"),)


@pytest.mark.parametrize(
    ("used", "limit", "reached"),
    [
        (0, 0, False), (10_000_000, 0, False), (0, 1, False), (999, 1000, False), (1000, 1000, True),
        (1001, 1000, True), (5, -1, False),
    ],
)  # fmt: skip
def test_a_cap_is_reached_by_what_was_used_and_no_cap_never(used: int, limit: int, reached: bool) -> None:
    assert run_schedule.is_reached(used, limit) is reached


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
    ("days", "first"), [(0, "2026-11-20"), (1, "2026-11-20"), (2, "2026-11-19"), (30, "2026-10-22")]
)
def test_a_report_begins_so_many_days_ago_today_being_one(days: int, first: str) -> None:
    assert run_schedule.first_day(at("2026-11-20T12:00"), days) == first


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

    assert run_schedule.counted(usage, ASKED, answered, was_taken=was_taken) == expected
