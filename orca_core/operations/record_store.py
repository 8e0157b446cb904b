"""Records of any kind but memories: read, listed, made, changed and deleted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import Generic

from msgspec.structs import replace

from orca_core.model.memories import Fields
from orca_core.model.operations import Change, OperationHeader, RecordsChanged
from orca_core.model.record_types import R, RecordType, Ref
from orca_core.model.views import RecordPage, RecordQuery
from orca_core.operations import deletion
from orca_core.operations.history import changes_to
from orca_core.operations.knowledge_targets import Left, agree, leave
from orca_core.operations.operations import OpenOperation, ScopedStore
from orca_core.operations.records import RecordTypes, check_there, records_of, records_there
from orca_core.operations.tombstones import Tombstones
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, Transactions, above

PAGE = 500
"""Chosen by hand."""

DecideRecords = Callable[[Sequence[R]], Mapping[int, Fields]]
"""The changeable fields, as plain values, that each of some records is to have, by its number."""


class KindStore(ScopedStore, ABC, Generic[R]):
    """The records of one kind in one scope: read, and changed by operations, which can be undone."""

    def __init__(
        self, transactions: Transactions, types: RecordTypes, settings: MemorySettings, record_type: RecordType[R]
    ) -> None:
        super().__init__(transactions, types, settings)
        self._type = record_type

    async def get(self, ids: Sequence[int], *, missing_ok: bool = False) -> list[R]:
        """In the order asked; raises NotFound for the first that does not exist, or leaves it out."""

        def read(rows: Rows) -> list[R]:
            if not missing_ok:
                check_there(rows, self._type, ids)
            return records_there(rows, self._type, ids)

        return await self._transactions.read(read)

    async def all(self) -> AsyncIterator[R]:
        """Every record, by its number, a page at a time."""
        last = 0
        while page := await self._transactions.read(partial(self._page, after=last)):
            for record in page:
                yield record
            last = self._type.ref(page[-1]).id

    async def change_all(
        self,
        ids: Sequence[int],
        header: OperationHeader,
        decide: DecideRecords[R],
        continues: int | None = None,
    ) -> RecordsChanged[R]:
        """Change records in one operation, all or nothing, decided as they are inside the transaction; those for which
        `decide` returns no changes are left alone. A large operation comes in slices, each of which `continues` the one
        that the first began. Raises NotFound, and what `decide` raises."""

        def write(rows: Rows) -> RecordsChanged[R]:
            distinct = tuple(dict.fromkeys(ids))
            current = {self._type.ref(each): each for each in records_of(rows, self._type, distinct)}
            wanted = decide([*current.values()])
            operation = self._operation(rows, header, continues=continues)
            changed = [operation.change(ref, wanted.get(ref.id, {}), before) for ref, before in current.items()]
            changed = self._follow(rows, operation, {ref.id: each for ref, each in current.items()}, changed)
            return RecordsChanged(operation.number, tuple(changed))

        return await self._transactions.write(write)

    @abstractmethod
    def _follow(self, rows: Rows, operation: OpenOperation, before: Mapping[int, R], after: list[R]) -> list[R]:
        """Carry out what follows of a change for other records; returns the changed ones as they are then."""

    async def history(self, record_id: int) -> list[Change]:
        """Oldest first. Raises NotFound."""

        def read(rows: Rows) -> list[Change]:
            check_there(rows, self._type, [record_id])
            return changes_to(rows, Ref(self._type.kind, record_id), self._types)

        return await self._transactions.read(read)

    def _page(self, rows: Rows, after: int) -> list[R]:
        found = rows.select(self._type.table, self._type.names, above("id", after), order=("id",), limit=PAGE)
        return [self._type.from_row(row) for row in found]


class RecordStore(KindStore[R]):
    """The records of any kind but memories."""

    async def page(self, query: RecordQuery) -> RecordPage[R]:
        def read(rows: Rows) -> RecordPage[R]:
            found, total = rows.lists.records(self._type, query)
            return RecordPage(tuple(map(self._type.from_row, found)), total)

        return await self._transactions.read(read)

    async def add(self, record: R, header: OperationHeader) -> R:
        """Store it; returns it with its number."""

        def write(rows: Rows) -> R:
            made: R = self._operation(rows, header).create(self._type, record)
            return made

        return await self._transactions.write(write)

    async def change(self, record_id: int, wanted: Fields, header: OperationHeader) -> R:
        """Change one; `wanted` are changeable fields as plain values. Raises NotFound."""
        changed = await self.change_all([record_id], header, lambda _records: {record_id: wanted})
        return changed.records[0]

    def _follow(self, rows: Rows, operation: OpenOperation, before: Mapping[int, R], after: list[R]) -> list[R]:
        """Knowledge that is brought to life keeps its target: what gives way may be among the changed."""
        if agree(rows, operation, before, after):
            return records_there(rows, self._type, list(before))
        return after

    async def delete(self, ids: Sequence[int], header: OperationHeader) -> Left:
        """Delete for good: words, vectors, history and what receipts show of it; and of knowledge that was made of a
        deleted episode what it said before."""
        distinct = tuple(dict.fromkeys(ids))

        def write(rows: Rows) -> Left:
            check_there(rows, self._type, distinct)
            operation = self._operation(rows, header)
            deleted = [Ref(self._type.kind, each) for each in distinct]
            told = deletion.versions_of(rows, deleted)
            left = leave(rows, operation, deleted)
            records = records_there(rows, self._type, distinct)
            Tombstones(rows).lay(self._type, records, header.at)
            operation.insert_row()
            deletion.erase(rows, self._type, records)
            deletion.forget_versions(rows, sorted({*told, *left.held} - {*left.kept}))
            return left

        left = await self._transactions.write(write)
        return replace(left, is_wiped=await self._transactions.wipe())
