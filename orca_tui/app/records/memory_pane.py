"""The memories: what is special about them, their list, and their pane."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.content import Content

from orca_core.model.events import Extraction, WeightMoved
from orca_core.model.memories import MEMORIES as MEMORY_TYPE
from orca_core.model.memories import InboxItem, Memory, MemoryDeletion
from orca_core.model.operations import Change
from orca_core.model.record_types import MEMORY
from orca_core.model.views import ListQuery, MemoryView, SiftedList
from orca_tui.app.bridge import ChangedBehind, TurnEnded
from orca_tui.app.keymap import bindings, record_keys
from orca_tui.app.pane import About, Happening, Pane
from orca_tui.app.records.kind import (
    Asked,
    Changed,
    ChangeRecords,
    Detail,
    Line,
    Listing,
    RecordKind,
    RowPage,
    ToDecide,
)
from orca_tui.app.records.record_list import RecordList
from orca_tui.app.records.shelf import Shelf
from orca_tui.app.widgets.text import Field, literal, tags_of
from orca_tui.language import N_, counted
from orca_tui.words.history_words import ids_of
from orca_tui.words.memory_words import status_word, weight_figure
from orca_tui.words.turn_words import weight_step

if TYPE_CHECKING:
    from orca_core.services.memories import Memories

MEMORIES = record_keys("memories")
TYPES = ("", "fact", "preference", "project", "instruction", "event")


class MemoryKind(RecordKind[MemoryView, Memory]):
    """The kind of record that says something of the user."""

    type = MEMORY_TYPE
    listing = Listing(
        id="memory",
        title=N_("Memories"),
        sorts={"weight": N_("weight"), "used": N_("last used"), "new": N_("newest"), "type": N_("type")},
        statuses={
            "live": N_("live"),
            "all": N_("all"),
            "archived": N_("archived"),
            "candidate": N_("candidate"),
            "core": N_("core"),
            "rejected": N_("rejected"),
        },
        types={word: word for word in TYPES},
    )

    @property
    def service(self) -> Memories:
        return self._bridge.orca.memories

    async def page(self, asked: Asked) -> RowPage[MemoryView]:
        page = await self.service.page(_query(asked))
        return RowPage(page.records, page.total)

    def sift(self, asked: Asked) -> AsyncGenerator[SiftedList] | None:
        return self.service.sift(_query(asked)) if asked.words or asked.tags else None

    async def waiting(self) -> int:
        return (await self._bridge.orca.inbox.waiting()).count

    async def views_of(self, records: Sequence[Memory]) -> list[MemoryView]:
        return await self.service.views([memory.id for memory in records])

    async def changes_of(self, record_id: int) -> list[Change]:
        return await self._bridge.orca.memories.changes_of(record_id)

    def row(self, view: MemoryView) -> Line:
        memory = view.memory
        return Line(memory.content, weight_figure(memory.weight), view.fullness, behind=status_word(view.status))

    def nothing(self, to_review: int) -> str:
        if to_review:
            return counted(
                "Nothing remembered yet, but {count} waits for you: f5",
                "Nothing remembered yet, but {count} wait for you: f5",
                to_review,
            )
        return _("Nothing remembered yet. Facts come after 5 rounds, or press n.")

    def line(self, record: Memory) -> str:
        return record.content

    def left(self, deletion: MemoryDeletion) -> str:
        """How many messages still hold what deleted memories came from."""
        if not deletion.messages:
            return ""
        return counted(
            "{count} message still holds what they came from",
            "{count} messages still hold what they came from",
            len(deletion.messages),
        )

    def glance(self, view: MemoryView) -> Content:
        from orca_tui.app.records.details import memory_glance

        return memory_glance(view, self._marks)

    async def detail(self, record: Memory, history: Sequence[Change]) -> Detail:
        from orca_tui.app.records.details import memory_body

        orca = self._bridge.orca
        carried = (await orca.feedback.pools.carried([record.id])).get(record.id)
        return memory_body(await orca.memories.case(record.id), carried, history, self._marks), ()

    async def candidate(self, waits: InboxItem) -> ToDecide:
        from orca_tui.app.records.candidates import memory_candidate

        return await memory_candidate(self._bridge.orca, waits, self.entries, self._marks)

    def entries(self, record: Memory | None) -> list[Field]:
        return [
            Field("content", _("text"), record.content if record else "", is_area=True),
            Field("type", _("type"), record.type.value if record else ""),
            Field("tags", _("tags"), ", ".join(record.tags) if record else ""),
        ]

    def counted(self, changed: Mapping[str, str]) -> Mapping[str, str]:
        """A type that was emptied stays as it was."""
        return {name: text for name, text in changed.items() if name != "type" or text.strip()}

    async def edit(self, record: Memory, changed: Mapping[str, str]) -> Changed[Memory]:
        return await self.service.edit(record.id, **fields_of(changed))

    def actions(self, change: ChangeRecords, added: Callable[[object], None]) -> dict[str, Callable[[Any], object]]:
        return {
            **super().actions(change, added),
            "new": lambda _memories: self._ask_for_new(added),
            "merge": lambda memories: self._merge(change, memories),
        }

    def _merge(self, change: ChangeRecords, memories: Sequence[Memory]) -> None:
        if len(memories) < 2:
            self._stage.note(_("mark two memories or more: space marks, v marks a range"))
            return
        service = self._bridge.orca.memories

        def merge(kept: Memory | None) -> None:
            if kept is not None:
                others = [each for each in memories if each is not kept]
                words = _("merged {ids} into #{kept}").format(ids=ids_of(others), kept=kept.id)
                ids = [each.id for each in others]
                change(lambda: service.merge(kept.id, ids, content=kept.content), words, names=False)

        def choose(outcomes: Sequence[Memory]) -> None:
            from orca_tui.app.records.memory_dialogs import MergeMemories

            self._stage.push(MergeMemories(memories, outcomes, self._marks), merge)

        self._ask(lambda: service.merge_outcomes([memory.id for memory in memories]), choose)

    def _ask_for_new(self, added: Callable[[object], None]) -> None:
        from orca_tui.app.widgets.dialogs import EditFields

        def save(changed: Mapping[str, str] | None) -> None:
            if changed is not None:
                fields = fields_of(changed)
                text = fields.pop("content", "")
                self._stage.ask(lambda: self.service.add(text, **fields), added)

        self._stage.push(EditFields(_("new memory"), self.entries(None)), save)


def _query(asked: Asked) -> ListQuery:
    return ListQuery(
        asked.status,
        types=(asked.type,) if asked.type else (),
        tags=asked.tags,
        sort=asked.sort,
        text=asked.text,
        ids=asked.ids,
        limit=asked.limit,
        offset=asked.offset,
        after=asked.after,
    )


def fields_of(changed: Mapping[str, str]) -> dict[str, Any]:
    """The form of a memory as the fields that a service takes; a type that was emptied stays as it was."""
    fields: dict[str, Any] = {}
    if "content" in changed:
        fields["content"] = changed["content"]
    if word := changed.get("type", "").strip():
        fields["type_word"] = word
    if "tags" in changed:
        fields["tags"] = tuple(tags_of(changed["tags"]))
    return fields


class MemoryList(RecordList[MemoryView, Memory]):
    """The memories, page by page."""

    BINDINGS = bindings(MEMORIES)


class MemoriesPane(Pane):
    """All that is remembered, and what can be done to it by hand."""

    about = About("memories", N_("Memories"), N_("memories"), "f3", MEMORIES, stop="#memory-list", share=3)

    def compose_body(self) -> ComposeResult:
        self._moves: dict[int, WeightMoved] = {}
        self.kind = MemoryKind(self.stage, self.bridge, self.marks)
        self.rows = MemoryList(self.kind, self.marks)
        self.shelf = Shelf(self.stage, self.bridge, self.rows, self.kind, self.marks)
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
        own = [move for move in moves.values() if move.before != move.after and not move.is_taken_back]
        self.rows.show_changes({move.ref.id: weight_step(move, self.marks) for move in own})
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
