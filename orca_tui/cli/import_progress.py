"""How far an import is, on a line of the terminal."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.domain.exchange import ImportProgress, ImportStage
from orca_tui.cli.output import Output
from orca_tui.cli.progress import ProgressLine, TimeLeft, bar
from orca_tui.words.exchange import import_words


def import_teller(output: Output, place: Callable[[], tuple[int, int | None]]) -> Callable[[ImportProgress], None]:
    """What an import tells its progress to; `place` is how much of the file is read, and how long it is."""
    line, time_left = ProgressLine(output), TimeLeft()

    def tell(progress: ImportProgress) -> None:
        done, whole = progress.done, progress.all
        if progress.stage is ImportStage.READING and place()[1]:
            done, whole = place()
        share = done / whole if whole else 0.0
        left_s = None if progress.stage is ImportStage.COMING else time_left.of(progress.stage, share)
        line.tell(import_words(progress, bar(share) if whole else "", left_s))

    return tell
