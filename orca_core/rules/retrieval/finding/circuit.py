"""When to leave something alone that keeps failing, and when to try it again."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

FAILURES_TO_OPEN = 3
RETRY_AFTER_S = 60.0
"""Chosen by hand. A failure may cost a turn `embedding.query_timeout`: three turns wait, then none for a minute."""


class Circuit(Struct, frozen=True):
    """Failures in a row, and since when it has been open (None: it is closed)."""

    failures: int = 0
    opened_at: float | None = None


def after_failure(circuit: Circuit, now: float) -> Circuit:
    """Three in a row open it; a failed new try opens it for another while."""
    failures = circuit.failures + 1
    return Circuit(failures, now if failures >= FAILURES_TO_OPEN else None)


def after_success(circuit: Circuit) -> Circuit:
    return replace(circuit, failures=0, opened_at=None)


def is_closed(circuit: Circuit, now: float, retry_after_s: float = RETRY_AFTER_S) -> bool:
    """Whether a call may go through: always while closed, and again when it has been open for so long."""
    return circuit.opened_at is None or now - circuit.opened_at >= retry_after_s
