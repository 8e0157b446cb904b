"""In which order candidates are shown that go live by what supports them: the nearest to that first."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from orca_core.model.feedback import Weighed
from orca_core.model.memories import Waits
from orca_core.model.records import MEMORY
from orca_core.rules.feedback.promoting import UNPROVEN


def nearness(weighed: Weighed) -> tuple[bool, int, float]:
    """Smaller is nearer: what nothing blocks, by the days that it lacks, then by the score that it lacks."""
    return bool(weighed.blocked_by), max(0, weighed.needed - weighed.days), weighed.threshold - weighed.score


def is_unproven(waits: Waits) -> bool:
    return waits.ref.kind == MEMORY and waits.held_because == UNPROVEN


class ByNearness:
    """The order of candidates that come page by page, the oldest first: these unproven ones change places among
    themselves, all others stay where they are."""

    def __init__(self, unproven: Sequence[Waits], weighed: Mapping[int, Weighed]) -> None:
        known = [each for each in unproven if is_unproven(each) and each.ref.id in weighed]
        oldest = sorted(known, key=lambda each: (each.since, each.ref))
        self._places = {each.ref for each in known}
        self._nearest = deque(sorted(oldest, key=lambda each: nearness(weighed[each.ref.id])))

    def placed(self, page: Sequence[Waits]) -> list[Waits]:
        """The next page. A place of which there is one too many by now stays empty."""
        placed: list[Waits] = []
        for each in page:
            if each.ref not in self._places:
                placed.append(each)
            elif self._nearest:
                placed.append(self._nearest.popleft())
        return placed

    def left(self) -> list[Waits]:
        """Those for which there was no place, once there is no further page."""
        left = list(self._nearest)
        self._nearest.clear()
        return left
