"""Times as they are written: read again as they were, and in order as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from orca_core.model.records import parse_timestamp, timestamp

TIMES = (
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    datetime(2026, 11, 20, 21, 55, 10, tzinfo=timezone(timedelta(hours=8))),
    datetime(2026, 11, 20, 21, 55, 10, 123_456, tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
)


@pytest.mark.parametrize("at", TIMES, ids=str)
def test_a_time_is_read_as_it_was_written(at: datetime) -> None:
    assert parse_timestamp(timestamp(at)) == at


def test_times_sort_as_text() -> None:
    assert sorted(map(timestamp, TIMES)) == [timestamp(at) for at in TIMES]
    assert timestamp(TIMES[3]) == "2026-11-20T21:55:10.123456Z"
