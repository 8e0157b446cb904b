"""The pane of the memories: their list, with what turns and learning do to it."""

from __future__ import annotations

from gettext import gettext as _

from textual import on
from textual.app import ComposeResult

from orca_core.model.events import Extraction, WeightMoved
from orca_core.model.records import MEMORY
from orca_tui.app.memory.memories import Memories
from orca_tui.app.memory.memory_keys import MEMORIES
from orca_tui.app.memory.memory_list import MemoryList
from orca_tui.app.messages import ChangedBehind, TurnEnded
from orca_tui.app.pane import About, Happening, Pane
from orca_tui.app.records.records import Records
from orca_tui.app.records.shelf import Shelf
from orca_tui.app.widgets.literal import literal
from orca_tui.language import N_
from orca_tui.words.turn_words import weight_step


class MemoriesPane(Pane):
    """All that is remembered, and what can be done to it by hand."""

    about = About("memories", N_("Memories"), N_("memories"), "f3", MEMORIES, stop="#memory-list", share=3)

    def compose_body(self) -> ComposeResult:
        self._moves: dict[int, WeightMoved] = {}
        self.rows = MemoryList(self.marks)
        self.memories = Memories(self.stage, self.bridge, self.marks)
        self.records = Records(self.stage, self.bridge, self.rows, self.memories)
        self.shelf = Shelf(self.bridge, self.rows, self.records, self.marks)
        yield self.shelf

    def take(self, event: Happening) -> None:
        match event:
            case WeightMoved() if event.ref.kind == MEMORY:
                self._moves[event.ref.id] = event
            case TurnEnded():
                self._turn_ended()
            case ChangedBehind():
                self.shelf.changed_behind()
            case Extraction() if event.state != "running":
                self.rows.show_new(fact.memory.id for fact in event.learnt.stored)
                self.rows.ask_again()

    def _turn_ended(self) -> None:
        moves, self._moves = self._moves, {}
        self.rows.show_changes(
            {move.ref.id: weight_step(move, self.marks) for move in moves.values() if move.before != move.after}
        )
        self.shelf.turn_ended(list(moves))

    def look(self, *, anew: bool) -> None:
        if anew:
            self.rows.ask_again()

    @property
    def lead(self) -> str:
        return self.shelf.lead

    @property
    def word_of_escape(self) -> str:
        return self.shelf.word_of_escape

    def step_back(self) -> bool:
        return self.shelf.step_back()

    @on(Shelf.Told)
    def _tell(self) -> None:
        """How many there are, which of them, how many are marked; and what escape does about it."""
        title = literal(f"{_('Memories')} ", "bold")
        self.show_title(title + literal(self.shelf.figures(), "$foreground-muted"))
        self.post_message(self.Told())
