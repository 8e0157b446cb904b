"""When a request is made again, and how long is waited before."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.llm.openai_chat import is_worthwhile, wait_s

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "120"}, 120.0),
        ({"retry-after": "121"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Fri, 20 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Fri, 20 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:00 GMT"}, None),
    ],
)
def test_the_server_says_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_s(0, headers, NOW) == seconds


@given(st.text(max_size=40))
def test_any_header_gives_a_wait_that_someone_waits_or_none(header: str) -> None:
    wait = wait_s(0, {"retry-after": header}, NOW)

    assert wait is None or 0.0 <= wait <= 120.0


@pytest.mark.parametrize(
    ("status_says_so", "header", "worthwhile"),
    [(True, None, True), (False, None, False), (True, "false", False), (False, "true", True), (True, "maybe", True)],
)
def test_a_server_that_says_outright_whether_to_retry_is_believed(
    status_says_so: bool, header: str | None, worthwhile: bool
) -> None:
    headers = {} if header is None else {"x-should-retry": header}

    assert is_worthwhile(status_says_so, headers) is worthwhile
