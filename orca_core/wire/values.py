"""The plain values that everything in JSON is made of."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]


def timestamp_json(moment: datetime | None) -> str | None:
    """UTC, to the millisecond, ending in Z."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def number(value: float) -> float:
    """A measured value, without digits that mean nothing."""
    return round(value, 6)
