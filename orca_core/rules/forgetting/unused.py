"""Which knowledge and guides nothing bears out any more and nobody uses. A person is told, nothing is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import State
from orca_core.model.tools import Guide

UNUSED = timedelta(days=180)


def unused(knowledge: Sequence[Knowledge], sources: Mapping[int, State], now: datetime) -> list[Knowledge]:
    """Those that live, were neither used nor written anew for so long, and of whose episodes none lives. `sources` are
    the states of the episodes that are there."""
    return [each for each in knowledge if _is_unused(each, now) and not _is_borne_out(each, sources)]


def unused_guides(
    guides: Sequence[Guide], called: Iterable[str], now: datetime, fold: Callable[[str], str]
) -> list[Guide]:
    """The same of guides, by the tools of which calls are left; `fold` says when two names are one."""
    there = {fold(each) for each in called}
    return [each for each in guides if _is_unused(each, now) and fold(each.target) not in there]


def _is_unused(known: Knowledge | Guide, now: datetime) -> bool:
    touched = max(known.updated_at, known.last_accessed or known.updated_at)
    return known.state is State.LIVE and not known.pinned and now - touched >= UNUSED


def _is_borne_out(known: Knowledge, sources: Mapping[int, State]) -> bool:
    return any(sources.get(number) is State.LIVE for number in known.source_episodes)
