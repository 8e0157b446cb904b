"""Memories as a list shows and changes them: where their rows come from, and what can be done to them beside what can
be done to records of every kind."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING

from textual.content import Content

from orca_core.model.memories import Deletion, Memory
from orca_core.model.records import Ref, memory_ref
from orca_core.model.views import ListQuery, MemoryView, Sifted, ViewPage
from orca_tui.app.bridge import Bridge
from orca_tui.app.memory.looking import Looking
from orca_tui.app.records.kind import Actions, Asked, Changing
from orca_tui.app.records.lookup import left_of
from orca_tui.app.stage import Stage
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.words.history_words import ids_of

if TYPE_CHECKING:
    from orca_core.services.memories import Memories as MemoryActions


class Memories:
    """The kind of record that says something of the user."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        self.looking = Looking(stage, bridge, marks)
        self._stage = stage
        self._bridge = bridge
        self._marks = marks

    @property
    def hand(self) -> MemoryActions:
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
        from orca_tui.app.memory.memory_details import memory_glance

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
            from orca_tui.app.memory.merging import MergeMemories

            self._stage.push(MergeMemories(memories, outcomes, self._marks), merge)

        outcomes_of = self._bridge.engine.inbox.merge_outcomes
        self._stage.ask(lambda: outcomes_of([memory.id for memory in memories]), choose, group="look memory")

    def _ask_for_new(self, records: Changing) -> None:
        from orca_tui.app.memory.edit_memory import EditMemory, MemoryForm

        def save(form: MemoryForm | None) -> None:
            if form is not None:
                add = self._bridge.engine.memories.add
                self._stage.ask(lambda: add(form.content, type_word=form.type or None, tags=form.tags), records.added)

        self._stage.push(EditMemory(_("new memory")), save)

    def _edit(self, records: Changing, memory: Memory) -> None:
        from orca_tui.app.memory.edit_memory import EditMemory, MemoryForm

        def save(form: MemoryForm | None) -> None:
            if form is not None:
                edit = self._bridge.engine.memories.edit
                records.change(
                    lambda: edit(memory.id, content=form.content, type_word=form.type or None, tags=form.tags),
                    _("edited"),
                )

        self._stage.push(EditMemory(f"#{memory.id}", memory), save)
