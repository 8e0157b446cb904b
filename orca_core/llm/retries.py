"""When to ask again, and how long to wait before."""

from __future__ import annotations

import email.utils
import random
from collections.abc import Mapping
from datetime import datetime

MAX_RETRIES = 2
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
LONGEST_ASKED_S = 120.0


def wait_s(attempt: int, headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds before retry number `attempt` (from 0); None where the server asks for longer than anyone waits."""
    asked = _asked_s(headers, now)
    if asked is not None:
        return asked if asked <= LONGEST_ASKED_S else None
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * float(2**attempt)) * random.uniform(0.75, 1.0)


def is_worthwhile(status_says_so: bool, headers: Mapping[str, str]) -> bool:
    """Whether a refusal may be gone the next time: as its status says, unless the server says it outright."""
    said = headers.get("x-should-retry", "").lower()
    return said == "true" or (status_says_so and said != "false")


def _asked_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """What `retry-after` asks for, in any of its spellings."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            return max(0.0, float(text) * unit)
        except ValueError:
            pass
        try:
            return max(0.0, (email.utils.parsedate_to_datetime(text) - now).total_seconds())
        except (TypeError, ValueError, OverflowError):
            continue
    return None
