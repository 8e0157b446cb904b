"""Figures of episodes, as lists and details show them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.model.episodes import Episode
from orca_core.model.memories import Status
from orca_core.model.views import EpisodeView
from orca_tui.words.work_words import importance_figure

AT = datetime(2026, 11, 20, tzinfo=UTC)
EPISODE = Episode(1, "u", "t", "what", AT, AT, aged_from=AT)


@pytest.mark.parametrize(
    ("importance", "threshold", "figure"),
    [
        (0.6, 0.25, "0.60"),
        (0.25, 0.25, "0.25"),
        (0.246667, 0.25, "0.247"),
        (0.249999, 0.25, "0.249999"),
        (0.254, 0.25, "0.25"),
        (0.244, 0.25, "0.24"),
        (0.2546, 0.2545, "0.255"),
        (1.0, 0.25, "1.00"),
        (0.0, 0.25, "0.00"),
    ],
)
def test_importance_is_never_rounded_across_the_threshold(importance: float, threshold: float, figure: str) -> None:
    shown = importance_figure(EpisodeView(EPISODE, Status.ACTIVE, importance, threshold=threshold))

    assert shown == figure
    assert (float(shown) < threshold) == (importance < threshold)
