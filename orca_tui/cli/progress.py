"""A line that tells how far something is, for who waits at a terminal."""

from __future__ import annotations

from time import monotonic

from orca_tui.cli.output import Output

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
