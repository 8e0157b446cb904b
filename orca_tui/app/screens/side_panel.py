"""The panes beside the chat, one over the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual.containers import Vertical

from orca_tui.app.pane import Happening, Pane


class SidePanel(Vertical):
    """Holds the panes, and knows the one with the focus. The first frame comes without them."""

    def __init__(self) -> None:
        super().__init__(id="side")
        self.panes: tuple[Pane, ...] = ()

    async def fill(self, panes: Sequence[Pane], draw: Callable[[], None]) -> None:
        """Mount the panes and have them drawn, all in one frame, and wait until it is on the screen."""
        with self.app.batch_update():
            await self.mount_all(panes)
            self.panes = tuple(panes)
            draw()
        is_drawn = asyncio.Event()
        self.screen.call_after_refresh(is_drawn.set)
        await is_drawn.wait()

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
