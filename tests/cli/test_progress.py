"""How far something is: shown on a terminal, once it takes a while, with about how long the rest takes."""

from __future__ import annotations

import pytest

from orca_core.domain.exchange import ImportProgress, ImportStage
from orca_tui.cli import progress
from orca_tui.cli.progress import TimeLeft, bar
from orca_tui.words.exchange import export_words, import_words


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "[....................]"),
        (0.5, "[##########..........]"),
        (1, "[####################]"),
        (7, "[" + "#" * 20 + "]"),
    ],
)
def test_a_bar_fills_up(share: float, shown: str) -> None:
    assert bar(share) == shown


def test_the_time_left_follows_from_the_time_that_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([100.0, 100.0, 110.0, 110.0, 130.0])
    monkeypatch.setattr(progress, "monotonic", lambda: next(now))
    left = TimeLeft()

    assert left.of("reading", 0.01) is None
    assert left.of("reading", 0.25) == 30.0
    assert left.of("making", 0.0) is None
    assert left.of("making", 0.5) == 20.0


def test_an_import_tells_its_stage() -> None:
    assert import_words(ImportProgress(ImportStage.READING, 1), "", None) == "read 1 record"
    assert import_words(ImportProgress(ImportStage.MAKING, 40, 80), "[##..]", 12.4) == (
        "[##..] made 40 records ready  12 s left"
    )
    assert import_words(ImportProgress(ImportStage.COMING, 80, 80), "[####]", None) == "[####] bringing in 80 records"
    assert export_words(3, "[#...]", 150) == "[#...] wrote 3 records  2 min left"
