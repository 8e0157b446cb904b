"""Guides of tools as a list shows and changes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING

from textual.content import Content

from orca_core.model.operations import RecordsChanged
from orca_core.model.tools import GUIDES, Guide
from orca_tui.app.keymap import bindings
from orca_tui.app.records.kind import Listing
from orca_tui.app.work.edit_work import Entry
from orca_tui.app.work.guide_texts import GuideRow, guide_glance, guide_row, no_guides
from orca_tui.app.work.kind_of_work import OF_ONE, STATUSES, KindOfWork
from orca_tui.app.work.work_keys import LISTS
from orca_tui.app.work.work_list import WorkList
from orca_tui.language import N_
from orca_tui.marks import Marks

if TYPE_CHECKING:
    from orca_core.services.tools.guides import GuideActions

GUIDE_LISTING = Listing(
    id="guide",
    title=N_("Guides"),
    sorts={
        "new": N_("newest"),
        "target": N_("tool"),
        "used": N_("last used"),
        "accesses": N_("most used"),
        "old": N_("oldest"),
    },
    statuses=STATUSES,
    types={"": ""},
    row=guide_row,
    empty=no_guides,
    of_one=OF_ONE,
)


class GuideList(WorkList[GuideRow, Guide]):
    """The guides of tools, page by page."""

    BINDINGS = bindings(LISTS)

    def __init__(self, marks: Marks) -> None:
        super().__init__(GUIDE_LISTING, marks)


class Guides(KindOfWork[GuideRow, Guide]):
    """The kind of record that says what calls of a tool taught."""

    type = GUIDES

    @property
    def hand(self) -> GuideActions:
        return self._bridge.engine.guides

    async def views_of(self, records: Sequence[Guide]) -> Sequence[GuideRow]:
        return await self._looking.guides(records)

    def line(self, record: Guide) -> str:
        return f"{record.target}: {record.text}"

    def open(self, record: Guide) -> None:
        self._looking.guide(record.id)

    def glance(self, view: GuideRow) -> Content:
        return guide_glance(view, self._bridge.clock.now(), self._marks)

    def rests_on(self, record: Guide) -> None:
        self._looking.calls(record)

    def entries(self, record: Guide) -> list[Entry]:
        return [Entry("text", _("text"), record.text, is_area=True)]

    async def edit(self, record: Guide, changed: Mapping[str, str]) -> RecordsChanged[Guide]:
        return await self.hand.edit(record.id, changed.get("text", record.text))
