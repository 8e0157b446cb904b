"""The memories pane: pages for the list, and what is done to memories by hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence, Set
from gettext import gettext as _

from textual.content import Content

from orca_core.domain.journal import Changed
from orca_core.domain.memories import Deletion, Memory, State
from orca_core.domain.queries import ListQuery
from orca_core.domain.views import MemoryView, ViewPage
from orca_tui.app.bridge import Bridge
from orca_tui.app.memory.edit_memory import EditMemory, MemoryForm
from orca_tui.app.memory.looking import Looking
from orca_tui.app.memory.lookup import left_of
from orca_tui.app.memory.memory_details import memory_glance
from orca_tui.app.memory.memory_list import PAGE_ROWS, MemoryList
from orca_tui.app.memory.merging import MergeMemories
from orca_tui.app.memory.messages import MemoryAction, RangeWanted, RowsWanted
from orca_tui.app.memory.undoing import Undoing
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import Confirm
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.words.changes import ids_of


class Memories:
    """What the memory list asks for and what is to be done to its rows."""

    def __init__(
        self,
        stage: Stage,
        bridge: Bridge,
        rows: MemoryList,
        marks: Marks,
    ) -> None:
        self._stage = stage
        self._bridge = bridge
        self._list = rows
        self._marks = marks
        self.undoing = Undoing(stage, bridge)
        self.looking = Looking(stage, bridge, marks)
        self.has_strays = False
        """Note that the list may hold rows that its filter excludes."""

    def load(self, wanted: RowsWanted) -> None:
        """A page of rows, as the list wants them filtered and sorted."""
        if not self._bridge.is_ready:
            return
        query, revision = self._query(wanted.offset, PAGE_ROWS), self._list.revision
        engine, is_filtered = self._bridge.engine, self._list.is_filtered

        async def look() -> tuple[ViewPage, int]:
            page = await engine.memories.page(query)
            return page, 0 if page.total or is_filtered else (await engine.inbox.waiting()).count

        def show(found: tuple[ViewPage, int]) -> None:
            if revision != self._list.revision:  # the list wants other rows by now
                return
            page, self._list.to_review = found
            self._list.show(page, wanted.offset, restart=wanted.restart)
            if wanted.restart:
                self._look_at_marks()
                self._stage.changed()

        group = "look memories" if wanted.restart else "page"
        self._stage.ask(look, show, group=group)

    def read_range(self, wanted: RangeWanted) -> None:
        """Read a stretch of rows, also those that were never on the screen."""
        query, revision = self._query(wanted.first, wanted.last - wanted.first + 1), self._list.revision
        self._stage.ask(
            lambda: self._bridge.engine.memories.page(query),
            lambda page: self._list.take_range(page.views, wanted.first, revision),
            group="page",
        )

    def _look_at_marks(self) -> None:
        """Which of the marked memories there still are, and which of them are in the list as it is now filtered."""
        ids, query = self._list.selection.ids, self._query(0, None)
        if not ids:
            return

        async def look() -> tuple[list[Memory], Set[int]]:
            listed = (await self._bridge.engine.memories.page(query)).memories
            return await left_of(self._bridge.engine, ids), {memory.id for memory in listed}

        self._stage.ask(look, lambda found: self._list.show_marked(*found), group="look marks")

    def _query(self, offset: int, limit: int | None) -> ListQuery:
        words, tags = self._list.words_and_tags
        return ListQuery(
            self._list.status,
            types=(self._list.type,) if self._list.type else (),
            tags=tuple(tags),
            sort=self._list.sort,
            text=" ".join(words),
            limit=limit,
            offset=offset,
        )

    def refresh(self, ids: Sequence[int]) -> None:
        """Update rows that changed elsewhere, in place. A deleted one keeps its row until the list is read anew."""

        async def look() -> list[MemoryView]:
            engine = self._bridge.engine
            return await engine.memories.views([memory.id for memory in await left_of(engine, ids)])

        if ids and self._bridge.is_ready:
            self._stage.ask(look, self._list.replace, group="page")

    def glance(self, view: MemoryView | None) -> Content:
        """The memory under the cursor, in two lines."""
        return Content("") if view is None else memory_glance(view, self._marks)

    def act(self, action: MemoryAction) -> None:
        """Carry out what was asked of the marked memories, or of the one under the cursor."""
        handlers: dict[str, Callable[[Sequence[Memory]], object]] = {
            "new": lambda _memories: self._stage.push(EditMemory(_("new memory")), self._add),
            "open": lambda memories: self.looking.open(memories[0]),
            "history": lambda memories: self.looking.history(memories[0]),
            "why": lambda memories: self.looking.why(memories[0]),
            "edit": lambda memories: self._edit(memories[0]),
            "pin": self._pin,
            "archive": self._archive,
            "delete": self._ask_to_delete,
            "merge": self._merge,
            "copy": lambda memories: self._stage.copy("\n".join(each.content for each in memories)),
            "undo": lambda _memories: self.undoing.undo(),
            "redo": lambda _memories: self.undoing.redo(),
        }
        handlers[action.action](action.memories)

    def _change(self, work: Callable[[], Awaitable[Changed]], words: str, *, names: bool = True) -> None:
        """Change memories and say so; with their names where the words have none yet."""

        def show(changed: Changed) -> None:
            self.undoing.deletion_is_last = False
            self.refresh([memory.id for memory in changed.memories])
            self.has_strays = True
            self._list.clear_marks()
            ids = ids_of(changed.memories) if names else ""
            self._stage.note(f"{words} {ids}".rstrip() if changed.operation is not None else _("nothing changed"))
            self._stage.changed()

        self._stage.ask(work, show)

    def _pin(self, memories: Sequence[Memory]) -> None:
        hand = self._bridge.engine.memories
        ids = [memory.id for memory in memories]
        if all(memory.pinned for memory in memories):
            self._change(lambda: hand.unpin(ids), _("unpinned"))
        else:
            self._change(lambda: hand.pin(ids), _("pinned"))

    def _archive(self, memories: Sequence[Memory]) -> None:
        hand = self._bridge.engine.memories
        ids = [memory.id for memory in memories]
        if all(memory.state is State.ARCHIVED for memory in memories):
            self._change(lambda: hand.restore(ids), _("restored"))
        else:
            self._change(lambda: hand.archive(ids), _("archived"))

    def _merge(self, memories: Sequence[Memory]) -> None:
        if len(memories) < 2:
            self._stage.note(_("mark two memories or more: space marks, v marks a range"))
            return

        def merge(kept: Memory | None) -> None:
            if kept is not None:
                others = [each for each in memories if each is not kept]
                work = self._bridge.engine.inbox.merge
                words = _("merged {ids} into #{kept}").format(ids=ids_of(others), kept=kept.id)
                self._change(
                    lambda: work(kept.id, [each.id for each in others], content=kept.content), words, names=False
                )

        def choose(outcomes: Sequence[Memory]) -> None:
            self._stage.push(MergeMemories(memories, outcomes, self._marks), merge)

        outcomes_of = self._bridge.engine.inbox.merge_outcomes
        self._stage.ask(lambda: outcomes_of([memory.id for memory in memories]), choose, group="look memory")

    def _add(self, form: MemoryForm | None) -> None:
        if form is None:
            return
        add = self._bridge.engine.memories.add
        self._stage.ask(
            lambda: add(form.content, type_word=form.type or None, tags=form.tags),
            self._added,
        )

    def _added(self, _addition: object) -> None:
        self.undoing.deletion_is_last = False
        self._list.ask_again()

    def _edit(self, memory: Memory) -> None:
        def save(form: MemoryForm | None) -> None:
            if form is not None:
                edit = self._bridge.engine.memories.edit
                self._change(
                    lambda: edit(
                        memory.id, content=form.content, type_word=form.type or None, tags=form.tags, cues=form.cues
                    ),
                    _("edited"),
                )

        self._stage.push(EditMemory(f"#{memory.id}", memory), save)

    def _ask_to_delete(self, memories: Sequence[Memory]) -> None:
        ids = [memory.id for memory in memories]
        question = _("Delete {count} for good?  {ids}").format(count=len(ids), ids=ids_of(memories))
        detail = "\n".join(memory.content for memory in memories[:5]) + "\n\n"
        detail += _("Undo does not bring them back. The messages that they came from stay.")

        def answered(yes: bool | None) -> None:
            if yes:
                delete = self._bridge.engine.memories.delete
                self._stage.ask(lambda: delete(ids), self._deleted)

        self._stage.push(Confirm(question, detail, _("Delete")), answered)

    def _deleted(self, deletion: Deletion) -> None:
        self.undoing.deletion_is_last = True
        self._list.clear_marks()
        self._list.ask_again()
        words = _("deleted {count}").format(count=len(deletion.ids))
        if deletion.messages:
            words += " · " + counted(
                "{count} message still holds what they came from",
                "{count} messages still hold what they came from",
                len(deletion.messages),
            )
        self._stage.note(words)
        self._stage.changed()
