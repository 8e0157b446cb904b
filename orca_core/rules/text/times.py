"""Times as programs give them."""

from __future__ import annotations

from datetime import UTC, datetime

from orca_core.model.errors import InvalidInput

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
"""What lies before is no time at which anything was done: it is what some programs write where they know none."""


def moment(given: object) -> datetime:
    """In UTC; a time without a zone is meant as UTC. Raises InvalidInput for what is no time, or before 1970."""
    try:
        at = datetime.fromisoformat(given) if isinstance(given, str) else given
        if isinstance(at, datetime):
            in_utc = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
            if in_utc >= EARLIEST:
                return in_utc
    except (ValueError, OverflowError):
        pass
    said = given.isoformat() if isinstance(given, datetime) else given
    found = said[:40] if isinstance(said, str) else type(said).__name__
    raise InvalidInput(template="no such time: {found}", hint="as 2026-11-20T21:55:10Z", found=found)
