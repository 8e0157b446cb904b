"""Which episodes knowledge was made of, and the marks on these: a mark follows from the sources of what stands."""

from __future__ import annotations

import json
from collections.abc import Iterable

from orca_core.model.episodes import EPISODES
from orca_core.model.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.memories import State
from orca_core.store.ports import Rows, any_of, is_

MARK = "consolidated_into"
STANDING = (State.LIVE, State.CANDIDATE)
"""What knowledge is that is shown: any other marks no episode."""
READ_AS = "read_as"
AGAIN = "again"
"""Of an episode that is to be read again, whatever it says: no fingerprint."""


def mark_sources(rows: Rows, before: Knowledge | None, after: Knowledge) -> None:
    """Mark the episodes that knowledge names, or named before it was changed, with what names them now: of several with
    what lives, then with the newest. Called when the change is written. It is no change of theirs: what changes the
    knowledge stands in history, and undoing that marks them anew."""
    named = {*(before.source_episodes if before else ()), *after.source_episodes}
    if not named or (before and (before.state, before.source_episodes) == (after.state, after.source_episodes)):
        return
    states = any_of("state", [state.value for state in STANDING])
    speakers: dict[int, tuple[bool, int]] = {}
    for number, state, sources in rows.select(KNOWLEDGES.table, ("id", "state", "source_episodes"), states):
        for each in named.intersection(json.loads(sources)):
            speakers[each] = max(speakers.get(each, (False, 0)), (state == State.LIVE, number))
    for number, mark in rows.select(EPISODES.table, ("id", MARK), any_of("id", sorted(named))):
        speaks = speakers[number][1] if number in speakers else None
        if speaks != mark:
            rows.update(EPISODES.table, {MARK: speaks}, is_("id", number))


def read_again(rows: Rows, episodes: Iterable[int]) -> None:
    """Have a consolidation read these once more."""
    rows.update(EPISODES.table, {READ_AS: AGAIN}, any_of("id", sorted(episodes)))


def was_read(rows: Rows, episodes: Iterable[int]) -> None:
    """Note that a consolidation has read them to its end, as they are: neither undo nor anything else takes this
    back."""
    for number, says in rows.select(EPISODES.table, ("id", "says"), any_of("id", sorted(episodes))):
        rows.update(EPISODES.table, {READ_AS: says}, is_("id", number))
