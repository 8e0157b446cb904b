"""A line that tells how far something is, for who waits at a terminal."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from orca_core.model.backups import CopyProgress, CopyStage
from orca_core.model.import_export import ImportProgress
from orca_core.model.operations import StageProgress, Tell
from orca_tui.cli.output import Output
from orca_tui.words.import_words import import_words
from orca_tui.words.upkeep_words import copy_words, with_time_left

SHOWN_AFTER_S = 1.0
"""What is done sooner needs no line."""
EVERY_S = 0.1
BAR_CELLS = 20
GUESSED_FROM = 0.02
"""Before this share is done it can't be said how long the rest takes."""


class ProgressLine:
    """Shows how far something is once it takes longer, and clears it at its end."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._next_at = monotonic() + SHOWN_AFTER_S

    def tell(self, text: str) -> None:
        if self._output.shows_progress and (now := monotonic()) >= self._next_at:
            self._next_at = now + EVERY_S
            self._output.progress(text)


class ProgressBar:
    """A line with a bar, what is done, and about how long the rest takes, stage by stage."""

    def __init__(self, output: Output) -> None:
        self._line = ProgressLine(output)
        self._time_left = TimeLeft()

    def tell(self, words: str, stage: object, share: float | None) -> None:
        """`share` is how much of the stage is done, from 0 to 1; None where nobody knows."""
        if share is None:
            self._line.tell(words)
            return
        left_s = self._time_left.of(stage, share)
        self._line.tell(with_time_left(f"{bar(share)} {words}", left_s if share < 1 else None))


def copy_teller(output: Output) -> Callable[[CopyProgress], None]:
    """What a copy of a database tells its progress to."""
    shown = ProgressBar(output)

    def tell(progress: CopyProgress) -> None:
        share = progress.done_bytes / progress.total_bytes if progress.total_bytes else 0.0
        shown.tell(copy_words(progress), progress.stage, None if progress.stage is CopyStage.CHECKING else share)

    return tell


def progress_teller(output: Output, words: Callable[[StageProgress], str], *, is_one: bool = False) -> Tell:
    """What work of stages tells how far it is; its stages share one bar where it `is_one`."""
    shown = ProgressBar(output)

    def tell(reached: StageProgress) -> None:
        shown.tell(words(reached), None if is_one else reached.stage, reached.share)

    return tell


class TimeLeft:
    """How long the rest of one stage takes, by how long the first part took."""

    def __init__(self) -> None:
        self._stage: object = None
        self._began_at = monotonic()

    def of(self, stage: object, share: float) -> float | None:
        """Seconds; None where nobody knows yet."""
        if stage != self._stage:
            self._stage, self._began_at = stage, monotonic()
        if share < GUESSED_FROM:
            return None
        return (monotonic() - self._began_at) * (1 - share) / share


def bar(share: float) -> str:
    """A bar of a share from 0 to 1, in signs that every terminal has."""
    full = round(min(max(share, 0.0), 1.0) * BAR_CELLS)
    return f"[{'#' * full}{'.' * (BAR_CELLS - full)}]"


def import_teller(output: Output) -> Callable[[ImportProgress], None]:
    """What an import tells its progress to."""
    shown = ProgressBar(output)

    def tell(progress: ImportProgress) -> None:
        share = progress.done / progress.all if progress.all else None
        shown.tell(import_words(progress), progress.stage, share)

    return tell
