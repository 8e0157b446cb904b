"""The memories: their rows, their list, what can be done to them, and their pane."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.content import Content

from orca_core.model.events import Extraction, WeightMoved
from orca_core.model.feedback import Carried
from orca_core.model.memories import Deletion, Memory
from orca_core.model.operations import Change
from orca_core.model.records import MEMORY, Ref, memory_ref
from orca_core.model.views import Case, ListQuery, MemoryView, Sifted, ViewPage
from orca_tui.app.bridge import Bridge, ChangedBehind, TurnEnded
from orca_tui.app.keymap import bindings, record_keys
from orca_tui.app.pane import About, Happening, Pane
from orca_tui.app.records.kind import Actions, Asked, Changing, Listing, bar, bar_width, left_of, record_row
from orca_tui.app.records.record_list import RecordList
from orca_tui.app.records.shelf import Records, Shelf
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.text import RowStyles, fitted, literal
from orca_tui.language import N_, counted
from orca_tui.marks import Marks
from orca_tui.words.history_words import ids_of
from orca_tui.words.memory_words import status_word, weight_figure
from orca_tui.words.turn_words import weight_step

if TYPE_CHECKING:
    from orca_core.services.memories import Memories

MEMORIES = record_keys("memories")


def memory_row(
    view: MemoryView,
    width: int,
    marks: Marks,
    styles: RowStyles,
    *,
    is_marked: bool = False,
    change: str = "",
) -> list[Segment]:
    """A memory in a line of so many cells. `change` stands for the weight until the next turn ends."""
    memory, status = view.memory, view.status
    word = status_word(status) if width >= 58 else ""
    tail = f" {change or f'{weight_figure(memory.weight):>4}'}"
    tail += f" {bar(view.fullness, cells, marks)}" if (cells := bar_width(width)) else ""
    tail += f" {fitted(word, 9, marks)}" if word else ""
    return record_row(
        memory,
        status,
        str(memory.id),
        memory.content,
        tail,
        width,
        marks,
        styles,
        is_marked=is_marked,
        is_changed=bool(change),
    )


def empty_text(is_filtered: bool, to_review: int) -> str:
    """What an empty list says."""
    if is_filtered:
        return _("nothing matches")
    if to_review:
        return counted(
            "Nothing remembered yet, but {count} waits for you: f5",
            "Nothing remembered yet, but {count} wait for you: f5",
            to_review,
        )
    return _("Nothing remembered yet. Facts come after 5 rounds, or press n.")


TYPES = ("", "fact", "preference", "project", "instruction", "event")

MEMORY_LISTING = Listing(
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
    row=memory_row,
    empty=empty_text,
)


class MemoryList(RecordList[MemoryView, Memory]):
    """The memories, page by page."""

    BINDINGS = bindings(MEMORIES)

    def __init__(self, marks: Marks) -> None:
        super().__init__(MEMORY_LISTING, marks)


class Looking:
    """Shows a memory in a view of its own."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._marks = marks

    def open(self, memory: Memory) -> None:
        engine = self._bridge.engine

        async def look() -> tuple[Case, Carried | None, list[Change]]:
            carried = (await engine.feedback.pools.carried([memory.id])).get(memory.id)
            return await engine.inbox.case(memory.id), carried, await engine.history.changes_of(memory.id)

        def show(found: tuple[Case, Carried | None, list[Change]]) -> None:
            from orca_tui.app.records.details import memory_content
            from orca_tui.app.widgets.dialogs import TextView
            from orca_tui.app.work.work_kinds import Appearances

            body = memory_content(*found, self._marks)
            why = Appearances(self._stage, self._bridge, self._marks).to_read(memory_ref(memory.id))
            self._stage.push(TextView(f"#{memory.id}", body, [why]))

        self._stage.ask(look, show, group="look memory")

    def why(self, memory: Memory) -> None:
        """Where the memory was put before the model, and what the answers did with it."""
        from orca_tui.app.work.work_kinds import Appearances

        Appearances(self._stage, self._bridge, self._marks).show(memory_ref(memory.id))

    def history(self, memory: Memory) -> None:
        def show(history: list[Change]) -> None:
            from orca_tui.app.records.details import history_content
            from orca_tui.app.widgets.dialogs import TextView

            self._stage.push(TextView(f"#{memory.id}  {_('history')}", history_content(history, self._marks)))

        self._stage.ask(lambda: self._bridge.engine.history.changes_of(memory.id), show, group="look memory")


class MemoryKind:
    """The kind of record that says something of the user."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        self.looking = Looking(stage, bridge, marks)
        self._stage = stage
        self._bridge = bridge
        self._marks = marks

    @property
    def hand(self) -> Memories:
        return self._bridge.engine.memories

    async def page(self, asked: Asked) -> ViewPage:
        return await self._bridge.engine.memories.page(self._query(asked))

    def sift(self, asked: Asked) -> AsyncGenerator[Sifted] | None:
        if not asked.words and not asked.tags:
            return None
        return self._bridge.engine.memories.sift(self._query(asked))

    def _query(self, asked: Asked) -> ListQuery:
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

    async def waiting(self) -> int:
        return (await self._bridge.engine.inbox.waiting()).count

    async def views(self, ids: Sequence[int]) -> list[MemoryView]:
        engine = self._bridge.engine
        return await engine.memories.views([memory.id for memory in await left_of(engine.memories.get, ids)])

    def ref(self, record: Memory) -> Ref:
        return memory_ref(record.id)

    def line(self, record: Memory) -> str:
        return record.content

    def left(self, deletion: Deletion) -> str:
        """How many messages still hold what deleted memories came from."""
        if not deletion.messages:
            return ""
        return counted(
            "{count} message still holds what they came from",
            "{count} messages still hold what they came from",
            len(deletion.messages),
        )

    def open(self, record: Memory) -> None:
        self.looking.open(record)

    def glance(self, view: MemoryView) -> Content:
        from orca_tui.app.records.details import memory_glance

        return memory_glance(view, self._marks)

    def actions(self, records: Changing) -> Actions:
        return {
            "new": lambda _memories: self._ask_for_new(records),
            "open": lambda memories: self.looking.open(memories[0]),
            "history": lambda memories: self.looking.history(memories[0]),
            "why": lambda memories: self.looking.why(memories[0]),
            "edit": lambda memories: self._edit(records, memories[0]),
            "merge": lambda memories: self._merge(records, memories),
        }

    def _merge(self, records: Changing, memories: Sequence[Memory]) -> None:
        if len(memories) < 2:
            self._stage.note(_("mark two memories or more: space marks, v marks a range"))
            return

        def merge(kept: Memory | None) -> None:
            if kept is not None:
                others = [each for each in memories if each is not kept]
                work = self._bridge.engine.inbox.merge
                words = _("merged {ids} into #{kept}").format(ids=ids_of(others), kept=kept.id)
                records.change(
                    lambda: work(kept.id, [each.id for each in others], content=kept.content), words, names=False
                )

        def choose(outcomes: Sequence[Memory]) -> None:
            from orca_tui.app.records.memory_dialogs import MergeMemories

            self._stage.push(MergeMemories(memories, outcomes, self._marks), merge)

        outcomes_of = self._bridge.engine.inbox.merge_outcomes
        self._stage.ask(lambda: outcomes_of([memory.id for memory in memories]), choose, group="look memory")

    def _ask_for_new(self, records: Changing) -> None:
        from orca_tui.app.records.memory_dialogs import EditMemory, MemoryForm

        def save(form: MemoryForm | None) -> None:
            if form is not None:
                add = self._bridge.engine.memories.add
                self._stage.ask(lambda: add(form.content, type_word=form.type or None, tags=form.tags), records.added)

        self._stage.push(EditMemory(_("new memory")), save)

    def _edit(self, records: Changing, memory: Memory) -> None:
        from orca_tui.app.records.memory_dialogs import EditMemory, MemoryForm

        def save(form: MemoryForm | None) -> None:
            if form is not None:
                edit = self._bridge.engine.memories.edit
                records.change(
                    lambda: edit(memory.id, content=form.content, type_word=form.type or None, tags=form.tags),
                    _("edited"),
                )

        self._stage.push(EditMemory(f"#{memory.id}", memory), save)


class MemoriesPane(Pane):
    """All that is remembered, and what can be done to it by hand."""

    about = About("memories", N_("Memories"), N_("memories"), "f3", MEMORIES, stop="#memory-list", share=3)

    def compose_body(self) -> ComposeResult:
        self._moves: dict[int, WeightMoved] = {}
        self.rows = MemoryList(self.marks)
        self.memories = MemoryKind(self.stage, self.bridge, self.marks)
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
