"""How long candidates have waited for a person, and what becomes of one that waits too long."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from orca_core.model.memories import Candidate, Fields, State
from orca_core.model.views import Waiting

EXPIRE = "expire"
"""The action of the operation."""
EXPIRED = "expired"
"""Why a candidate is rejected that no person decided about in time. What it was held for stands behind it."""
CANDIDATE_SOURCE = "candidate_source"
"""Why knowledge is held back that rests on an episode which is a candidate itself."""


def waits_since(candidate: Candidate) -> datetime:
    """What happened to it last counts: that it was found, confirmed, edited, or put back by an undo."""
    return candidate.updated_at


def waiting(candidates: Sequence[Candidate]) -> Waiting:
    """How many wait, and since when the oldest does."""
    return Waiting(len(candidates), min(map(waits_since, candidates), default=None))


def together(several: Sequence[Waiting]) -> Waiting:
    """Those of several kinds."""
    since = [each.since for each in several if each.since is not None]
    return Waiting(sum(each.count for each in several), min(since, default=None))


def expires_before(now: datetime, days: int) -> datetime:
    """What has waited since then, or longer, has waited too long."""
    return now - timedelta(days=days)


def expire(candidate: Candidate) -> Fields:
    """No person has refused it: said anew it may come back, and what it was held for then counts again."""
    if candidate.state is not State.CANDIDATE:
        return {}
    held = candidate.held_because
    return {"state": State.REJECTED.value, "held_because": f"{EXPIRED}: {held}" if held else EXPIRED}


def is_expired(memory: Candidate) -> bool:
    """Whether it was rejected because nobody decided about it."""
    return memory.state is State.REJECTED and _parts(memory)[0] == EXPIRED


def held_before(memory: Candidate) -> str | None:
    """What an expired candidate was held for."""
    return _parts(memory)[1] or None


def _parts(memory: Candidate) -> tuple[str, str]:
    reason, _colon, held = (memory.held_because or "").partition(": ")
    return reason, held
