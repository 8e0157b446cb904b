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


class Sources:
    """What the standing knowledge of a scope was made of, while one operation changes it. An episode is marked with the
    knowledge that names it; of several with what lives, then with the newest."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._speakers: dict[int, set[tuple[bool, int]]] | None = None
        """Who names each episode: whether it lives, and its number."""

    def mark(self, before: Knowledge | None, after: Knowledge) -> None:
        """Mark the episodes that either of them names. Called when the change is written. It is no change of theirs:
        what changes the knowledge stands in history, and undoing that marks them anew."""
        named = {*(before.source_episodes if before else ()), *after.source_episodes}
        if self._speakers is None:
            self._speakers = _speakers(self._rows)
        else:
            for each in named:
                self._speakers.setdefault(each, set()).difference_update(((True, after.id), (False, after.id)))
            if after.state in STANDING:
                for each in after.source_episodes:
                    self._speakers[each].add((after.state is State.LIVE, after.id))
        for number, mark in self._rows.select(EPISODES.table, ("id", MARK), any_of("id", sorted(named))):
            speakers = self._speakers.get(number)
            speaks = max(speakers)[1] if speakers else None
            if speaks != mark:
                self._rows.update(EPISODES.table, {MARK: speaks}, is_("id", number))


def is_made_otherwise(before: Knowledge | None, after: Knowledge) -> bool:
    """Whether it may mark other episodes than before."""
    if before is None:
        return bool(after.source_episodes)
    return (before.state, before.source_episodes) != (after.state, after.source_episodes)


def _speakers(rows: Rows) -> dict[int, set[tuple[bool, int]]]:
    states = any_of("state", [state.value for state in STANDING])
    found: dict[int, set[tuple[bool, int]]] = {}
    for number, state, sources in rows.select(KNOWLEDGES.table, ("id", "state", "source_episodes"), states):
        for each in json.loads(sources):
            found.setdefault(each, set()).add((state == State.LIVE, number))
    return found


def read_again(rows: Rows, episodes: Iterable[int]) -> None:
    """Have a consolidation read these once more."""
    rows.update(EPISODES.table, {READ_AS: AGAIN}, any_of("id", sorted(episodes)))


def was_read(rows: Rows, episodes: Iterable[int]) -> None:
    """Note that a consolidation has read them to its end, as they are: neither undo nor anything else takes this
    back."""
    for number, says in rows.select(EPISODES.table, ("id", "says"), any_of("id", sorted(episodes))):
        rows.update(EPISODES.table, {READ_AS: says}, is_("id", number))
