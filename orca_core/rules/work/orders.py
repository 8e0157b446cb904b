"""In which order episodes and knowledge are listed: the words that people say, and what a store is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from orca_core.model.episodes import Episode, EpisodeSort, KnowledgeSort
from orca_core.model.errors import InvalidInput
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, Kind
from orca_core.rules.forgetting.importance import age_of, importance

_SHARED = {"used": ("-last_accessed", "-id"), "accesses": ("-access_count", "-id"), "id": ("id",)}
_ORDERS: Mapping[Kind, Mapping[str, tuple[str, ...]]] = {
    EPISODE: {
        **_SHARED,
        EpisodeSort.NEW.value: ("-created_at", "-id"),
        EpisodeSort.OLD.value: ("created_at", "id"),
        EpisodeSort.IMPORTANCE.value: ("id",),
        EpisodeSort.TARGET.value: ("target", "-id"),
    },
    KNOWLEDGE: {
        **_SHARED,
        KnowledgeSort.NEW.value: ("-updated_at", "-id"),
        KnowledgeSort.OLD.value: ("updated_at", "id"),
        KnowledgeSort.CONFIDENCE.value: ("-confidence", "-id"),
        KnowledgeSort.TARGET.value: ("target", "-id"),
        KnowledgeSort.TOPIC.value: ("topic", "-id"),
    },
    GUIDE: {
        **_SHARED,
        KnowledgeSort.NEW.value: ("-updated_at", "-id"),
        KnowledgeSort.OLD.value: ("updated_at", "id"),
        KnowledgeSort.TARGET.value: ("target", "-id"),
    },
}


def order(kind: Kind, sort: str) -> tuple[str, ...]:
    """The columns that a store sorts by, downwards behind a minus. Raises InvalidInput."""
    orders = _ORDERS[kind]
    if sort not in orders:
        known = ", ".join(orders)
        raise InvalidInput(template="no such order: {found}", hint="one of {known}", found=sort, known=known)
    return orders[sort]


def by_importance(episodes: Sequence[Episode], now: datetime) -> list[Episode]:
    """The most important first, among equals the newest: what is forgotten first comes last."""
    return sorted(episodes, key=lambda each: (importance(age_of(each), now), each.aged_from, each.id), reverse=True)
