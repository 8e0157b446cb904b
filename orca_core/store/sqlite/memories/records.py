"""Records of a further kind: read, made and changed through the journal, deleted for good here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any, Generic

import apsw
from msgspec.structs import replace

from orca_core.model.memories import Fields
from orca_core.model.operations import Change, OperationHeader, RecordsChanged
from orca_core.model.records import R, RecordType, Ref
from orca_core.model.views import RecordPage, RecordQuery
from orca_core.operations.columns import fields_from_json
from orca_core.operations.leaving import leave
from orca_core.operations.one_known import agree
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes, check_there, record_of, records_of, records_there
from orca_core.operations.tombstones import Tombstones
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, above
from orca_core.store.protocols.records import DecideRecords, Left
from orca_core.store.sql.rows import scopes_of
from orca_core.store.sqlite.engine.scope import Scope, SQLiteTransactions
from orca_core.store.sqlite.index import vector_index, vector_store, word_index
from orca_core.store.sqlite.index.index_tables import tables_of
from orca_core.store.sqlite.memories import gone, links, record_lists, texts
from orca_core.store.sqlite.memories.history import changes_to
from orca_core.store.sqlite.memories.wiping import wipe_all

PAGE = 500
"""Chosen by hand."""


class SQLiteRecords(Generic[R]):
    """The records of one kind in one scope."""

    def __init__(
        self,
        scope: Scope,
        transactions: SQLiteTransactions,
        types: RecordTypes,
        settings: MemorySettings,
        record_type: RecordType[R],
    ) -> None:
        self._scope = scope
        self._transactions = transactions
        self._types = types
        self._settings = settings
        self._type = record_type
        self._tables = tables_of(record_type)

    async def get(self, ids: Sequence[int], *, missing_ok: bool = False) -> list[R]:
        def read(rows: Rows) -> list[R]:
            if not missing_ok:
                check_there(rows, self._type, ids)
            return records_there(rows, self._type, ids)

        return await self._transactions.read(read)

    async def all(self) -> AsyncIterator[R]:
        last = 0
        while page := await self._transactions.read(partial(self._page, after=last)):
            for record in page:
                yield record
            last = self._type.ref(page[-1]).id

    async def page(self, query: RecordQuery) -> RecordPage[R]:
        scopes = scopes_of(self._type.table, self._scope.own, self._scope.all)
        return await self._scope.read(lambda connection: record_lists.page(connection, scopes, self._type, query))

    async def add(self, record: R, header: OperationHeader) -> R:
        def write(rows: Rows) -> R:
            made: R = self._operation(rows, header).create(self._type, record)
            return made

        return await self._transactions.write(write)

    async def change(self, record_id: int, wanted: Mapping[str, Any], header: OperationHeader) -> R:
        def write(rows: Rows) -> R:
            ref, operation = Ref(self._type.kind, record_id), self._operation(rows, header)
            before = record_of(rows, self._type, record_id)
            changed: R = operation.change(ref, wanted, before)
            given_way = agree(rows, operation, header.at, {ref: before}, [changed])
            return record_of(rows, self._type, record_id) if given_way else changed

        return await self._transactions.write(write)

    async def change_all(
        self,
        ids: Sequence[int],
        header: OperationHeader,
        decide: DecideRecords[R],
        continues: int | None = None,
    ) -> RecordsChanged[R]:
        def write(rows: Rows) -> RecordsChanged[R]:
            distinct = tuple(dict.fromkeys(ids))
            current = {self._type.ref(each): each for each in records_of(rows, self._type, distinct)}
            wanted: dict[Ref, Fields] = {ref: {} for ref in current}
            wanted.update({Ref(self._type.kind, each): fields for each, fields in decide([*current.values()]).items()})
            operation = OpenOperation(rows, self._types, self._settings, header, continues=continues)
            changed = operation.change_all(wanted, current)
            if agree(rows, operation, header.at, current, changed):
                changed = records_there(rows, self._type, [ref.id for ref in wanted])
            return RecordsChanged(operation.number, tuple(changed))

        return await self._transactions.write(write)

    async def delete(self, ids: Sequence[int], header: OperationHeader) -> Left:
        distinct = tuple(dict.fromkeys(ids))

        def write(connection: apsw.Connection) -> Left:
            rows = self._transactions.rows_of(connection)
            check_there(rows, self._type, distinct)
            operation = self._operation(rows, header)
            deleted = [Ref(self._type.kind, each) for each in distinct]
            told = links.versions_of(connection, deleted)
            left = leave(rows, operation, deleted)
            records = self.there(connection, distinct)
            Tombstones(rows).lay(self._type, records, header.at)
            self._erase(connection, records, operation)
            links.forget_versions(connection, sorted({*told, *left.held} - {*left.kept}))
            return left

        left = await self._scope.write(write)
        return replace(left, is_wiped=await wipe_all(self._scope))

    def there(self, connection: apsw.Connection, ids: Sequence[int]) -> list[R]:
        """Those of the records that there are, inside the caller's transaction."""
        return records_there(self._transactions.rows_of(connection), self._type, ids)

    def erase(self, connection: apsw.Connection, records: Sequence[R], header: OperationHeader) -> None:
        """Delete them for good for their age, inside the caller's transaction; old pages wait to be wiped. What was
        made of them stays as it is."""
        rows = self._transactions.rows_of(connection)
        Tombstones(rows).lay_faded(self._type, records, header.at)
        self._erase(connection, records, self._operation(rows, header))

    def _erase(self, connection: apsw.Connection, records: Sequence[R], operation: OpenOperation) -> None:
        operation.insert_row()
        for record in records:
            self._wipe(connection, record)
        texts.forget_texts(connection, self._type.kind, [self._type.ref(each).id for each in records])
        gone.note(connection)

    async def history(self, record_id: int) -> list[Change]:
        def read(connection: apsw.Connection) -> list[Change]:
            return changes_to(connection, self._scope.all, Ref(self._type.kind, record_id), self._types)

        await self.get([record_id])
        return await self._scope.read(read)

    def _operation(self, rows: Rows, header: OperationHeader) -> OpenOperation:
        return OpenOperation(rows, self._types, self._settings, header)

    def _page(self, rows: Rows, after: int) -> list[R]:
        found = rows.select(self._type.table, self._type.names, above("id", after), order=("id",), limit=PAGE)
        return [self._type.from_row(row) for row in found]

    def _wipe(self, connection: apsw.Connection, record: R) -> None:
        """Delete the record with its words, vectors and history, the cached vectors of all its texts, and the exchanges
        that hold it."""
        ref = self._type.ref(record)
        same = (ref.kind.name, ref.id)
        kept = connection.execute("SELECT before, after FROM memory_history WHERE kind = ? AND memory_id = ?", same)
        changed = [fields_from_json(str(fields)) for both in kept.fetchall() for fields in both if fields is not None]
        if self._type.is_indexed:
            said = {str(fields[self._type.text_column]) for fields in changed if self._type.text_column in fields}
            vector_store.forget_vectors(connection, said | {self._type.text(record)})
            word_index.drop_words(connection, ref.id, self._tables)
            vector_index.drop_vectors(connection, [ref.id], self._tables)
        links.forget(connection, ref)
        for table in ("memory_history", "memory_usage_log"):
            connection.execute(f"DELETE FROM {table} WHERE kind = ? AND memory_id = ?", same)
        connection.execute(f"DELETE FROM {self._tables.rows} WHERE id = ?", (ref.id,))
