"""How far an import is, on a line of the terminal."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.model.import_export import ImportProgress, ImportStage
from orca_tui.cli.output import Output
from orca_tui.cli.progress import ProgressBar
from orca_tui.words.import_words import import_words


def import_teller(output: Output, place: Callable[[], tuple[int, int | None]]) -> Callable[[ImportProgress], None]:
    """What an import tells its progress to; `place` is how much of the file is read, and how long it is."""
    shown = ProgressBar(output)

    def tell(progress: ImportProgress) -> None:
        done, whole = progress.done, progress.all
        if progress.stage is ImportStage.READING and place()[1]:
            done, whole = place()
        shown.tell(import_words(progress), progress.stage, done / whole if whole else None)

    return tell
