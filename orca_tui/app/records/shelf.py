"""A list of records with its filter above it and the record under the cursor below it, in two lines."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from orca_tui.app.bridge import Bridge
from orca_tui.app.records.messages import RangeWanted, RecordAction, RowChosen, RowsWanted
from orca_tui.app.records.record_list import RecordList
from orca_tui.app.records.records import Records
from orca_tui.app.widgets.steady_text import SteadyText
from orca_tui.marks import Marks


class Shelf(Vertical):
    """All records of one kind, and what can be done to them by hand."""

    class Told(Message):
        """How many there are, which of them, or how many are marked changed; and what escape does about it."""

    def __init__(self, bridge: Bridge, rows: RecordList[Any, Any], records: Records[Any, Any], marks: Marks) -> None:
        super().__init__(id=f"{rows.listing.id}-shelf")
        self.rows = rows
        self.records = records
        self.filter = Input(placeholder=_("filter"), id=f"{rows.listing.id}-filter", classes="filter", compact=True)
        rows.to_filter = self._to_filter
        self._glance = SteadyText(id=f"{rows.listing.id}-glance", classes="glance")
        self._bridge = bridge
        self._marks = marks

    def compose(self) -> ComposeResult:
        yield self.filter
        yield self.rows
        yield self._glance

    def on_mount(self) -> None:
        self.filter.display = False
        self._glance.display = False
        self._tell()

    # What happens

    def changed_behind(self) -> None:
        """Another process or a chore changed records: nothing slides under the finger."""
        if self.rows.has_focus:
            self.records.has_strays = True
            self.records.refresh(self.rows.ids)
        else:
            self.rows.ask_again()

    def turn_ended(self, moved: Sequence[int]) -> None:
        """A turn has changed these records."""
        if self.rows.has_focus:  # nothing slides under the finger
            self.records.refresh(moved)
        else:
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
        """Escape: clear what is filtered or marked, before the pane is left."""
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
        self._glance.display = self.rows.has_focus
        if self.records.has_strays and not self.has_focus_within:  # rows must not move while the user reads them
            self.records.has_strays = False
            self.rows.ask_again()
        self.filter.display = self.screen.focused is self.filter or bool(self.filter.value)

    # From the widgets

    @on(RowsWanted)
    def _rows_wanted(self, message: RowsWanted) -> None:
        self.records.load(message)

    @on(RangeWanted)
    def _range_wanted(self, message: RangeWanted) -> None:
        self.records.read_range(message)

    @on(RowChosen)
    def _row_chosen(self, message: RowChosen) -> None:
        self._glance.say(self.records.glance(message.view))
        if message.before is None or self.rows.selection.is_live:  # a step alone changes no figure
            self._tell()
        if message.before is not None:
            self.rows.show_cursor(message.before)

    @on(RecordAction)
    def _record_action(self, message: RecordAction) -> None:
        if self._bridge.is_ready:
            self.records.act(message)

    def _to_filter(self) -> None:
        self.filter.display = True
        self.screen.set_focus(self.filter)  # at once: what is typed next belongs to it

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        if event.value != self.rows.text:
            self.rows.filter(event.value)

    @on(Input.Submitted)
    def _filter_done(self) -> None:
        self.rows.focus()

    def _tell(self) -> None:
        self.post_message(self.Told())

    def figures(self, *, is_short: bool = False) -> str:
        """How many rows there are, how many of them are marked, and what the list is filtered and sorted by."""
        rows, listing = self.rows, self.rows.listing
        status, is_usual = _(listing.statuses[rows.status]), rows.status == next(iter(listing.statuses))
        words = [
            self.records.count_words(self._marks.ellipsis),
            rows.marked_words(),
            "" if is_usual else status,
            _type_word(rows),
        ]
        sort = _(listing.sorts[rows.sort])
        words += [sort if is_short else _("sort: {word}").format(word=sort), status if is_usual else ""]
        return f" {self._marks.dot} ".join(word for word in words if word)


def _type_word(rows: RecordList[Any, Any]) -> str:
    words = rows.listing.types[rows.type]
    return _(words) if words else ""
