"""How much of a long work one transaction takes."""

from __future__ import annotations

import pytest

from orca_core.rules.memory.memory_upkeep import MOST, WORKED_S, next_size


@pytest.mark.parametrize(
    ("size", "worked_s", "wanted"),
    [
        (10, WORKED_S, 10),
        (10, WORKED_S / 1.5, 15),
        (10, WORKED_S / 100, 20),  # at most twice as many
        (100, 4 * WORKED_S, 25),
        (1, 50 * WORKED_S, 1),  # one is always taken
        (10, 0.0, 20),  # a clock that did not move
        (MOST, WORKED_S / 100, MOST),
    ],
)
def test_the_next_slice_is_as_large_as_fits(size: int, worked_s: float, wanted: int) -> None:
    assert next_size(size, worked_s) == wanted
