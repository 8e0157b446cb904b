"""How much of a long work one transaction takes, for no other writer is to wait long for it."""

from __future__ import annotations

HELD_S = 0.02
"""So long one is to hold the lock of the database. Chosen by hand, `benchmarks/beside.py` measures it."""
BEGUN_S = HELD_S / 2
"""So long further records are taken in one transaction: what they cost is seen when they are done, and to commit costs
time, too. Chosen by hand."""
FIRST = 10
MOST = 5000


def next_size(size: int, held_s: float) -> int:
    """After a transaction that took `size` pieces and held the lock so long: as many as fit, at most twice as many as
    before, for the next ones may be others."""
    if held_s <= 0:
        return min(MOST, 2 * size)
    return max(1, min(MOST, 2 * size, int(size * HELD_S / held_s)))
