"""The records of one kind in the store, page by page, with a cursor that stays on its record, and marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from gettext import gettext as _
from typing import Any, Generic

from rich.segment import Segment

from orca_core.model.record_types import plain_ref
from orca_tui.app.records.kind import (
    K,
    RangeWanted,
    RecordAction,
    RecordKind,
    RowChosen,
    RowPage,
    RowsWanted,
    V,
    View,
    record_row,
)
from orca_tui.app.widgets.line_list import LineList
from orca_tui.marks import Marks

Rows = Mapping[int, View[Any]]
"""The views of the rows that were read, by the numbers of their rows."""


class Selection(Generic[K]):
    """Marks go by record and outlive the rows; a live range goes by rows, from where it began to the cursor."""

    def __init__(self) -> None:
        self._marked: dict[int, K] = {}
        self._unlisted: frozenset[int] = frozenset()
        self._begun_at: int | None = None

    def __bool__(self) -> bool:
        return bool(self._marked) or self.is_live

    @property
    def is_live(self) -> bool:
        """Whether a range follows the cursor."""
        return self._begun_at is not None

    @property
    def ids(self) -> tuple[int, ...]:
        """The records that are marked one by one."""
        return tuple(self._marked)

    @property
    def hidden(self) -> int:
        """How many of the marks the filter of the list hides."""
        return len(self._unlisted & self._marked.keys())

    def records(self, rows: Rows, cursor: int) -> tuple[K, ...]:
        """All that is marked and known, the oldest marks first, then the range from its top."""
        known = [rows[number].record for number in self._range(cursor) if number in rows]
        in_range = {record.id: record for record in known}
        return tuple({**self._marked, **in_range}.values())

    def count(self, rows: Rows, cursor: int) -> int:
        """How many are marked, the rows of the range that are not known yet among them."""
        return len(self.records(rows, cursor)) + len(self.missing(rows, cursor))

    def missing(self, rows: Rows, cursor: int) -> list[int]:
        """The rows of the range that are not known yet."""
        return [number for number in self._range(cursor) if number not in rows]

    def holds(self, record: K, number: int, cursor: int) -> bool:
        """Whether the record in this row is marked."""
        return record.id in self._marked or number in self._range(cursor)

    def toggle(self, record: K) -> None:
        if self._marked.pop(record.id, None) is None:
            self._marked[record.id] = record

    def mark(self, records: Sequence[K]) -> None:
        self._marked |= {record.id: record for record in records}

    def begin(self, number: int) -> None:
        """A range begins in this row."""
        self._begun_at = number

    def settle(self, rows: Rows, cursor: int) -> None:
        """What the range holds are marks from now on: its rows may come to stand elsewhere."""
        self._marked = {record.id: record for record in self.records(rows, cursor)}
        self._begun_at = None

    def drop_range(self) -> None:
        self._begun_at = None

    def clear(self) -> None:
        self._marked.clear()
        self._begun_at = None

    def replace(self, fresh: Mapping[int, K]) -> None:
        """Marked records as they are now."""
        self._marked = {key: fresh.get(key, record) for key, record in self._marked.items()}

    def now(self, there: Sequence[K], listed: Set[int]) -> None:
        """Only these of the marked ones are left, and only what is listed is in sight."""
        self._marked = {record.id: record for record in there if record.id in self._marked}
        self._unlisted = frozenset(self._marked) - listed

    def _range(self, cursor: int) -> range:
        if self._begun_at is None:
            return range(0)
        first, last = sorted((self._begun_at, cursor))
        return range(first, last + 1)


PAGE_ROWS = 200
OF_NONE = frozenset({"new", "undo", "redo"})
"""Actions that need no record."""


class RecordList(LineList, Generic[V, K]):
    """What is shown is asked for with `RowsWanted`; what is to be done is told with `RecordAction`. The keys are those
    of its subclasses."""

    def __init__(self, kind: RecordKind[V, K], marks: Marks) -> None:
        self.listing = listing = kind.listing
        super().__init__(id=f"{listing.id}-list")
        self._kind = kind
        self._sorts, self._statuses, self._types = tuple(listing.sorts), tuple(listing.statuses), tuple(listing.types)
        self.sort = self._sorts[0]
        self.status = self._statuses[0]
        self.type = self._types[0]
        self.text = ""
        self._marks = marks
        self._rows: dict[int, V] = {}
        self._asked: set[int] = set()
        self._changed: set[int] = set()
        """Records that have changed since their rows were read: they may stand elsewhere by now."""
        self.selection: Selection[K] = Selection()
        self.to_filter: Callable[[], object] = lambda: None  # whoever has a field for it says how
        self.revision = 0
        self.is_read = False
        """Whether it is known what there is: before, a list that is empty says nothing."""
        self.is_looking = False
        """Whether further rows are looked for: those that are shown are the first of them."""
        self.to_review = 0
        """How many candidates wait where nothing lives yet."""
        self._waiting = ""
        self._changes: Mapping[int, str] = {}

    @property
    def current(self) -> K | None:
        return None if self.current_view is None else self.current_view.record

    @property
    def current_view(self) -> V | None:
        return self._rows.get(self.cursor)

    @property
    def ids(self) -> list[int]:
        """The records of the rows that were read."""
        return [view.record.id for view in self._rows.values()]

    @property
    def marked(self) -> tuple[K, ...]:
        """What is marked, one by one and by the range that is live."""
        return self.selection.records(self._rows, self.cursor)

    @property
    def targets(self) -> tuple[K, ...]:
        """What an action hits: the marks, else the cursor."""
        return self.marked or (() if self.current is None else (self.current,))

    @property
    def is_filtered(self) -> bool:
        """Whether anything but a page of what lives is shown."""
        return bool(self.text.strip() or self.type or self.status != self._statuses[0])

    def marked_words(self) -> str:
        """How many are marked, and how many of them are not in the list as it is filtered; empty where none is."""
        count = self.selection.count(self._rows, self.cursor)
        if not count:
            return ""
        words = _("{count} marked").format(count=count)
        if self.selection.missing(self._rows, self.cursor):
            words += f" {self._marks.ellipsis}"
        if hidden := self.selection.hidden:
            words += " " + _("({count} out of sight)").format(count=hidden)
        return words

    def stood_before(self, row: int) -> int | None:
        """The record in the row before this one, if it still stands there: what comes behind it is found at once."""
        view = self._rows.get(row - 1)
        return None if view is None or view.record.id in self._changed else int(view.record.id)

    def show(self, page: RowPage[V], offset: int, *, restart: bool) -> None:
        """A page as the store gave it. The cursor stays on its record where that is still there."""
        under_cursor = self.current.id if self.current else None
        self.is_read = True
        if restart:
            self.selection.settle(self._rows, self.cursor)
            self._rows.clear()
            self._asked.clear()
            self._changed.clear()
        elif page.total > self.count and self.count % PAGE_ROWS:
            self._asked.discard(self.count // PAGE_ROWS)  # the page with the end was read as far as that
        self._rows.update(enumerate(page.views, start=offset))
        self._asked.add(offset // PAGE_ROWS)
        self.set_count(page.total)
        if restart and under_cursor is not None:
            here = next((number for number, view in self._rows.items() if view.record.id == under_cursor), None)
            if here is not None:
                self.move_to(here)
        self._tell()

    def show_marked(self, there: Sequence[K], listed: Set[int]) -> None:
        """Those of the marked records that there still are, as they are now, and what the filter lets through."""
        self.selection.now(there, listed)
        self._tell()

    def replace(self, views: Sequence[V]) -> None:
        """Records as they are now, in the places where they stand: nothing slides under the cursor."""
        fresh = {view.record.id: view for view in views}
        for number, view in self._rows.items():
            self._rows[number] = now = fresh.get(view.record.id, view)
            if now != view:
                self._changed.add(view.record.id)
        self.selection.replace({key: view.record for key, view in fresh.items()})
        self._tell()

    def take_range(self, views: Sequence[V], first: int, revision: int) -> None:
        """The rows of the range that were never on the screen; what waited for them is carried out."""
        if revision == self.revision and self.selection.is_live:
            self._rows.update(enumerate(views, start=first))
        else:  # the list has changed since
            self.selection.mark([view.record for view in views])
        self._tell()
        action, self._waiting = self._waiting, ""
        if action:
            self.action_act(action)

    def not_read(self, offset: int) -> None:
        """These rows do not come: nothing waits for them, and they are asked for when they are next drawn."""
        self._waiting = ""
        self._asked.discard(offset // PAGE_ROWS)

    def show_new(self, ids: Iterable[int]) -> None:
        """Records that were just learnt: they say so until the next turn ends."""
        self._changes = {**self._changes, **{each: _("new") for each in ids}}
        self.refresh()

    def show_changes(self, changes: Mapping[int, str]) -> None:
        """Weights that just moved (`3.0→3.5`), until the next turn ends."""
        self._changes = changes
        self.refresh()

    def clear_marks(self) -> None:
        self.selection.clear()
        self._waiting = ""
        self._tell()

    @property
    def word_of_escape(self) -> str:
        """What escape would clear here; empty where there is nothing."""
        if self.selection.is_live:
            return _("end range")
        if self.is_filtered:
            return _("clear filter")
        return _("clear marks") if self.selection else ""

    def step_back(self) -> bool:
        """Clear the range, else the filter, else the marks. Whether there was any."""
        if self.selection.is_live:
            self.selection.drop_range()
            self._waiting = ""
            self._tell()
        elif self.is_filtered:
            self.type, self.status = self._types[0], self._statuses[0]
            self.filter("")
        elif self.selection:
            self.clear_marks()
        else:
            return False
        return True

    def row(self, number: int, width: int) -> list[Segment]:
        view = self._rows.get(number)
        if view is None:
            self._want(number)
            return [Segment(f"  {self._marks.ellipsis}", self.styles_of_rows.muted)]
        return record_row(
            view,
            str(plain_ref(self._kind.ref(view.record))),
            self._kind.row(view),
            width,
            self._marks,
            self.styles_of_rows,
            is_marked=self.selection.holds(view.record, number, self.cursor),
            change=self._changes.get(view.record.id, ""),
        )

    def empty_row(self) -> str:
        if not self.is_read:
            return ""
        if self.is_looking:
            return self._marks.ellipsis
        return _("nothing matches") if self.is_filtered else self._kind.nothing(self.to_review)

    def moved(self, before: int) -> None:
        """The cursor is shown by whoever shows what is under it: in one frame."""
        if self.selection.is_live:
            self._want_range()
            self.refresh()
        self.post_message(RowChosen(self.current_view, before))

    def _tell(self) -> None:
        """There may be another record under the cursor, or the same one changed, or more or fewer marks."""
        self.refresh()
        self.post_message(RowChosen(self.current_view))

    def chosen(self) -> None:
        self.action_act("open")

    def ask_again(self) -> None:
        """Ask for the rows anew: other ones are wanted, or they may have changed."""
        self.revision += 1
        self.post_message(RowsWanted(0, restart=True))

    def filter(self, text: str) -> None:
        self.text = text
        self.cursor = 0
        self.ask_again()

    def action_act(self, action: str) -> None:
        """Tell what is to be done; to a range that is not read to its end yet, as soon as it is."""
        if action in OF_NONE:
            self.post_message(RecordAction(action, ()))
        elif action in self.listing.of_one:
            if self.current is not None:
                self.post_message(RecordAction(action, (self.current,)))
        elif self.selection.missing(self._rows, self.cursor):
            self._waiting = action
        elif self.targets:
            self.post_message(RecordAction(action, self.targets))

    def action_mark(self) -> None:
        if self.current is not None:
            self.selection.toggle(self.current)
            self.move_to(self.cursor + 1)
            self._tell()

    def action_range(self) -> None:
        """The first press begins a range that follows the cursor, the second keeps it as marks."""
        if self.selection.is_live:
            self.selection.settle(self._rows, self.cursor)
        elif self.current is not None:
            self.selection.begin(self.cursor)
        self._tell()

    def _want_range(self) -> None:
        if missing := self.selection.missing(self._rows, self.cursor):
            self.post_message(RangeWanted(missing[0], missing[-1]))

    def action_next_sort(self) -> None:
        self.sort = _after(self.sort, self._sorts)
        self.ask_again()

    def action_next_status(self) -> None:
        self.status = _after(self.status, self._statuses)
        self.cursor = 0
        self.ask_again()

    def action_next_type(self) -> None:
        self.type = _after(self.type, self._types)
        self.cursor = 0
        self.ask_again()

    def action_filter(self) -> None:
        self.to_filter()

    def _want(self, number: int) -> None:
        page = number // PAGE_ROWS
        if page not in self._asked:
            self._asked.add(page)
            self.post_message(RowsWanted(page * PAGE_ROWS))


def _after(word: str, words: Sequence[str]) -> str:
    return words[(words.index(word) + 1) % len(words)]
