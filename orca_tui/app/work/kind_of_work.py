"""What every kind of record of work does in the same way: its pages, how it is shown, and the form it is edited in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from orca_core.model.episodes import W, WorkDeletion, WorkQuery
from orca_core.model.records import RecordType, Ref
from orca_tui.app.bridge import Bridge
from orca_tui.app.records.kind import Actions, Asked, Changed, Changing, RowPage, V
from orca_tui.app.records.lookup import left_of
from orca_tui.app.stage import Stage
from orca_tui.app.work.edit_work import EditFields, Entry
from orca_tui.app.work.looking import LookingAtWork
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.work_words import left_lines

if TYPE_CHECKING:
    from orca_core.services.records import RecordActions

STATUSES = {
    "live": N_("live"),
    "all": N_("all"),
    "archived": N_("archived"),
    "candidate": N_("candidate"),
    "rejected": N_("rejected"),
}
OF_ONE = frozenset({"open", "history", "why", "edit", "sources"})


class KindOfWork(ABC, Generic[V, W]):
    """A kind of record of work; its subclasses say what is special about theirs."""

    type: ClassVar[RecordType[Any]]

    def __init__(self, stage: Stage, bridge: Bridge, looking: LookingAtWork, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._looking = looking
        self._marks = marks

    @property
    @abstractmethod
    def hand(self) -> RecordActions[W]: ...

    @abstractmethod
    async def views_of(self, records: Sequence[W]) -> Sequence[V]: ...

    @abstractmethod
    def open(self, record: W) -> None: ...

    @abstractmethod
    def rests_on(self, record: W) -> None:
        """Show what it was made of, or what was made of it."""

    @abstractmethod
    def entries(self, record: W) -> list[Entry]:
        """Its form."""

    @abstractmethod
    async def edit(self, record: W, changed: Mapping[str, str]) -> Changed[W]: ...

    async def page(self, asked: Asked) -> RowPage[V]:
        page = await self.hand.page(self.query(asked))
        return RowPage(tuple(await self.views_of(page.records)), page.total)

    def sift(self, _asked: Asked) -> None:
        """There are few."""

    def query(self, asked: Asked) -> WorkQuery:
        """Tags are words of those kinds that have none."""
        text = " ".join((*asked.words, *asked.tags))
        return WorkQuery(
            asked.status, text=text, sort=asked.sort, limit=asked.limit, offset=asked.offset, ids=asked.ids
        )

    async def waiting(self) -> int:
        return (await self.hand.counts())["candidate"]

    async def views(self, ids: Sequence[int]) -> Sequence[V]:
        return await self.views_of(await left_of(self.hand.get, ids))

    def ref(self, record: W) -> Ref:
        return self.type.ref(record)

    def left(self, deletion: WorkDeletion) -> str:
        return " · ".join(left_lines(deletion))

    def actions(self, records: Changing) -> Actions:
        kind = self.type.kind
        return {
            "open": lambda hit: self.open(hit[0]),
            "history": lambda hit: self._looking.history(kind, hit[0].id),
            "why": lambda hit: self._looking.why(kind, hit[0].id),
            "sources": lambda hit: self.rests_on(hit[0]),
            "edit": lambda hit: self._ask_to_edit(records, hit[0]),
        }

    def _ask_to_edit(self, records: Changing, record: W) -> None:
        def save(changed: Mapping[str, str] | None) -> None:
            if changed:
                records.change(lambda: self.edit(record, changed), _("edited"))

        self._stage.push(EditFields(str(self.ref(record)), self.entries(record)), save)
