"""Records of one kind, looked at and changed by hand. Each action is one operation, and can be undone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic

from orca_core.model.llm import Clock
from orca_core.model.memories import Fields
from orca_core.model.operations import Actor, Change, OperationHeader, RecordsChanged
from orca_core.model.record_types import R
from orca_core.operations.record_store import DecideRecords

ChangeRecord = Callable[[R], Fields]
"""What an action changes of one record: fields as plain values. Raises InvalidInput."""


class RecordActions(ABC, Generic[R]):
    """What a person does to records of one kind. `changed` is called after each change."""

    def __init__(self, store: Any, changed: Callable[[], None], clock: Clock) -> None:
        """`store` is the RecordStore of the kind, or the MemoryStore."""
        self._store = store
        self._changed = changed
        self._clock = clock

    @abstractmethod
    def rules(self) -> Mapping[str, ChangeRecord[R]]:
        """What the actions that every kind has do to a record of this one."""

    async def get(self, ids: Sequence[int]) -> list[R]:
        """Raises NotFound."""
        return list(await self._store.get(ids))

    async def changes_of(self, record_id: int) -> list[Change]:
        """Oldest first. Raises NotFound."""
        return list(await self._store.history(record_id))

    async def pin(self, ids: Sequence[int]) -> RecordsChanged[R]:
        return await self.change_each("pin", ids, self.rules()["pin"])

    async def unpin(self, ids: Sequence[int]) -> RecordsChanged[R]:
        return await self.change_each("unpin", ids, self.rules()["unpin"])

    async def archive(self, ids: Sequence[int]) -> RecordsChanged[R]:
        return await self.change_each("archive", ids, self.rules()["archive"])

    async def restore(self, ids: Sequence[int]) -> RecordsChanged[R]:
        return await self.change_each("restore", ids, self.rules()["restore"])

    async def reject(self, ids: Sequence[int]) -> RecordsChanged[R]:
        return await self.change_each("reject", ids, self.rules()["reject"])

    async def change_each(self, action: str, ids: Sequence[int], rule: ChangeRecord[R]) -> RecordsChanged[R]:
        return await self.change(action, ids, lambda records: {each.id: rule(each) for each in records})

    async def change(self, action: str, ids: Sequence[int], decide: DecideRecords[R]) -> RecordsChanged[R]:
        """One operation, all or nothing."""
        changed: RecordsChanged[R] = await self._store.change_all(ids, self.header(action), decide)
        self._changed()
        return changed

    def header(self, action: str) -> OperationHeader:
        return OperationHeader(Actor.USER, action, self._clock.now())
