"""Knowledge as a list shows and changes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import Any

from textual.content import Content

from orca_core.api import KnowledgeOfWork
from orca_core.domain.refs import KNOWLEDGE, Ref
from orca_core.domain.work.knowledge import KNOWLEDGES
from orca_core.domain.work.knowledge import Knowledge as Known
from orca_core.domain.work.records import WorkQuery
from orca_core.domain.work.views import KnowledgeView
from orca_tui.app.bridge import Bridge
from orca_tui.app.keymap import bindings
from orca_tui.app.records.kind import Actions, Asked, Changing, Listing, RowPage
from orca_tui.app.records.lookup import left_of
from orca_tui.app.stage import Stage
from orca_tui.app.work.details import knowledge_glance
from orca_tui.app.work.edit_work import EditFields, Entry, lines_of
from orca_tui.app.work.episodes import OF_ONE, STATUSES
from orca_tui.app.work.looking import LookingAtWork
from orca_tui.app.work.rows import knowledge_row, no_knowledge
from orca_tui.app.work.work_keys import LISTS
from orca_tui.app.work.work_list import WorkList
from orca_tui.language import N_
from orca_tui.marks import Marks

KNOWLEDGE_LISTING = Listing(
    id="knowledge",
    title=N_("Knowledge"),
    sorts={
        "new": N_("newest"),
        "confidence": N_("confidence"),
        "used": N_("last used"),
        "accesses": N_("most used"),
        "old": N_("oldest"),
        "topic": N_("topic"),
    },
    statuses=STATUSES,
    types={"": ""},
    row=knowledge_row,
    empty=no_knowledge,
    of_one=OF_ONE,
)


class KnowledgeList(WorkList[KnowledgeView, Known]):
    """Knowledge, page by page."""

    BINDINGS = bindings(LISTS)

    def __init__(self, marks: Marks) -> None:
        super().__init__(KNOWLEDGE_LISTING, marks)


class Knowledge:
    """The kind of record that says what several episodes taught."""

    def __init__(self, stage: Stage, bridge: Bridge, looking: LookingAtWork, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._looking = looking
        self._marks = marks

    @property
    def hand(self) -> KnowledgeOfWork:
        return self._bridge.engine.work.knowledge

    async def page(self, asked: Asked) -> RowPage[KnowledgeView]:
        query = WorkQuery(
            asked.status,
            text=" ".join((*asked.words, *asked.tags)),
            sort=asked.sort,
            limit=asked.limit,
            offset=asked.offset,
        )
        page = await self.hand.page(query)
        return RowPage(tuple(await self.hand.views(page.records)), page.total)

    async def waiting(self) -> int:
        return (await self.hand.counts())["candidate"]

    async def views(self, ids: Sequence[int]) -> list[KnowledgeView]:
        return await self.hand.views(await left_of(self.hand.get, ids))

    def ref(self, record: Known) -> Ref:
        return KNOWLEDGES.ref(record)

    def line(self, record: Known) -> str:
        return f"{record.topic}: {record.content}"

    def left(self, deletion: Any) -> str:  # noqa: ARG002  # its episodes stay
        return ""

    def open(self, record: Known) -> None:
        self._looking.knowledge(record.id)

    def glance(self, view: KnowledgeView) -> Content:
        return knowledge_glance(view, self._bridge.clock.now(), self._marks)

    def actions(self, records: Changing) -> Actions:
        return {
            "open": lambda known: self._looking.knowledge(known[0].id),
            "history": lambda known: self._looking.history(KNOWLEDGE, known[0].id),
            "why": lambda known: self._looking.why(KNOWLEDGE, known[0].id),
            "sources": lambda known: self._looking.sources(known[0]),
            "edit": lambda known: self._edit(records, known[0]),
        }

    def _edit(self, records: Changing, known: Known) -> None:
        def save(changed: Mapping[str, str] | None) -> None:
            if changed:
                records.change(lambda: self.hand.edit(known.id, **edited(changed)), _("edited"))

        self._stage.push(EditFields(str(KNOWLEDGES.ref(known)), entries_of(known)), save)


def entries_of(known: Known) -> list[Entry]:
    """The form of knowledge."""
    return [
        Entry("topic", _("topic"), known.topic),
        Entry("target", _("target"), known.target),
        Entry("content", _("what is known"), known.content, is_area=True),
        Entry("key_points", _("key points, a line each"), "\n".join(known.key_points), is_area=True),
    ]


def edited(changed: Mapping[str, str]) -> dict[str, Any]:
    """What was entered as the fields that it stands for."""
    return {name: lines_of(text) if name == "key_points" else text for name, text in changed.items()}
