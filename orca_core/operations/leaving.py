"""What becomes of knowledge whose episodes, or which itself, a person deletes for good; in the transaction of the
delete."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import Struct

from orca_core.model.knowledge import KNOWLEDGES, SOURCE_DELETED, Knowledge
from orca_core.model.memories import State
from orca_core.model.records import ACTION, EPISODE, KNOWLEDGE, Ref
from orca_core.operations.acts import supports
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import records_there
from orca_core.operations.sources import STANDING, read_again
from orca_core.operations.targets import is_by_hand
from orca_core.rules.work import consolidation_rules
from orca_core.store.ports import Rows


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
        wanted = {**consolidation_rules.source_deleted(known, is_kept), "source_episodes": rest}
        operation.change(KNOWLEDGES.ref(known), wanted, known)
    read_again(rows, left - episodes)
    return Left(tuple(held), tuple(kept))


def hold_again(rows: Rows, operation: OpenOperation, touched: Sequence[Ref]) -> None:
    """After some records were put back: what lives among them by that, and was made of a deleted episode, is held
    back."""
    for known in records_there(rows, KNOWLEDGES, [ref.id for ref in touched if ref.kind == KNOWLEDGE]):
        if known.held_because == SOURCE_DELETED:
            wanted = consolidation_rules.source_deleted(known, is_by_hand(rows, known))
            operation.change(KNOWLEDGES.ref(known), wanted, known)


def _made_of(rows: Rows, episodes: set[int]) -> list[Knowledge]:
    if not episodes:
        return []
    named = rows.select(KNOWLEDGES.table, ("id", "source_episodes"), order=("id",))
    ids = [number for number, sources in named if not episodes.isdisjoint(json.loads(sources))]
    return records_there(rows, KNOWLEDGES, ids)
