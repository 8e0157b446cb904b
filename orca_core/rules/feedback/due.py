"""Which acts are read next, and how many of them in one call."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.feedback import Action
from orca_core.model.learning import Due

BATCH = 5
"""So many acts of one session start a run."""
MOST = 10
"""So many are read in one call; more follow in the next. It bounds what a call costs. Both chosen by hand."""


def chosen(waiting: Sequence[Action], due: Due) -> Sequence[Action]:
    """Of one session those that have waited longest, of all that are due; whether an act has something to be read was
    decided when it was recorded."""
    by_session: dict[str, list[Action]] = {}
    for each in waiting:
        if due.session_id in (None, each.session_id):
            by_session.setdefault(each.session_id, []).append(each)
    return next((acts[:MOST] for acts in by_session.values() if _is_due(acts, due)), ())


def _is_due(acts: Sequence[Action], due: Due) -> bool:
    """Enough of them wait, or nothing is to be expected beside them: their session ended, or its last act is long
    ago."""
    has_ended = acts[-1].session_id in due.ended or max(each.at for each in acts) < due.idle_since
    return due.everything or has_ended or len(acts) >= due.batch_size
