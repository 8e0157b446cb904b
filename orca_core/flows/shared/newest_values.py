"""Asks which memories give way to a newer value of the same thing, as of one moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from orca_core.domain.dataclass import dataclass
from orca_core.domain.memories import MEMORIES
from orca_core.domain.pairs import ListedPair
from orca_core.domain.stores.snapshot import Snapshot
from orca_core.rules.recalling.choosing import newest
from orca_core.rules.recalling.choosing.newest import Outdone


@dataclass(frozen=True, slots=True)
class NewestValues:
    """Of some memories those that give way, and the pairs that tell."""

    given_way: Mapping[int, Outdone]
    pairs: tuple[ListedPair, ...] = ()


def newest_values(snapshot: Snapshot, ids: Iterable[int]) -> NewestValues:
    """Follow the listed pairs of these memories, as far as each gives way to another."""
    asked: set[int] = set()
    pairs: dict[tuple[int, int], ListedPair] = {}
    to_ask = set(ids)
    while to_ask:
        asked |= to_ask
        pairs |= {(each.newer.id, each.older.id): each for each in snapshot.open_pairs(sorted(to_ask))}
        to_ask = newest.to_ask(pairs.values(), asked)
    given_way = newest.outdone(pairs.values(), asked)
    counting = snapshot.get(MEMORIES, sorted({each.to for each in given_way.values()}))
    return NewestValues(newest.named(given_way, {each.id: each for each in counting}), tuple(pairs.values()))
