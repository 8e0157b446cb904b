"""A line that tells how far something is, for who waits at a terminal."""

from __future__ import annotations

from time import monotonic

from orca_tui.cli.output import Output

SHOWN_AFTER_S = 1.0
"""What is done sooner needs no line."""
EVERY_S = 0.1


class ProgressLine:
    """Shows how far something is once it takes longer, and clears it at its end."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._next_at = monotonic() + SHOWN_AFTER_S

    def tell(self, text: str) -> None:
        if self._output.shows_progress and (now := monotonic()) >= self._next_at:
            self._next_at = now + EVERY_S
            self._output.progress(text)
