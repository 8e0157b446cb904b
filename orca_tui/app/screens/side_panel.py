"""The panes beside the chat, one over the other."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical

from orca_tui.app.pane import Happening, Pane


class SidePanel(Vertical):
    """Holds the panes, and knows the one with the focus."""

    def __init__(self, panes: Sequence[Pane]) -> None:
        super().__init__(id="side")
        self.panes = tuple(panes)

    def compose(self) -> ComposeResult:
        yield from self.panes

    @property
    def focused(self) -> Pane | None:
        return next((pane for pane in self.panes if pane.has_focus_within), None)

    def take(self, happening: Happening) -> None:
        """Hand an event to every pane."""
        for pane in self.panes:
            pane.take(happening)

    def look(self, *, anew: bool) -> None:
        """Have every pane read memories again."""
        for pane in self.panes:
            pane.look(anew=anew)

    def tick(self) -> None:
        """Have every pane redraw what changes every second."""
        for pane in self.panes:
            pane.tick()
