"""Which place of the main screen has the keys: a pane that was opened, or the next one in their order."""

from __future__ import annotations

from textual.screen import Screen

PANES = {"turn": "#turn-body", "memories": "#memory-list", "activity": "#activity-list"}
STOPS = ("#prompt", "#transcript", *PANES.values())
"""Where tab stops, in their order."""


class Panes:
    """Knows the pane that is open, and moves the focus."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self.open = ""

    def show(self, pane: str) -> None:
        """Open a pane and look at it; the same again leads back to the prompt."""
        self.open = "" if self.open == pane else pane
        if self.open and not self._screen.has_class("-narrow"):
            self._screen.query_one("#side").display = True
        for each in PANES:
            self._screen.set_class(self.open == each, f"-pane-{each}")
        self._screen.query_one(PANES[self.open] if self.open else "#prompt").focus()

    def next(self, step: int) -> None:
        """Go on to the next place that takes keys, of those that are seen."""
        stops = [widget for css in STOPS if (widget := self._screen.query_one(css)).size]
        here = next((at for at, each in enumerate(stops) if each.has_focus_within), 0)
        stops[(here + step) % len(stops)].focus()
