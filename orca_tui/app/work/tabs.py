"""The tabs of the pane of work: a line with the name of each list, and at its right how the open one is filtered."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from rich.cells import cell_len
from textual import events
from textual.message import Message

from orca_tui.app.records.shelf import Shelf
from orca_tui.app.widgets.literal import literal
from orca_tui.app.widgets.rows import fitted
from orca_tui.app.widgets.steady_text import SteadyText
from orca_tui.marks import Marks

GAP = 2


class Tabs(SteadyText):
    """Drawn by whoever knows the lists; a click chooses one."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, marks: Marks) -> None:
        super().__init__(id="work-tabs")
        self._marks = marks
        self._ends: list[int] = []
        self._shelves: Sequence[Shelf] = ()
        self._open: Shelf | None = None

    def show(self, shelves: Sequence[Shelf], shelf: Shelf) -> None:
        """The lists by their names, the open one with its figures."""
        self._shelves, self._open = shelves, shelf
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_click(self, event: events.Click) -> None:
        number = next((at for at, end in enumerate(self._ends) if event.x < end), None)
        if number is not None:
            self.post_message(self.Chosen(number))

    def _draw(self) -> None:
        if self._open is None:
            return
        content, self._ends, at = literal(""), [], 0
        for each in self._shelves:
            name = _(each.rows.listing.title)
            words = name if each is self._open else f"{name} {each.rows.count}"
            content += literal(words, "bold" if each is self._open else "$foreground-muted") + " " * GAP
            at += cell_len(words) + GAP
            self._ends.append(at)
        room = max(0, self.size.width - at - 2)
        figures = self._open.figures()
        if cell_len(figures) > room:
            figures = fitted(self._open.figures(is_short=True), room, self._marks).rstrip()
        pad = " " * (room - cell_len(figures))
        self.say(content + literal(pad + figures, "$foreground-muted"))
