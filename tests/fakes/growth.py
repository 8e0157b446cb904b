"""How the work of a call grows with its text, in time that this thread had a processor: whoever else is at work on the
machine takes none of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

TENFOLD = 10
MAX_GROWTH = 30
"""Ten times the text costs ten times as much where the work is linear, a hundred times where it is quadratic."""
HARMLESS_S = 0.0002
"""Below this the small text says nothing: what a tenfold text then costs is below MAX_GROWTH times this."""
MAX_TRIES = 4


def grows_linearly(work: Callable[[str], object], units: str | Sequence[str], chars: int) -> bool:
    """Whether `work` on `chars` characters, a long run of each unit behind that of the one before, costs no more than a
    line's share of a tenth of them."""
    each_unit = [units] if isinstance(units, str) else units

    def text(share: int) -> str:
        return "".join(unit * (chars // share // len(each_unit) // len(unit)) for unit in each_unit)

    return costs_grow_linearly(lambda share: _cost(work, text(share)))


def costs_grow_linearly(cost: Callable[[int], float]) -> bool:
    """Whether the whole (a share of 1) costs no more than a line's multiple of its tenth (a share of 10), by the least
    of a few tries: a cost can be disturbed upwards only."""
    small = large = float("inf")
    for _ in range(MAX_TRIES):
        small = min(small, cost(TENFOLD))
        large = min(large, cost(1))
        if large <= MAX_GROWTH * max(small, HARMLESS_S):
            return True
    return False


def spent_s() -> float:
    """How long this thread has had a processor."""
    return time.thread_time()


def _cost(work: Callable[[str], object], text: str) -> float:
    began = spent_s()
    work(text)
    return spent_s() - began
