"""Text that comes in pieces: cleaned so that where it was cut makes no difference."""

from __future__ import annotations

import re

from orca_tui.text_rules import for_terminal

# What the next piece may turn into one emoji with its own beginning; bounded, so that nothing is held for long.
_MAY_BE_JOINED = re.compile(
    "[0-9#*\u00a9\u00ae\u203c-\u2bff\U0001f000-\U0001faff\ufe0e\ufe0f\u200d\ud800-\udbff]{1,32}\\Z"
)


class CleanStream:
    """Cleans an answer piece by piece, as if it were cleaned whole."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """What can be shown now."""
        text = self._held + piece
        held = _MAY_BE_JOINED.search(text)
        self._held = held.group() if held else ""
        return for_terminal(text[: len(text) - len(self._held)])

    def finish(self) -> str:
        """What was held back, now that nothing follows."""
        rest, self._held = self._held, ""
        return for_terminal(rest)
