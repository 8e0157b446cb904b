"""Which acts are read next, and how many of them in one call."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.growth.actions import Action
from orca_core.domain.growth.reading import ActReading, ChosenActs
from orca_core.domain.learning import Due
from orca_core.rules.growing.acts import KINDS

BATCH = 5
"""So many acts of one session and reading start a run."""
MOST = 10
"""So many are read in one call; more follow in the next. It bounds what a call costs. Both chosen by hand."""


def chosen(waiting: Sequence[Action], due: Due) -> ChosenActs | None:
    """Of one session and one reading: those that have waited longest, of all that are due. Whether an act has something
    to be read was decided when it was recorded; here its type tells for what."""
    groups: dict[tuple[str, ActReading], list[Action]] = {}
    for each in waiting:
        reading = KINDS[each.type].reading
        if reading is not None and due.session_id in (None, each.session_id):
            groups.setdefault((each.session_id, reading), []).append(each)
    for (_, reading), acts in groups.items():
        if _is_due(acts, due):
            return ChosenActs(reading, tuple(acts[:MOST]))
    return None


def _is_due(acts: Sequence[Action], due: Due) -> bool:
    """Enough of them wait, or nothing is to be expected beside them: their session ended, or its last act is long
    ago."""
    has_ended = acts[-1].session_id in due.ended or max(each.at for each in acts) < due.idle_since
    return due.everything or has_ended or len(acts) >= due.batch_size
