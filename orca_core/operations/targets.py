"""What stands on each target: its episodes, those that no knowledge was made of, and what is known of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field

from orca_core.model.episodes import EPISODES, Episode
from orca_core.model.knowledge import KNOWLEDGES, FoldTarget, Knowledge, TargetCount
from orca_core.model.memories import State
from orca_core.model.operations import Actor
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE
from orca_core.model.tasks import TASKS
from orca_core.model.tools import Guide
from orca_core.operations.columns import fields_from_json
from orca_core.operations.records import STANDS
from orca_core.operations.sources import READ_AS, STANDING
from orca_core.store.ports import Rows, any_of, is_, is_not

WORDS = frozenset({"topic", "content", "key_points"})
"""What knowledge says."""
GUIDE_WORDS = frozenset({"text"})
_HAND_WRITES = ("edit", "rename_target")
"""The actions by which a person writes fields that no machine changes."""


class OnTarget(Struct):
    """One target. `waiting` are its live episodes that stand in no knowledge of it, or say something else by now than
    what was read of them, oldest first; `unread` those of them that no consolidation has read as they are."""

    spellings: Counter[str] = field(default_factory=Counter)
    episodes: int = 0
    waiting: list[int] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
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
    made_of: dict[str, set[int]] = {}
    for known in standing(rows):
        folded = fold(known.target)
        found.setdefault(folded, OnTarget()).known.append(known)
        made_of.setdefault(folded, set()).update(known.source_episodes)
    columns = ("id", "target", "state", "says", READ_AS)
    for number, target, state, says, read_as in rows.select(
        EPISODES.table, columns, is_not("target", ""), order=("id",)
    ):
        if state == State.LIVE:
            each = found.setdefault(folded := fold(target), OnTarget())
            each.spellings[target] += 1
            each.episodes += 1
            is_new = number not in made_of.get(folded, ())
            is_changed = read_as is not None and read_as != says
            if is_new or is_changed:
                each.waiting.append(number)
            if is_changed or (is_new and read_as is None):
                each.unread.append(number)
    for (target,) in rows.select(TASKS.table, ("target",), is_not("target", "")):
        found.setdefault(fold(target), OnTarget()).spellings[target] += 1
    found.pop("", None)
    return found


def standing(rows: Rows) -> list[Knowledge]:
    """Live knowledge, then candidates."""
    states = any_of("state", [state.value for state in STANDING])
    found = [KNOWLEDGES.from_row(row) for row in rows.select(KNOWLEDGES.table, KNOWLEDGES.names, states, order=("id",))]
    return sorted(found, key=lambda each: each.state is not State.LIVE)


def counted(rows: Rows, each: OnTarget, *, is_held: bool) -> TargetCount:
    return TargetCount(
        target=each.spelling,
        episodes=each.episodes,
        waiting=len(each.waiting),
        unread=len(each.unread),
        knowledge=tuple(known.id for known in each.known),
        is_kept_by_hand=any(is_by_hand(rows, known) for known in each.known[:1]),
        is_held=is_held,
        first_unread=each.unread[0] if each.unread else 0,
    )


def is_by_hand(rows: Rows, known: Knowledge | Guide) -> bool:
    """Whether a person pinned it, or wrote what it says now."""
    if known.pinned:
        return True
    kind, words = (GUIDE, GUIDE_WORDS) if isinstance(known, Guide) else (KNOWLEDGE, WORDS)
    same = (is_("kind", kind.name), is_("memory_id", known.id))
    changes = rows.select("memory_history", ("operation", "before", "after"), *same, order=("-id",))
    said = [number for number, before, after in changes if before is not None and words & json.loads(after).keys()]
    return _is_of_a_person(rows, said)


def written_by_hand(rows: Rows, episode: Episode) -> frozenset[str]:
    """The fields that a person wrote, in what stands."""
    same = (is_("kind", EPISODE.name), is_("memory_id", episode.id))
    changes = {
        int(number): str(after) for number, after in rows.select("memory_history", ("operation", "after"), *same)
    }
    by_hand = (is_("actor", Actor.USER.value), any_of("action", _HAND_WRITES), *STANDS)
    stand = rows.select("operations", ("id",), any_of("id", list(changes)), *by_hand)
    return frozenset(field for (number,) in stand for field in fields_from_json(changes[number]))


def _is_of_a_person(rows: Rows, operations: Sequence[int]) -> bool:
    """Whether the latest of these that stands is a person's."""
    stand = rows.select("operations", ("actor",), any_of("id", operations), *STANDS, order=("-id",), limit=1)
    return bool(stand) and stand[0][0] == Actor.USER.value
