"""Which place of the main screen has the keys: a pane that was opened, or the next one in their order."""

from __future__ import annotations

from textual.screen import Screen
from textual.widget import Widget

from orca_tui.app.screens.side_panel import SidePanel


class Places:
    """Knows the pane that is open, and moves the focus."""

    def __init__(self, screen: Screen[None], side: SidePanel, before: tuple[Widget, ...]) -> None:
        self.open = ""
        self._screen = screen
        self._side = side
        self._before = before

    def show(self, name: str) -> None:
        """Open a pane and look at it; the same again leads back to the first place."""
        self.open = "" if self.open == name else name
        if self.open and not self._screen.has_class("-narrow"):
            self._side.display = True
        opened = next((pane for pane in self._side.panes if pane.about.id == self.open), None)
        for pane in self._side.panes:
            pane.set_class(pane is opened, "-open", update=False)
        self._side.set_class(opened is not None and opened.about.is_alone, "-alone", update=False)
        self._screen.set_class(opened is not None, "-with-pane", update=False)
        self._screen.update_node_styles()  # of all at once: each class alone would take as long
        (opened.stop if opened else self._before[0]).focus()

    def next(self, step: int) -> None:
        """Go on to the next place that takes keys, of those that are seen."""
        of_panes = [stop for pane in self._side.panes if pane.display for stop in pane.stops]
        stops = [stop for stop in (*self._before, *of_panes) if stop.size]
        here = next((at for at, each in enumerate(stops) if each.has_focus_within), 0)
        stops[(here + step) % len(stops)].focus()
