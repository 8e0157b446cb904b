"""Knowledge as a list shows and changes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from textual.content import Content

from orca_core.model.episodes import WorkDeletion
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.knowledge import Knowledge as Known
from orca_core.model.operations import RecordsChanged
from orca_core.model.views import KnowledgeView
from orca_tui.app.keymap import bindings
from orca_tui.app.records.kind import Listing
from orca_tui.app.work.details import knowledge_glance
from orca_tui.app.work.edit_work import Entry, lines_of
from orca_tui.app.work.kind_of_work import OF_ONE, STATUSES, KindOfWork
from orca_tui.app.work.rows import knowledge_row, no_knowledge
from orca_tui.app.work.work_keys import LISTS
from orca_tui.app.work.work_list import WorkList
from orca_tui.language import N_
from orca_tui.marks import Marks

if TYPE_CHECKING:
    from orca_core.services.work.knowledge import KnowledgeActions

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


class Knowledge(KindOfWork[KnowledgeView, Known]):
    """The kind of record that says what several episodes taught."""

    type = KNOWLEDGES

    @property
    def hand(self) -> KnowledgeActions:
        return self._bridge.engine.work.knowledge

    async def views_of(self, records: Sequence[Known]) -> Sequence[KnowledgeView]:
        return await self.hand.views(records)

    def line(self, record: Known) -> str:
        return f"{record.topic}: {record.content}"

    def left(self, deletion: WorkDeletion) -> str:  # noqa: ARG002  # its episodes stay
        return ""

    def open(self, record: Known) -> None:
        self._looking.knowledge(record.id)

    def glance(self, view: KnowledgeView) -> Content:
        return knowledge_glance(view, self._bridge.clock.now(), self._marks)

    def rests_on(self, record: Known) -> None:
        self._looking.sources(record)

    def entries(self, record: Known) -> list[Entry]:
        return entries_of(record)

    async def edit(self, record: Known, changed: Mapping[str, str]) -> RecordsChanged[Known]:
        return await self.hand.edit(record.id, **edited(changed))


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
