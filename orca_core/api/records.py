"""Records of work of any kind: looked at, and changed by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from orca_core.model.work.records import W, WorkDeletion, WorkQuery

if TYPE_CHECKING:
    from orca_core.model.journal import Change, RecordsChanged
    from orca_core.model.queries import RecordPage


class WorkLists(Protocol[W]):
    """Looking at records of work of one kind. Where a number names none, NotFound."""

    async def page(self, query: WorkQuery) -> RecordPage[W]:
        """Raises InvalidInput for an unknown status."""
        ...

    async def get(self, ids: Sequence[int]) -> list[W]: ...

    async def counts(self) -> dict[str, int]:
        """How many there are of each status."""
        ...

    async def changes_of(self, record_id: int) -> list[Change]: ...


class WorkChanges(Protocol[W]):
    """Changing them by hand: one operation each, which can be undone; but a delete is for good."""

    async def pin(self, ids: Sequence[int]) -> RecordsChanged[W]: ...

    async def unpin(self, ids: Sequence[int]) -> RecordsChanged[W]: ...

    async def archive(self, ids: Sequence[int]) -> RecordsChanged[W]: ...

    async def restore(self, ids: Sequence[int]) -> RecordsChanged[W]: ...

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> RecordsChanged[W]: ...

    async def reject(self, ids: Sequence[int]) -> RecordsChanged[W]: ...

    async def delete(self, ids: Sequence[int]) -> WorkDeletion: ...


class WorkRecords(WorkLists[W], WorkChanges[W], Protocol[W]):
    """Records of one kind, looked at and changed."""
