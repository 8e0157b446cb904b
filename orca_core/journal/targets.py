"""What stands on each target: its episodes, those that no knowledge was made of, and what is known of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from orca_core.domain.journal import Actor
from orca_core.domain.learning import RunKind, RunState
from orca_core.domain.memories import State
from orca_core.domain.refs import KNOWLEDGE
from orca_core.domain.stores.rows import Rows, any_of, is_, is_not
from orca_core.domain.work.consolidating import FoldTarget, TargetCount
from orca_core.domain.work.episodes import EPISODES
from orca_core.domain.work.knowledge import KNOWLEDGES, Knowledge
from orca_core.domain.work.tasks import TASKS
from orca_core.journal.sources import MARK, STANDING
from orca_core.journal.taking_back import STANDS

WORDS = frozenset({"topic", "content", "key_points"})
"""What knowledge says."""
_ENDED = (RunState.DONE.value, RunState.NONE.value)


@dataclass
class OnTarget:
    """One target. `waiting` are its live episodes that stand in no knowledge, oldest first."""

    spellings: Counter[str] = field(default_factory=Counter)
    episodes: int = 0
    waiting: list[int] = field(default_factory=list)
    known: list[Knowledge] = field(default_factory=list)

    @property
    def spelling(self) -> str:
        """As its live knowledge has it, else as most have it."""
        return (
            self.known[0].target if self.known else min(self.spellings, key=lambda each: (-self.spellings[each], each))
        )


def on_targets(rows: Rows, fold: FoldTarget) -> dict[str, OnTarget]:
    """Every target by its folded name."""
    found: dict[str, OnTarget] = {}
    columns = ("id", "target", "state", MARK)
    for number, target, state, mark in rows.select(EPISODES.table, columns, is_not("target", ""), order=("id",)):
        if state == State.LIVE:
            each = found.setdefault(fold(target), OnTarget())
            each.spellings[target] += 1
            each.episodes += 1
            if mark is None:
                each.waiting.append(number)
    for (target,) in rows.select(TASKS.table, ("target",), is_not("target", "")):
        found.setdefault(fold(target), OnTarget()).spellings[target] += 1
    for known in standing(rows):
        found.setdefault(fold(known.target), OnTarget()).known.append(known)
    found.pop("", None)
    return found


def standing(rows: Rows) -> list[Knowledge]:
    """Live knowledge, then candidates."""
    states = any_of("state", [state.value for state in STANDING])
    found = [KNOWLEDGES.from_row(row) for row in rows.select(KNOWLEDGES.table, KNOWLEDGES.names, states, order=("id",))]
    return sorted(found, key=lambda each: each.state is not State.LIVE)


def already_read(rows: Rows) -> set[int]:
    """The episodes that a consolidation has read to its end, also one that was taken back or that taught nothing."""
    ended = (is_("kind", RunKind.CONSOLIDATE.value), any_of("state", _ENDED))
    return {number for (read,) in rows.select("extraction_runs", ("episodes",), *ended) for number in json.loads(read)}


def counted(rows: Rows, each: OnTarget, read: set[int], *, is_held: bool) -> TargetCount:
    unread = [number for number in each.waiting if number not in read]
    return TargetCount(
        target=each.spelling,
        episodes=each.episodes,
        waiting=len(each.waiting),
        unread=len(unread),
        knowledge=tuple(known.id for known in each.known),
        is_kept_by_hand=any(is_by_hand(rows, known) for known in each.known[:1]),
        is_held=is_held,
        first_unread=unread[0] if unread else 0,
    )


def is_by_hand(rows: Rows, known: Knowledge) -> bool:
    """Whether a person pinned it, or wrote what it says now."""
    if known.pinned:
        return True
    same = (is_("kind", KNOWLEDGE.name), is_("memory_id", known.id))
    changes = rows.select("memory_history", ("operation", "before", "after"), *same, order=("-id",))
    said = [number for number, before, after in changes if before is not None and WORDS & json.loads(after).keys()]
    return _is_of_a_person(rows, said)


def _is_of_a_person(rows: Rows, operations: Sequence[int]) -> bool:
    """Whether the latest of these that stands is a person's."""
    stand = rows.select("operations", ("actor",), any_of("id", operations), *STANDS, order=("-id",), limit=1)
    return bool(stand) and stand[0][0] == Actor.USER.value
