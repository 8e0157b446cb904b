"""Times that programs give: read in UTC, or refused in a sentence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from orca_core.model.errors import InvalidInput
from orca_core.rules.text.dates import moment

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "given",
    [
        AT,
        AT.replace(tzinfo=None),
        AT.astimezone(timezone(timedelta(hours=8))),
        "2026-11-20T12:00:00Z",
        "2026-11-20T12:00:00",
        "2026-11-20T20:00:00+08:00",
    ],
    ids=str,
)
def test_a_time_is_read_in_utc(given: object) -> None:
    assert moment(given) == AT
    assert moment(given).tzinfo is UTC


@pytest.mark.parametrize(
    "given",
    [
        None,
        "",
        "yesterday",
        5,
        10**5000,
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00",
        datetime.fromisoformat("0001-01-01"),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-14))),
        "9999-12-31T23:59:59-14:00",
        "1969-12-31T23:59:59Z",
    ],
    ids=lambda given: "huge" if given == 10**5000 else repr(given),
)
def test_what_is_no_time_is_refused(given: object) -> None:
    with pytest.raises(InvalidInput, match="no such time"):
        moment(given)
