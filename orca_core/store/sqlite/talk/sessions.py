"""Deletes sessions, and lists what was asked in them."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.llm import Span
from orca_core.model.operations import OperationHeader
from orca_core.model.records import timestamp
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes
from orca_core.operations.sessions import SessionChanges
from orca_core.operations.tombstones import Tombstones
from orca_core.settings import MemorySettings
from orca_core.store.sqlite.engine.rows import spans_from_json
from orca_core.store.sqlite.engine.scope import Scope, SQLiteTransactions
from orca_core.store.sqlite.memories import acts, gone
from orca_core.store.sqlite.memories.deletion import hide_rounds, hide_session
from orca_core.store.sqlite.memories.kept import KeptOfDeleted
from orca_core.store.sqlite.memories.wiping import wipe_all
from orca_core.store.sqlite.talk.dialogues import session_of

LOOKED_AT = 10
"""So many times as many questions are looked at as are wanted: the same ones may have been asked again and again.
Chosen by hand."""
_ASKED = """
    SELECT m.content, m.spans FROM rounds r CROSS JOIN main_messages m ON m.round_id = r.id AND m.role = 'user'
    WHERE r.scope = ? ORDER BY r.id DESC LIMIT ?
"""


class SQLiteSessions(SessionChanges):
    """Deletes the sessions of one scope. The journal names and forks them."""

    def __init__(
        self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, settings: MemorySettings
    ) -> None:
        super().__init__(transactions, settings)
        self._scope = scope
        self._of_sqlite = transactions
        self._types = types

    async def delete(self, session_id: str, header: OperationHeader) -> bool:
        def write(connection: apsw.Connection) -> None:
            session = session_of(connection, self._scope.own, session_id)
            rows = self._of_sqlite.rows_of(connection)
            created_at = timestamp(session.created_at)
            Tombstones(rows).lay_session(session_id, created_at, header.at)
            operation = OpenOperation(rows, self._types, self._settings, header)
            acts.delete_of_session(connection, rows, operation, session_id)
            hide_session(connection, self._scope.own, session_id)

        await self._scope.write(write)
        return await wipe_all(self._scope)

    async def delete_rounds(self, session_id: str, numbers: Sequence[int], header: OperationHeader) -> bool:
        def write(connection: apsw.Connection) -> None:
            session_of(connection, self._scope.own, session_id)
            rows = self._of_sqlite.rows_of(connection)
            operation = OpenOperation(rows, self._types, self._settings, header)
            those = [(session_id, number) for number in numbers]
            acts.delete_of_rounds(connection, rows, operation, those)
            hide_rounds(connection, self._scope.own, those, KeptOfDeleted(rows, header.at))
            operation.insert_row()
            gone.note(connection)

        await self._scope.write(write)
        return await wipe_all(self._scope)

    async def questions(self, limit: int) -> list[tuple[Span, ...]]:
        def read(connection: apsw.Connection) -> list[tuple[Span, ...]]:
            latest: dict[str, str | None] = {}
            for content, spans in connection.execute(_ASKED, (self._scope.own, LOOKED_AT * limit)):
                latest.setdefault(str(content), None if spans is None else str(spans))
                if len(latest) >= limit:
                    break
            return [spans_from_json(spans) for spans in latest.values()][::-1]

        return await self._scope.read(read)
