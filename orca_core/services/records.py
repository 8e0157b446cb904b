"""Records of work, looked at and changed by hand. Each action is one operation, and can be undone; a delete can not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic

from orca_core.model.episodes import ChangeOne, DecideWork, W, WorkDeletion, WorkQuery
from orca_core.model.llm import Clock
from orca_core.model.memories import Status
from orca_core.model.operations import Actor, Change, OperationHeader, RecordsChanged
from orca_core.model.records import RecordType
from orca_core.model.views import RecordPage, RecordQuery
from orca_core.rules.work import curation
from orca_core.rules.work.orders import order
from orca_core.services.shared.given import checked
from orca_core.store.protocols.records import RecordStore


@checked
class RecordActions(Generic[W]):
    """What a hand does to the records of one kind. `changed` is called after each change."""

    def __init__(
        self, record_type: RecordType[W], store: RecordStore[W], changed: Callable[[], None], clock: Clock
    ) -> None:
        self.type = record_type
        self._store = store
        self._changed = changed
        self._clock = clock

    async def page(self, query: WorkQuery) -> RecordPage[W]:
        """Raises InvalidInput for an unknown status or order, naming the known ones."""
        by = order(self.type.kind, query.sort)
        where = curation.wheres(
            curation.states(query.status),
            target=query.target,
            origin_session=query.session_id,
            pinned=query.pinned_only,
        )
        if query.ids is not None:
            where = {**where, "id": query.ids}
        listed = RecordQuery(where, query.tags, query.text, order=by, limit=query.limit, offset=query.offset)
        return await self._store.page(listed)

    async def get(self, ids: Sequence[int]) -> list[W]:
        """Raises NotFound."""
        return await self._store.get(ids)

    async def counts(self) -> dict[str, int]:
        """How many there are of each status; none is core."""
        words = [each for each in Status if each is not Status.CORE]
        return {word.value: (await self.page(WorkQuery(word.value, limit=0))).total for word in words}

    async def changes_of(self, record_id: int) -> list[Change]:
        """Oldest first. Raises NotFound."""
        return await self._store.history(record_id)

    async def pin(self, ids: Sequence[int]) -> RecordsChanged[W]:
        return await self.change_each("pin", ids, curation.pin(self.type.kind))

    async def unpin(self, ids: Sequence[int]) -> RecordsChanged[W]:
        return await self.change_each("unpin", ids, curation.unpin)

    async def archive(self, ids: Sequence[int]) -> RecordsChanged[W]:
        return await self.change_each("archive", ids, curation.archive(self._clock.now()))

    async def restore(self, ids: Sequence[int]) -> RecordsChanged[W]:
        return await self.change_each("restore", ids, curation.restore(self.type.kind))

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> RecordsChanged[W]:
        """`shown` are the texts that were approved, by number: one that has changed since is refused."""
        return await self.change_each("accept", ids, curation.accept(self.type.kind, shown))

    async def reject(self, ids: Sequence[int]) -> RecordsChanged[W]:
        return await self.change_each("reject", ids, curation.reject(self.type.kind))

    async def delete(self, ids: Sequence[int]) -> WorkDeletion:
        """Delete for good: undo does not bring it back."""
        wanted = tuple(dict.fromkeys(ids))
        left = await self._store.delete(wanted, self._header("delete"))
        self._changed()
        return WorkDeletion(wanted, left.is_wiped, left.held, left.kept)

    async def change_each(self, action: str, ids: Sequence[int], change: ChangeOne[W]) -> RecordsChanged[W]:
        """One operation, all or nothing."""
        return await self.change(action, ids, curation.each(change))

    async def change(self, action: str, ids: Sequence[int], decide: DecideWork[W]) -> RecordsChanged[W]:
        changed = await self._store.change_all(ids, self._header(action), decide)
        self._changed()
        return changed

    def _header(self, action: str) -> OperationHeader:
        return OperationHeader(Actor.USER, action, self._clock.now())
