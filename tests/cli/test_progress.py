"""How far something is: shown on a terminal, once it takes a while, with about how long the rest takes."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest

from orca_core.model.backups import Progress, Stage
from orca_core.model.import_export import ImportProgress, ImportStage
from orca_core.model.operations import Reached
from orca_tui.cli import progress
from orca_tui.cli.output import Output
from orca_tui.cli.progress import TimeLeft, bar, copy_teller, teller
from orca_tui.words.import_words import export_words, import_words
from orca_tui.words.upkeep_words import check_words, clean_words, reindex_words


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
    assert import_words(ImportProgress(ImportStage.READING, 1)) == "read 1 record"
    assert import_words(ImportProgress(ImportStage.COMING, 80, 80)) == "bringing in 80 records"
    assert export_words(3) == "wrote 3 records"


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def last_shown(monkeypatch: pytest.MonkeyPatch, tell: Callable[[Output], object]) -> str:
    """The line that stands last after what is told, ten seconds apart."""
    now = iter(range(0, 10_000, 10))
    monkeypatch.setattr(progress, "monotonic", lambda: float(next(now)))
    screen = Terminal()
    tell(Output(Terminal(), screen, {}))
    return screen.getvalue().split("\r")[-2].strip()


def test_a_copy_shows_a_bar_and_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def copied(output: Output) -> None:
        tell = copy_teller(output)
        tell(Progress(Stage.COPYING, 0, 4 << 20))
        tell(Progress(Stage.COPYING, 1 << 20, 4 << 20))

    line = last_shown(monkeypatch, copied)
    assert line.startswith("[#####...............] copying: 1.0 MB of 4.0 MB  ")
    assert line.endswith(" left")
    checked = last_shown(monkeypatch, lambda output: copy_teller(output)(Progress(Stage.CHECKING, 1, 4 << 20)))
    assert checked == "checking 4.0 MB"


@pytest.mark.parametrize(
    ("words", "reached", "shown"),
    [
        (reindex_words, Reached("records", 30, 60), "[##########..........] indexed 30 of 60 records  "),
        (reindex_words, Reached("messages", 15, 60), "[#####...............] indexed 15 of 60 messages  "),
        (clean_words, Reached("reading", 45, 60), "[###############.....] compared 45 of 60 memories  "),
        (check_words, Reached("days", 10, 40), "[#####...............] looking: days  "),
        (check_words, Reached("secrets", 10, 40, 10.0), "[##########..........] looking: secrets  "),
    ],
)
def test_upkeep_shows_a_bar_and_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch, words: Callable[[Reached], str], reached: Reached, shown: str
) -> None:
    line = last_shown(monkeypatch, lambda output: teller(output, words)(reached))
    assert line.startswith(shown)
    assert line.endswith(" left")
