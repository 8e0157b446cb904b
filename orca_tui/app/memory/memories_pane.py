"""The pane of the memories: the list, what it is filtered by, the memory under the cursor in two lines."""

from __future__ import annotations

from gettext import gettext as _

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from orca_core.domain.events import Extraction, WeightMoved
from orca_core.domain.refs import MEMORY
from orca_tui.app.memory.memories import Memories
from orca_tui.app.memory.memory_keys import MEMORIES
from orca_tui.app.memory.memory_list import STATUSES, MemoryList
from orca_tui.app.memory.messages import MemoryAction, MemoryChosen, RangeWanted, RowsWanted
from orca_tui.app.messages import ChangedBehind, TurnEnded
from orca_tui.app.pane import About, Happening, Pane
from orca_tui.app.widgets.literal import literal
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.turns import weight_step

SORT_WORDS = {"weight": N_("weight"), "used": N_("last used"), "new": N_("newest"), "type": N_("type")}
LIST_WORDS = {
    "live": N_("live"),
    "all": N_("all"),
    "archived": N_("archived"),
    "candidate": N_("candidate"),
    "core": N_("core"),
    "rejected": N_("rejected"),
}


class MemoriesPane(Pane):
    """All that is remembered, and what can be done to it by hand."""

    about = About("memories", N_("Memories"), N_("memories"), "f3", MEMORIES, stop="#memory-list", share=3)

    def compose_body(self) -> ComposeResult:
        yield Input(placeholder=_("filter"), id="filter", compact=True)
        yield MemoryList(self.marks)
        yield Static("", id="glance")

    def on_mount(self) -> None:
        self.rows = self.query_one(MemoryList)
        self.filter = self.query_one("#filter", Input)
        self.filter.display = False
        self.query_one("#glance").display = False
        self.memories = Memories(self.stage, self.bridge, self.rows, self.marks)
        self._moves: dict[int, WeightMoved] = {}
        self._tell()

    # What happens

    def take(self, event: Happening) -> None:
        match event:
            case WeightMoved() if event.ref.kind == MEMORY:
                self._moves[event.ref.id] = event
            case TurnEnded():
                self._turn_ended()
            case ChangedBehind() if self.rows.has_focus:  # nothing slides under the finger
                self.memories.has_strays = True
                self.memories.refresh(self.rows.ids)
            case ChangedBehind():
                self.rows.ask_again()
            case Extraction() if event.state != "running":
                self.rows.show_new(fact.memory.id for fact in event.learnt.stored)
                self.rows.ask_again()

    def _turn_ended(self) -> None:
        moves, self._moves = self._moves, {}
        self.rows.show_changes(
            {move.ref.id: weight_step(move, self.marks) for move in moves.values() if move.before != move.after}
        )
        if self.rows.has_focus:  # nothing slides under the finger
            self.memories.refresh(list(moves))
        else:
            self.rows.ask_again()

    def look(self, *, anew: bool) -> None:
        if anew:
            self.rows.ask_again()

    # What the keys do

    @property
    def lead(self) -> str:
        return self.rows.marked_words() if self.rows.has_focus else ""

    @property
    def word_of_escape(self) -> str:
        if self.filter.has_focus:
            return _("clear filter")
        return self.rows.word_of_escape if self.rows.has_focus else ""

    def step_back(self) -> bool:
        """Escape: clear what the pane filters or marks, before it is left."""
        if self.filter.has_focus:
            self.filter.value = ""
            self.rows.focus()
            return True
        if not self.rows.has_focus or not self.rows.step_back():
            return False
        self.filter.value = self.rows.text
        self.filter.display = bool(self.filter.value)
        return True

    def on_descendant_focus(self) -> None:
        self._follow_focus()

    def on_descendant_blur(self) -> None:
        self._follow_focus()

    def _follow_focus(self) -> None:
        """Show details only while there is a cursor, and the filter only while it filters."""
        self.query_one("#glance").display = self.rows.has_focus
        if self.memories.has_strays and not self.has_focus_within:  # rows must not move while the user reads them
            self.memories.has_strays = False
            self.rows.ask_again()
        self.filter.display = self.screen.focused is self.filter or bool(self.filter.value)

    # From the widgets

    @on(RowsWanted)
    def _rows_wanted(self, message: RowsWanted) -> None:
        self.memories.load(message)

    @on(RangeWanted)
    def _range_wanted(self, message: RangeWanted) -> None:
        self.memories.read_range(message)

    @on(MemoryChosen)
    def _memory_chosen(self, message: MemoryChosen) -> None:
        self.query_one("#glance", Static).update(self.memories.glance(message.view), layout=False)
        self._tell()
        if message.before is not None:
            self.rows.show_cursor(message.before)

    @on(MemoryAction)
    def _memory_action(self, message: MemoryAction) -> None:
        if message.action == "filter":
            self.filter.display = True
            self.filter.focus()
        elif self.bridge.is_ready:
            self.memories.act(message)

    @on(Input.Changed, "#filter")
    def _filter(self, event: Input.Changed) -> None:
        if event.value != self.rows.text:
            self.rows.filter(event.value)

    @on(Input.Submitted, "#filter")
    def _filter_done(self) -> None:
        self.rows.focus()

    def _tell(self) -> None:
        """How many there are, which of them, how many are marked; and what escape does about it."""
        self.show_title(title_of(self.rows, self.marks))
        self.post_message(self.Told())


def title_of(rows: MemoryList, marks: Marks) -> Content:
    """How many rows there are, how many of them are marked, and what the list is filtered and sorted by."""
    status, is_usual = _(LIST_WORDS[rows.status]), rows.status == STATUSES[0]
    words = [str(rows.count), rows.marked_words(), "" if is_usual else status, rows.type]
    words += [_("sort: {word}").format(word=_(SORT_WORDS[rows.sort])), status if is_usual else ""]
    line = f" {marks.dot} ".join(word for word in words if word)
    return literal(f"{_('Memories')} ", "bold") + literal(line, "$foreground-muted")
