"""How much of a long work one transaction takes, for no other writer is to wait long for it."""

from __future__ import annotations

WORKED_S = 0.02
"""So long one is to work while it holds the lock of the database. Chosen by hand; see
`benchmarks/beside.py`."""
BEGUN_S = WORKED_S / 2
"""So long further records are taken in one transaction: what they cost is seen when they are done, and to commit costs
time, too. Chosen by hand."""
FIRST = 10
MOST = 5000


def next_size(size: int, worked_s: float) -> int:
    """After a transaction that took `size` pieces and worked so long under the lock: as many as fit, at most twice as
    many as before, for the next ones may be others."""
    if worked_s <= 0:
        return min(MOST, 2 * size)
    return max(1, min(MOST, 2 * size, int(size * WORKED_S / worked_s)))
