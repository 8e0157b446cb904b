"""Times as Orca writes them: ISO 8601 in UTC with microseconds and Z, so that they sort as text."""

from __future__ import annotations

from datetime import UTC, datetime


def timestamp(at: datetime) -> str:
    """`2026-11-20T21:55:10.123456Z`. The time must be aware."""
    in_utc = at.astimezone(UTC).replace(tzinfo=None)
    return f"{in_utc.isoformat(timespec='microseconds')}Z"


def parse_timestamp(text: str) -> datetime:
    """What `timestamp` wrote."""
    return datetime.fromisoformat(text)
