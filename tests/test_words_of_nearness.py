"""How near a candidate is to going live, in words that are true of it."""

from __future__ import annotations

import pytest

from orca_core.domain.growth.supports import Weighed
from orca_tui.words.nearness import promotion_words


@pytest.mark.parametrize(
    ("weighed", "told"),
    [
        (Weighed(1, 3, 0.9, 0.5, 1), "on 2 more days"),
        (Weighed(3, 3, 0.872, 0.877, 3), "its score is below what the best must reach"),
        (Weighed(3, 3, 0.9, 0.877, 3), "as soon as none is better"),
        (Weighed(3, 3, 0.9, 0.877, 3, blocked_by="undone"), "you took back what became of it"),
    ],
)
def test_what_it_takes_says_nothing_of_a_time_that_nobody_measured(weighed: Weighed, told: str) -> None:
    words = promotion_words(weighed)
    assert told in words
    assert "too long ago" not in words
