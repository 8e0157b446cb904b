"""The three panes beside the chat, one over the other."""

from __future__ import annotations

from gettext import gettext as _

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from orca_tui.app.memory.activity_list import ActivityList
from orca_tui.app.memory.memory_list import MemoryList
from orca_tui.app.talk.turn_pane import TurnPane
from orca_tui.app.widgets.literal import literal
from orca_tui.marks import Marks


class SidePanel(Vertical):
    """This turn, the memories, the activity."""

    def __init__(self, marks: Marks) -> None:
        super().__init__(id="side")
        self._marks = marks

    def compose(self) -> ComposeResult:
        with Vertical(id="pane-turn", classes="pane"):
            yield Static("", id="turn-title", classes="pane-title")
            yield TurnPane()
        with Vertical(id="pane-memories", classes="pane"):
            yield Static("", id="memories-title", classes="pane-title")
            yield Input(placeholder=_("filter"), id="filter", compact=True)
            yield MemoryList(self._marks)
            yield Static("", id="glance")
        with Vertical(id="pane-activity", classes="pane"):
            yield Static(literal(_("Activity"), "bold"), classes="pane-title")
            yield Static("", id="learning")
            yield ActivityList(self._marks)

    def on_mount(self) -> None:
        self.query_one("#filter").display = False
        self.query_one("#learning").display = False
        self.query_one("#glance").display = False

    def on_descendant_focus(self) -> None:
        self._follow_focus()

    def on_descendant_blur(self) -> None:
        self._follow_focus()

    def _follow_focus(self) -> None:
        """The memory under the cursor is told of while there is a cursor; the filter is seen while it filters."""
        self.query_one("#glance").display = self._rows.has_focus
        self._filter.display = self.screen.focused is self._filter or bool(self._filter.value)

    @property
    def _rows(self) -> MemoryList:
        return self.query_one(MemoryList)

    @property
    def _filter(self) -> Input:
        return self.query_one("#filter", Input)

    @property
    def word_of_escape(self) -> str:
        """What escape would clear in the pane that has the focus; empty where there is nothing."""
        if self._filter.has_focus:
            return _("clear filter")
        return self._rows.word_of_escape if self._rows.has_focus else ""

    def show_learning(self, words: str) -> None:
        """The run that is under way, above what happened before; nothing where none is."""
        learning = self.query_one("#learning", Static)
        learning.display = bool(words)
        learning.update(literal(f" {words}", "$foreground-muted"))

    def begin_filter(self) -> None:
        self._filter.display = True
        self._filter.focus()

    def step_back(self) -> bool:
        """Escape: clear what the focused pane filters or marks, before it is left. Whether there was anything."""
        if self._filter.has_focus:
            self._filter.value = ""
            self._rows.focus()
            return True
        if not self._rows.has_focus or not self._rows.step_back():
            return False
        self._filter.value = self._rows.text
        self._filter.display = bool(self._filter.value)
        return True
