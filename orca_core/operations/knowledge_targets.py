"""Targets of knowledge: what stands on them, what gives way on one, and what a delete of its episodes leaves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from orca_core.model.episodes import EPISODES, Episode, W
from orca_core.model.knowledge import KNOWLEDGES, SOURCE_DELETED, FoldTarget, Knowledge, TargetCount
from orca_core.model.memories import Fields, State
from orca_core.model.operations import Actor
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE, RecordType, Ref
from orca_core.model.tasks import TASKS
from orca_core.model.tools import Guide
from orca_core.operations import supports
from orca_core.operations.columns import fields_from_json
from orca_core.operations.operations import STANDING, OpenOperation
from orca_core.operations.records import STANDS, records_there
from orca_core.rules.work import consolidation_rules
from orca_core.store.ports import Rows, any_of, is_, is_not

READ_AS = "read_as"
_AGAIN = "again"
"""Of an episode that is to be read again, whatever it says: no fingerprint."""
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
    return _was_done_by_user(rows, said)


def written_by_hand(rows: Rows, episode: Episode) -> frozenset[str]:
    """The fields that a person wrote, in what stands."""
    same = (is_("kind", EPISODE.name), is_("memory_id", episode.id))
    changes = {
        int(number): str(after) for number, after in rows.select("memory_history", ("operation", "after"), *same)
    }
    by_hand = (is_("actor", Actor.USER.value), any_of("action", _HAND_WRITES), *STANDS)
    stand = rows.select("operations", ("id",), any_of("id", list(changes)), *by_hand)
    return frozenset(field for (number,) in stand for field in fields_from_json(changes[number]))


def _was_done_by_user(rows: Rows, operations: Sequence[int]) -> bool:
    """Whether the latest of these that stands is a person's."""
    stand = rows.select("operations", ("actor",), any_of("id", operations), *STANDS, order=("-id",), limit=1)
    return bool(stand) and stand[0][0] == Actor.USER.value


def put_aside(
    operation: OpenOperation, record_type: RecordType[W], others: Sequence[W], fields: Fields
) -> tuple[int, ...]:
    """What a person pinned stays. Returns the others."""
    unpinned = [each for each in others if not each.pinned]
    for each in unpinned:
        operation.change(record_type.ref(each), fields, each)
    return tuple(each.id for each in unpinned)


def agree(rows: Rows, operation: OpenOperation, before: Mapping[int, Any], after: Sequence[Any]) -> tuple[int, ...]:
    """After records were changed by hand: knowledge that was brought to life by it keeps its target. Returns what gave
    way."""
    known = [each for each in after if isinstance(each, Knowledge)]
    brought = [each.id for each in known if before[each.id].state is not State.LIVE]
    return keep_one(rows, operation, operation.at, touched={each.id for each in known}, chosen=brought)


def keep_one(
    rows: Rows,
    operation: OpenOperation,
    at: datetime,
    *,
    touched: Collection[int],
    chosen: Collection[int] = (),
) -> tuple[int, ...]:
    """After an operation has changed some knowledge: of what lives on one target, and nobody pinned, one stands. Where
    a person has `chosen` one by this operation it is that one. Returns those that gave way."""
    if not touched:
        return ()
    live = [each for each in standing(rows) if each.state is State.LIVE and not each.pinned]
    given_way: list[int] = []
    for folded in sorted({consolidation_rules.fold_target(each.target) for each in live if each.id in touched} - {""}):
        rivals = [each for each in live if consolidation_rules.fold_target(each.target) == folded]
        stands = consolidation_rules.standing_knowledge(rivals, chosen)
        others = [each for each in rivals if each.id != stands.id]
        given_way += put_aside(operation, KNOWLEDGES, others, consolidation_rules.superseded_fields(at))
    return tuple(given_way)


class Left(Struct, frozen=True):
    """What a delete of episodes left of the knowledge that was made of them: `held` is held back until it is written
    anew, `kept` stays, for a person pinned or wrote it. `is_wiped` is False while a reader keeps old pages from being
    wiped."""

    held: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    is_wiped: bool = True


def leave(rows: Rows, operation: OpenOperation, deleted: Sequence[Ref]) -> Left:
    """Take deleted records out of what is connected with them, before they go. Knowledge that was made of a deleted
    episode is held back, and what is left of its sources waits to be read again; returns what was held back, and what
    stays because a person pinned or wrote it. A deleted act speaks for nothing any more."""
    supports.silence(rows, operation, [ref.id for ref in deleted if ref.kind == ACTION])
    for known in records_there(rows, KNOWLEDGES, [ref.id for ref in deleted if ref.kind == KNOWLEDGE]):
        operation.change(KNOWLEDGES.ref(known), {"source_episodes": []}, known)
    episodes = {ref.id for ref in deleted if ref.kind == EPISODE}
    kept: list[int] = []
    held: list[int] = []
    left: set[int] = set()
    for known in _made_of(rows, episodes):
        is_kept = is_by_hand(rows, known)
        if known.state in STANDING and not is_kept:
            held.append(known.id)
            left.update(known.source_episodes)
        elif known.state is State.LIVE:
            kept.append(known.id)
        rest = [each for each in known.source_episodes if each not in episodes]
        wanted = {**consolidation_rules.fields_without_source(known, is_kept), "source_episodes": rest}
        operation.change(KNOWLEDGES.ref(known), wanted, known)
    read_again(rows, left - episodes)
    return Left(tuple(held), tuple(kept))


def hold_again(rows: Rows, operation: OpenOperation, touched: Sequence[Ref]) -> None:
    """After some records were put back: what lives among them by that, and was made of a deleted episode, is held
    back."""
    for known in records_there(rows, KNOWLEDGES, [ref.id for ref in touched if ref.kind == KNOWLEDGE]):
        if known.held_because == SOURCE_DELETED:
            wanted = consolidation_rules.fields_without_source(known, is_by_hand(rows, known))
            operation.change(KNOWLEDGES.ref(known), wanted, known)


def _made_of(rows: Rows, episodes: set[int]) -> list[Knowledge]:
    if not episodes:
        return []
    named = rows.select(KNOWLEDGES.table, ("id", "source_episodes"), order=("id",))
    ids = [number for number, sources in named if not episodes.isdisjoint(json.loads(sources))]
    return records_there(rows, KNOWLEDGES, ids)


def read_again(rows: Rows, episodes: Iterable[int]) -> None:
    """Have a consolidation read these once more."""
    rows.update(EPISODES.table, {READ_AS: _AGAIN}, any_of("id", sorted(episodes)))


def was_read(rows: Rows, episodes: Iterable[int]) -> None:
    """Note that a consolidation has read them to its end, as they are: neither undo nor anything else takes this
    back."""
    for number, says in rows.select(EPISODES.table, ("id", "says"), any_of("id", sorted(episodes))):
        rows.update(EPISODES.table, {READ_AS: says}, is_("id", number))
