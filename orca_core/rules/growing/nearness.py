"""In which order candidates are shown that go live by what supports them: the nearest to that first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orca_core.domain.growth.supports import Weighed
from orca_core.domain.refs import MEMORY
from orca_core.domain.work.waiting import Waits
from orca_core.rules.growing.promoting import UNPROVEN


def nearness(weighed: Weighed) -> tuple[bool, int, float]:
    """Smaller is nearer: what nothing blocks, by the days that it lacks, then by the score that it lacks."""
    return bool(weighed.blocked_by), max(0, weighed.needed - weighed.days), weighed.threshold - weighed.score


def is_unproven(waits: Waits) -> bool:
    return waits.ref.kind == MEMORY and waits.held_because == UNPROVEN


def by_nearness(waiting: Sequence[Waits], weighed: Mapping[int, Weighed]) -> list[Waits]:
    """The same candidates: those that are unproven change places among themselves, all others stay where they are."""
    unproven = [each for each in waiting if is_unproven(each) and each.ref.id in weighed]
    nearest = iter(sorted(unproven, key=lambda each: nearness(weighed[each.ref.id])))
    places = {each.ref for each in unproven}
    return [next(nearest) if each.ref in places else each for each in waiting]
