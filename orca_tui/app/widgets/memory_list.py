"""The memories of the store, page by page, with a cursor that stays on its memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from gettext import gettext as _

from rich.segment import Segment

from orca_core.domain.memories import Memory, Status
from orca_core.domain.queries import MemoryPage
from orca_tui.app.keymap import MEMORIES, bindings
from orca_tui.app.messages import MemoryAction, MemoryChosen, RangeWanted, RowsWanted
from orca_tui.app.rows import empty_text, memory_row
from orca_tui.app.widgets.line_list import LineList
from orca_tui.marks import Marks

PAGE_ROWS = 200
SORTS = ("weight", "used", "new", "type")
STATUSES = ("live", "all", "archived", "candidate", "core", "rejected")
TYPES = ("", "fact", "preference", "project", "instruction", "event")


class MemoryList(LineList):
    """What is shown is asked for with `RowsWanted`; what is to be done is told with `MemoryAction`."""

    BINDINGS = bindings(MEMORIES)

    def __init__(self, marks: Marks, status_of: Callable[[Memory], Status], most_weight: float) -> None:
        super().__init__(id="memory-list")
        self.sort = SORTS[0]
        self.status = STATUSES[0]
        self.type = TYPES[0]
        self.text = ""
        self._marks = marks
        self._status_of = status_of
        self._most = most_weight
        self._rows: dict[int, Memory] = {}
        self._asked: set[int] = set()
        self._marked: dict[int, Memory] = {}
        self._range_from: int | None = None
        self._changes: Mapping[int, str] = {}

    @property
    def current(self) -> Memory | None:
        return self._rows.get(self.cursor)

    @property
    def marked(self) -> tuple[Memory, ...]:
        return tuple(self._marked.values())

    @property
    def targets(self) -> tuple[Memory, ...]:
        """What an action hits: the marks, else the cursor."""
        if self._marked:
            return self.marked
        return () if self.current is None else (self.current,)

    def show(self, page: MemoryPage, offset: int, *, restart: bool) -> None:
        """A page as the store gave it. The cursor stays on its memory where that is still there."""
        under_cursor = self.current.id if self.current else None
        if restart:
            self._rows.clear()
            self._asked.clear()
        self._rows.update(enumerate(page.memories, start=offset))
        self._asked.add(offset // PAGE_ROWS)
        self.set_count(page.total)
        if restart and under_cursor is not None:
            here = next((number for number, memory in self._rows.items() if memory.id == under_cursor), None)
            if here is not None:
                self.move_to(here)
        self.refresh()
        self._tell()

    def replace(self, memories: Sequence[Memory]) -> None:
        """Memories as they are now, in the places where they stand: nothing slides under the cursor."""
        fresh = {memory.id: memory for memory in memories}
        for number, memory in self._rows.items():
            if memory.id in fresh:
                self._rows[number] = fresh[memory.id]
        self._marked = {key: fresh.get(key, memory) for key, memory in self._marked.items()}
        self.refresh()
        self._tell()

    def mark(self, memories: Sequence[Memory]) -> None:
        """Mark these, beside those that are marked."""
        self._marked |= {memory.id: memory for memory in memories}
        self.refresh()
        self._tell()

    def show_new(self, ids: Iterable[int]) -> None:
        """Memories that were just learnt: they say so until the next turn ends."""
        self._changes = {**self._changes, **{each: _("new") for each in ids}}
        self.refresh()

    def show_changes(self, changes: Mapping[int, str]) -> None:
        """Weights that just moved (`3.0→3.5`), until the next turn ends."""
        self._changes = changes
        self.refresh()

    def clear_marks(self) -> None:
        self._marked.clear()
        self._range_from = None
        self.refresh()

    def row(self, number: int, width: int) -> list[Segment]:
        memory = self._rows.get(number)
        if memory is None:
            self._want(number)
            return [Segment(f"  {self._marks.ellipsis}", self.styles_of_rows.muted)]
        return memory_row(
            memory,
            self._status_of(memory),
            width,
            self._marks,
            self.styles_of_rows,
            most=self._most,
            is_marked=memory.id in self._marked,
            change=self._changes.get(memory.id, ""),
        )

    def empty_row(self) -> str:
        return empty_text(bool(self.text or self.type or self.status != STATUSES[0]))

    def moved(self, before: int) -> None:
        """The cursor is shown by whoever shows what is under it: in one frame."""
        self.post_message(MemoryChosen(self.current, before))

    def _tell(self) -> None:
        """There may be another memory under the cursor, or the same one changed."""
        self.post_message(MemoryChosen(self.current))

    def chosen(self) -> None:
        self.action_act("open")

    def ask_again(self) -> None:
        """Ask for the rows anew: other ones are wanted, or they may have changed."""
        self.post_message(RowsWanted(0, restart=True))

    def filter(self, text: str) -> None:
        self.text = text
        self.cursor = 0
        self.ask_again()

    def action_act(self, action: str) -> None:
        if action in ("new", "undo", "redo") or self.targets:
            self.post_message(MemoryAction(action, self.targets))

    def action_mark(self) -> None:
        if self.current is None:
            return
        if self.current.id in self._marked:
            del self._marked[self.current.id]
        else:
            self._marked[self.current.id] = self.current
        self.move_to(self.cursor + 1)
        self.refresh()

    def action_range(self) -> None:
        """The first press begins a range, the second marks all of it."""
        if self._range_from is None:
            self._range_from = self.cursor
            self.action_mark()
            return
        first, last = sorted((self._range_from, self.cursor))
        self._range_from = None
        self.post_message(RangeWanted(first, last))

    def action_next_sort(self) -> None:
        self.sort = _after(self.sort, SORTS)
        self.ask_again()

    def action_next_status(self) -> None:
        self.status = _after(self.status, STATUSES)
        self.cursor = 0
        self.ask_again()

    def action_next_type(self) -> None:
        self.type = _after(self.type, TYPES)
        self.cursor = 0
        self.ask_again()

    def action_filter(self) -> None:
        self.post_message(MemoryAction("filter", ()))

    def _want(self, number: int) -> None:
        page = number // PAGE_ROWS
        if page not in self._asked:
            self._asked.add(page)
            self.post_message(RowsWanted(page * PAGE_ROWS))


def _after(word: str, words: Sequence[str]) -> str:
    return words[(words.index(word) + 1) % len(words)]
