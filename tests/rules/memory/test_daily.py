"""What is due once a day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from orca_core.rules.memory.memory_upkeep import is_daily_due

NOW = datetime(2026, 11, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        (None, True),
        (timedelta(0), False),
        (timedelta(microseconds=1), False),
        (timedelta(hours=23, minutes=59), False),
        (timedelta(days=1) - timedelta(microseconds=1), False),
        (timedelta(days=1), True),
        (timedelta(days=400), True),
        (timedelta(microseconds=-1), True),  # the clock was set back
        (timedelta(days=-30), True),
    ],
)
def test_a_day_has_passed_or_has_not(since: timedelta | None, expected: bool) -> None:
    assert is_daily_due(None if since is None else NOW - since, NOW) is expected
