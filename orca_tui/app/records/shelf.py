"""A list of records with its filter above it and the record under the cursor below it: its pages, and what is done by
hand."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence, Set
from contextlib import aclosing
from functools import partial
from gettext import gettext as _
from typing import Any, Generic

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from orca_core.model.errors import OrcaError
from orca_core.model.memories import State
from orca_core.model.operations import UndoOutcome
from orca_core.model.views import SiftedList
from orca_tui.app.bridge import Bridge
from orca_tui.app.records.kind import (
    Asked,
    Changed,
    K,
    RangeWanted,
    RecordAction,
    RecordKind,
    RowChosen,
    RowPage,
    RowsWanted,
    V,
)
from orca_tui.app.records.record_list import PAGE_ROWS, RecordList
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.text import SteadyText
from orca_tui.marks import Marks
from orca_tui.words.history_words import ids_words, undone_words


class Undoing:
    """Undo and redo, said in a sentence."""

    def __init__(self, stage: Stage, bridge: Bridge) -> None:
        self.deletion_is_last = False
        """What came before a deletion is not taken back in its place."""
        self._stage = stage
        self._bridge = bridge

    def undo(self, operation: int | None = None) -> None:
        """Take back an operation, else the latest."""
        if operation is None and self.deletion_is_last:
            self.deletion_is_last = False
            self._stage.note(_("a deletion can't be taken back; again takes back what came before it"))
            return
        self._stage.ask(lambda: self._bridge.orca.history.undo(operation), self._undone)

    def redo(self) -> None:
        self._stage.ask(self._bridge.orca.history.redo, self._undone)

    def _undone(self, undone: UndoOutcome) -> None:
        self._stage.note(undone_words(undone))
        self._stage.changed(anew=True)


NOTHING_YET = SiftedList((), 0, is_whole=False)


class Sifting(Generic[V, K]):
    """One filter of a list, from its first row to its last."""

    def __init__(self, kind: RecordKind[V, K], rows: RecordList[V, K], asked: Asked) -> None:
        self._kind = kind
        self._list = rows
        self._asked = asked
        self._revision = rows.revision
        self._sifted = NOTHING_YET
        self.is_shown = False
        """Whether its first rows are in the list: until then those of the filter before are."""

    @property
    def found(self) -> int:
        """How many there are, as far as is known."""
        return self._sifted.total

    async def look_on(self, stream: AsyncGenerator[SiftedList], shown: Callable[[], object]) -> None:
        """Show what the stream finds, until it ends or the list wants other rows; `shown` is told of the first rows and
        of the last."""
        try:
            await self._look_on(stream, shown)
        except OrcaError:
            if self._revision == self._list.revision:
                self._list.is_looking = False
                shown()
                self._list.refresh()
            raise

    async def _look_on(self, stream: AsyncGenerator[SiftedList], shown: Callable[[], object]) -> None:
        first_rows: RowPage[V] | None = None
        async with aclosing(stream):
            async for sifted in stream:
                before, self._sifted = self._sifted, sifted
                has_other_rows = first_rows is None or before.ids[:PAGE_ROWS] != sifted.ids[:PAGE_ROWS]
                if first_rows is None or has_other_rows:
                    first_rows = await self.page(replace(self._asked, offset=0, limit=PAGE_ROWS))
                if self._revision != self._list.revision:  # the list wants other rows by now
                    return
                self.is_shown = True
                self._list.is_looking, self._list.to_review = not sifted.is_whole, 0
                page = RowPage(first_rows.views, len(sifted.ids))
                self._list.show(page, 0, restart=has_other_rows)
                if sifted.is_whole or before is NOTHING_YET:
                    shown()

    async def page(self, asked: Asked) -> RowPage[V]:
        """Rows of those that were found; of all of them, if more were found meanwhile."""
        sifted = None
        while sifted is not self._sifted:
            sifted = self._sifted
            end = None if asked.limit is None else asked.offset + asked.limit
            some = sifted.ids[asked.offset : end]
            page = await self._kind.page(replace(asked, words=(), tags=(), offset=0, limit=None, after=None, ids=some))
        return RowPage(tuple(page.views), len(self._sifted.ids))


class Shelf(Vertical):
    """All records of one kind: what its list asks for, and what can be done to its rows by hand. The kind says what is
    special about them."""

    class Told(Message):
        """How many there are, which of them, or how many are marked changed; and what escape does about it."""

    def __init__(
        self, stage: Stage, bridge: Bridge, rows: RecordList[Any, Any], kind: RecordKind[Any, Any], marks: Marks
    ) -> None:
        super().__init__(id=f"{kind.listing.id}-shelf")
        self.rows = rows
        self.filter = Input(placeholder=_("filter"), id=f"{kind.listing.id}-filter", classes="filter", compact=True)
        self.undoing = Undoing(stage, bridge)
        rows.to_filter = self._to_filter
        self._glance = SteadyText(id=f"{kind.listing.id}-glance", classes="glance")
        self._has_strays = False
        """Whether the list may hold rows that its filter excludes."""
        self._stage = stage
        self._bridge = bridge
        self._kind = kind
        self._marks = marks
        self._sifting: Sifting[Any, Any] | None = None
        self._actions: dict[str, Callable[[Sequence[Any]], object]] = {
            "pin": self._pin,
            "archive": self._archive,
            "delete": self._ask_to_delete,
            "copy": lambda records: stage.copy("\n".join(map(kind.line, records))),
            "undo": lambda _records: self.undoing.undo(),
            "redo": lambda _records: self.undoing.redo(),
            **kind.actions(self.change, self.added),
        }

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
            self._has_strays = True
            self._refresh_rows(self.rows.ids)
        else:
            self.rows.ask_again()

    def turn_ended(self, moved: Sequence[int]) -> None:
        """A turn has changed these records."""
        if self.rows.has_focus:  # nothing slides under the finger
            self._refresh_rows(moved)
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
        if self._has_strays and not self.has_focus_within:  # rows must not move while the user reads them
            self._has_strays = False
            self.rows.ask_again()
        self.filter.display = self.screen.focused is self.filter or bool(self.filter.value)

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

    # What is shown of the list

    @on(RowChosen)
    def _row_chosen(self, message: RowChosen) -> None:
        self._glance.say(Content("") if message.view is None else self._kind.glance(message.view))
        if message.before is None or self.rows.selection.is_live:  # a step alone changes no figure
            self._tell()
        if message.before is not None:
            self.rows.show_cursor(message.before)

    def _tell(self) -> None:
        self.post_message(self.Told())

    def figures(self, *, is_short: bool = False) -> str:
        """How many rows there are, how many of them are marked, and what the list is filtered and sorted by."""
        rows, listing = self.rows, self.rows.listing
        status, is_usual = _(listing.statuses[rows.status]), rows.status == next(iter(listing.statuses))
        type_word = listing.types[rows.type]
        words = [
            self._count_words(),
            rows.marked_words(),
            "" if is_usual else status,
            _(type_word) if type_word else "",
        ]
        sort = _(listing.sorts[rows.sort])
        words += [sort if is_short else _("sort: {word}").format(word=sort), status if is_usual else ""]
        return f" {self._marks.dot} ".join(word for word in words if word)

    def _count_words(self) -> str:
        """How many rows there are, empty before that is known; where further ones are looked for, that it goes on
        stands behind those found so far."""
        if not self.rows.is_read:
            return ""
        if self._sifting is None or not self.rows.is_looking:
            return str(self.rows.count)
        return f"{self._sifting.found}{self._marks.ellipsis}"

    # Its pages

    @on(RowsWanted)
    def _load(self, wanted: RowsWanted) -> None:
        """A page of rows, as the list wants them filtered and sorted."""
        if not self._bridge.is_ready:
            return
        after = None if wanted.restart else self.rows.stood_before(wanted.offset)
        asked, revision = replace(self._asked(wanted.offset, PAGE_ROWS), after=after), self.rows.revision
        is_filtered = self.rows.is_filtered
        if wanted.restart and self._is_sifted(asked):
            return
        if self._is_about_to_change:
            self.rows.not_read(wanted.offset)
            return
        source = self._source

        async def look() -> tuple[RowPage[Any], int]:
            page = await source.page(asked)
            return page, 0 if page.total or is_filtered else await self._kind.waiting()

        def show(found: tuple[RowPage[Any], int]) -> None:
            if revision != self.rows.revision:  # the list wants other rows by now
                return
            page, self.rows.to_review = found
            self.rows.show(page, wanted.offset, restart=wanted.restart)
            if wanted.restart:
                self._shown()

        group = f"look {self.rows.id}" if wanted.restart else "page"
        self._stage.ask(look, show, group=group)

    @property
    def _source(self) -> RecordKind[Any, Any] | Sifting[Any, Any]:
        return self._kind if self._sifting is None else self._sifting

    def _is_sifted(self, asked: Asked) -> bool:
        """Whether its rows are shown as they are found."""
        stream = self._kind.sift(asked)
        self._sifting = None if stream is None else Sifting(self._kind, self.rows, asked)
        self.rows.is_looking = False
        if stream is None or self._sifting is None:
            return False
        look_on = partial(self._sifting.look_on, stream, self._shown)
        self._stage.ask(look_on, lambda _none: None, group=f"look {self.rows.id}")
        return True

    @property
    def _is_about_to_change(self) -> bool:
        """Whether the list still shows what another filter found: its numbers lead nowhere."""
        return self._sifting is not None and not self._sifting.is_shown

    def _shown(self) -> None:
        self._look_at_marks()
        self._stage.changed()

    @on(RangeWanted)
    def _read_range(self, wanted: RangeWanted) -> None:
        """Read a stretch of rows, also those that were never on the screen."""
        if self._is_about_to_change:
            self.rows.not_read(wanted.first)
            return
        asked, revision = self._asked(wanted.first, wanted.last - wanted.first + 1), self.rows.revision
        source = self._source
        self._stage.ask(
            lambda: source.page(asked),
            lambda page: self.rows.take_range(page.views, wanted.first, revision),
            group="page",
        )

    def _look_at_marks(self) -> None:
        """Which of the marked records there still are, and which of them are in the list as it is now filtered."""
        ids = self.rows.selection.ids
        asked = replace(self._asked(0, None), ids=ids)
        if not ids:
            return

        async def look() -> tuple[list[Any], Set[int]]:
            listed = (await self._kind.page(asked)).views
            there = [view.record for view in await self._kind.views(ids)]
            return there, {view.record.id for view in listed}

        self._stage.ask(look, lambda found: self.rows.show_marked(*found), group=f"look marks {self.rows.id}")

    def _asked(self, offset: int, limit: int | None) -> Asked:
        rows = self.rows
        words, tags = words_and_tags(rows.text)
        return Asked(rows.status, rows.type, rows.sort, tuple(words), tuple(tags), offset, limit)

    def _refresh_rows(self, ids: Sequence[int]) -> None:
        """Update rows that changed elsewhere, in place. A deleted one keeps its row until the list is read anew."""
        if ids and self._bridge.is_ready:
            self._stage.ask(lambda: self._kind.views(ids), self.rows.replace, group="page")

    # What is done by hand

    @on(RecordAction)
    def _act(self, action: RecordAction) -> None:
        """Carry out what was asked of the marked records, or of the one under the cursor."""
        if self._bridge.is_ready:
            self._actions[action.action](action.records)

    def change(self, work: Callable[[], Awaitable[Changed[Any]]], words: str, *, names: bool = True) -> None:
        """Change records and say so; with their names where the words have none yet."""

        def show(changed: Changed[Any]) -> None:
            self.undoing.deletion_is_last = False
            self._refresh_rows([record.id for record in changed.records])
            self._has_strays = True
            self.rows.clear_marks()
            ids = self._names(changed.records) if names else ""
            self._stage.note(f"{words} {ids}".rstrip() if changed.operation is not None else _("nothing changed"))
            self._stage.changed()

        self._stage.ask(work, show)

    def added(self, _outcome: object) -> None:
        """There is a record more."""
        self.undoing.deletion_is_last = False
        self.rows.ask_again()

    def _names(self, records: Sequence[Any]) -> str:
        """The records by their names, the first few of many."""
        return ids_words([self._kind.ref(record) for record in records])

    def _pin(self, records: Sequence[Any]) -> None:
        service, ids = self._kind.service, [record.id for record in records]
        if all(record.pinned for record in records):
            self.change(lambda: service.unpin(ids), _("unpinned"))
        else:
            self.change(lambda: service.pin(ids), _("pinned"))

    def _archive(self, records: Sequence[Any]) -> None:
        service, ids = self._kind.service, [record.id for record in records]
        if all(record.state is State.ARCHIVED for record in records):
            self.change(lambda: service.restore(ids), _("restored"))
        else:
            self.change(lambda: service.archive(ids), _("archived"))

    def _ask_to_delete(self, records: Sequence[Any]) -> None:
        from orca_tui.app.widgets.dialogs import Confirm

        ids = [record.id for record in records]
        question = _("Delete {count} for good?  {ids}").format(count=len(ids), ids=self._names(records))
        detail = "\n".join(map(self._kind.line, records[:5])) + "\n\n"
        detail += _("Undo does not bring them back. The messages that they came from stay.")

        def answered(yes: bool | None) -> None:
            if yes:
                self._stage.ask(lambda: self._kind.service.delete(ids), self._deleted)

        self._stage.push(Confirm(question, detail, _("Delete")), answered)

    def _deleted(self, deletion: Any) -> None:
        self.undoing.deletion_is_last = True
        self.rows.clear_marks()
        self.rows.ask_again()
        words = (_("deleted {count}").format(count=len(deletion.ids)), self._kind.left(deletion))
        self._stage.note(" · ".join(part for part in words if part))
        self._stage.changed()


def words_and_tags(text: str) -> tuple[list[str], list[str]]:
    """What a filter looks for: what begins with # is a tag."""
    words = text.split()
    tags = [word[1:] for word in words if word.startswith("#") and len(word) > 1]
    return [word for word in words if not word.startswith("#")], tags
