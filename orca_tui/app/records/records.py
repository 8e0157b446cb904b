"""Behind a list of records: its pages, and what is done by hand to records of any kind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence, Set
from functools import partial
from gettext import gettext as _
from typing import Any, Generic

from msgspec.structs import replace
from textual.content import Content

from orca_core.model.memories import State
from orca_tui.app.bridge import Bridge
from orca_tui.app.records.kind import Asked, Changed, Deleted, K, Page, RecordKind, V
from orca_tui.app.records.messages import RangeWanted, RecordAction, RowsWanted
from orca_tui.app.records.record_list import PAGE_ROWS, RecordList
from orca_tui.app.records.sifting import Sifting
from orca_tui.app.records.undoing import Undoing
from orca_tui.app.stage import Stage
from orca_tui.words.history_words import ids_words


class Records(Generic[V, K]):
    """What a list asks for and what is to be done to its rows; its kind says what is special about them."""

    def __init__(self, stage: Stage, bridge: Bridge, rows: RecordList[V, K], kind: RecordKind[V, K]) -> None:
        self.undoing = Undoing(stage, bridge)
        self.has_strays = False
        """Note that the list may hold rows that its filter excludes."""
        self._stage = stage
        self._bridge = bridge
        self._list = rows
        self._kind = kind
        self._sifting: Sifting[V, K] | None = None
        self._actions: dict[str, Callable[[Sequence[Any]], object]] = {
            "pin": self._pin,
            "archive": self._archive,
            "delete": self._ask_to_delete,
            "copy": lambda records: stage.copy("\n".join(map(kind.line, records))),
            "undo": lambda _records: self.undoing.undo(),
            "redo": lambda _records: self.undoing.redo(),
            **kind.actions(self),
        }

    def load(self, wanted: RowsWanted) -> None:
        """A page of rows, as the list wants them filtered and sorted."""
        if not self._bridge.is_ready:
            return
        after = None if wanted.restart else self._list.stood_before(wanted.offset)
        asked, revision = replace(self._asked(wanted.offset, PAGE_ROWS), after=after), self._list.revision
        is_filtered = self._list.is_filtered
        if wanted.restart and self._is_sifted(asked):
            return
        if self._is_about_to_change:
            self._list.not_read(wanted.offset)
            return
        sifting = self._sifting

        async def look() -> tuple[Page[V], int]:
            page = await (self._kind if sifting is None else sifting).page(asked)
            return page, 0 if page.total or is_filtered else await self._kind.waiting()

        def show(found: tuple[Page[V], int]) -> None:
            if revision != self._list.revision:  # the list wants other rows by now
                return
            page, self._list.to_review = found
            self._list.show(page, wanted.offset, restart=wanted.restart)
            if wanted.restart:
                self._shown()

        group = f"look {self._list.id}" if wanted.restart else "page"
        self._stage.ask(look, show, group=group)

    def _is_sifted(self, asked: Asked) -> bool:
        """Whether its rows are shown as they are found."""
        stream = self._kind.sift(asked)
        self._sifting = None if stream is None else Sifting(self._kind, self._list, asked)
        self._list.is_looking = False
        if stream is None or self._sifting is None:
            return False
        look_on = partial(self._sifting.look_on, stream, self._shown)
        self._stage.ask(look_on, lambda _none: None, group=f"look {self._list.id}")
        return True

    @property
    def _is_about_to_change(self) -> bool:
        """Whether the list still shows what another filter found: its numbers lead nowhere."""
        return self._sifting is not None and not self._sifting.is_shown

    def count_words(self, ellipsis: str) -> str:
        """How many rows there are, empty before that is known; where further ones are looked for, that it goes on
        stands behind those found so far."""
        if not self._list.is_read:
            return ""
        if self._sifting is None or not self._list.is_looking:
            return str(self._list.count)
        return f"{self._sifting.found}{ellipsis}"

    def _shown(self) -> None:
        self._look_at_marks()
        self._stage.changed()

    def read_range(self, wanted: RangeWanted) -> None:
        """Read a stretch of rows, also those that were never on the screen."""
        if self._is_about_to_change:
            self._list.not_read(wanted.first)
            return
        asked, revision = self._asked(wanted.first, wanted.last - wanted.first + 1), self._list.revision
        source = self._kind if self._sifting is None else self._sifting
        self._stage.ask(
            lambda: source.page(asked),
            lambda page: self._list.take_range(page.views, wanted.first, revision),
            group="page",
        )

    def _look_at_marks(self) -> None:
        """Which of the marked records there still are, and which of them are in the list as it is now filtered."""
        ids = self._list.selection.ids
        asked = replace(self._asked(0, None), ids=ids)
        if not ids:
            return

        async def look() -> tuple[list[K], Set[int]]:
            listed = (await self._kind.page(asked)).views
            there = [view.record for view in await self._kind.views(ids)]
            return there, {view.record.id for view in listed}

        self._stage.ask(look, lambda found: self._list.show_marked(*found), group=f"look marks {self._list.id}")

    def _asked(self, offset: int, limit: int | None) -> Asked:
        rows = self._list
        words, tags = words_and_tags(rows.text)
        return Asked(rows.status, rows.type, rows.sort, tuple(words), tuple(tags), offset, limit)

    def refresh(self, ids: Sequence[int]) -> None:
        """Update rows that changed elsewhere, in place. A deleted one keeps its row until the list is read anew."""
        if ids and self._bridge.is_ready:
            self._stage.ask(lambda: self._kind.views(ids), self._list.replace, group="page")

    def glance(self, view: V | None) -> Content:
        """The record under the cursor, in two lines."""
        return Content("") if view is None else self._kind.glance(view)

    def act(self, action: RecordAction) -> None:
        """Carry out what was asked of the marked records, or of the one under the cursor."""
        self._actions[action.action](action.records)

    def change(self, work: Callable[[], Awaitable[Changed[K]]], words: str, *, names: bool = True) -> None:
        """Change records and say so; with their names where the words have none yet."""

        def show(changed: Changed[K]) -> None:
            self.undoing.deletion_is_last = False
            self.refresh([record.id for record in changed.records])
            self.has_strays = True
            self._list.clear_marks()
            ids = self.names(changed.records) if names else ""
            self._stage.note(f"{words} {ids}".rstrip() if changed.operation is not None else _("nothing changed"))
            self._stage.changed()

        self._stage.ask(work, show)

    def added(self, _outcome: object) -> None:
        """There is a record more."""
        self.undoing.deletion_is_last = False
        self._list.ask_again()

    def names(self, records: Sequence[K]) -> str:
        """The records by their names, the first few of many."""
        return ids_words([self._kind.ref(record) for record in records])

    def _pin(self, records: Sequence[K]) -> None:
        hand, ids = self._kind.hand, [record.id for record in records]
        if all(record.pinned for record in records):
            self.change(lambda: hand.unpin(ids), _("unpinned"))
        else:
            self.change(lambda: hand.pin(ids), _("pinned"))

    def _archive(self, records: Sequence[K]) -> None:
        hand, ids = self._kind.hand, [record.id for record in records]
        if all(record.state is State.ARCHIVED for record in records):
            self.change(lambda: hand.restore(ids), _("restored"))
        else:
            self.change(lambda: hand.archive(ids), _("archived"))

    def _ask_to_delete(self, records: Sequence[K]) -> None:
        ids = [record.id for record in records]
        question = _("Delete {count} for good?  {ids}").format(count=len(ids), ids=self.names(records))
        detail = "\n".join(map(self._kind.line, records[:5])) + "\n\n"
        detail += _("Undo does not bring them back. The messages that they came from stay.")

        def answered(yes: bool | None) -> None:
            if yes:
                self._stage.ask(lambda: self._kind.hand.delete(ids), self._deleted)

        from orca_tui.app.widgets.dialogs import Confirm

        self._stage.push(Confirm(question, detail, _("Delete")), answered)

    def _deleted(self, deletion: Deleted) -> None:
        self.undoing.deletion_is_last = True
        self._list.clear_marks()
        self._list.ask_again()
        words = (_("deleted {count}").format(count=len(deletion.ids)), self._kind.left(deletion))
        self._stage.note(" · ".join(part for part in words if part))
        self._stage.changed()


def words_and_tags(text: str) -> tuple[list[str], list[str]]:
    """What a filter looks for: what begins with # is a tag."""
    words = text.split()
    tags = [word[1:] for word in words if word.startswith("#") and len(word) > 1]
    return [word for word in words if not word.startswith("#")], tags
