"""Sessions and rounds, listed."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.errors import NotFound
from orca_core.model.recall import Receipt
from orca_core.model.records import parse_timestamp
from orca_core.model.sessions import Round, Session
from orca_core.operations.records import RecordTypes
from orca_core.operations.turns import Turns
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows
from orca_core.store.sqlite.engine.rows import ROUND_COLUMNS, round_from_row
from orca_core.store.sqlite.engine.scope import Scope, SQLiteRows, SQLiteTransactions
from orca_core.store.sqlite.talk import messages

ROUNDS = f"""
    SELECT {ROUND_COLUMNS}
    FROM rounds r
    LEFT JOIN main_messages u ON u.round_id = r.id AND u.role = 'user'
    LEFT JOIN main_messages a ON a.round_id = r.id AND a.role = 'assistant'
    WHERE r.scope = ? AND r.session_id = ? AND r.number > ? AND r.number < ? AND r.replaced_by IS NULL
    ORDER BY r.number DESC LIMIT ?
"""
SESSIONS = """
    SELECT s.id, s.title, s.created_at,
           (SELECT count(*) FROM rounds r WHERE r.scope = s.scope AND r.session_id = s.id AND r.replaced_by IS NULL)
    FROM sessions s WHERE s.scope = ?
"""

_ANY_NUMBER = (1 << 63) - 1


class SQLiteDialogues(Turns):
    """Lists the sessions and rounds of one scope. The journal writes them."""

    def __init__(
        self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, settings: MemorySettings
    ) -> None:
        super().__init__(transactions, types, settings, _save_receipt)
        self._scope = scope
        self._kinds = types.kinds

    async def latest_session(self) -> Session | None:
        found = await self.sessions(limit=1)
        return found[0] if found else None

    async def sessions(self, limit: int | None = None) -> list[Session]:
        """Newest first, by when they were last used."""

        def read(connection: apsw.Connection) -> list[Session]:
            rows = connection.execute(
                SESSIONS + " ORDER BY s.used_at DESC, s.rowid DESC LIMIT ?",
                (self._scope.own, -1 if limit is None else limit),
            )
            return [_session(row) for row in rows]

        return await self._scope.read(read)

    async def session(self, session_id: str) -> Session:
        return await self._scope.read(lambda connection: session_of(connection, self._scope.own, session_id))

    async def rounds(
        self, session_id: str, last: int | None = None, *, after: int = 0, below: int | None = None
    ) -> list[Round]:
        def read(connection: apsw.Connection) -> list[Round]:
            until, most = _ANY_NUMBER if below is None else below, -1 if last is None else last
            rows = connection.execute(ROUNDS, (self._scope.own, session_id, after, until, most))
            return [round_from_row(row, self._kinds) for row in rows][::-1]

        return await self._scope.read(read)


def session_of(connection: apsw.Connection, scope: str, session_id: str) -> Session:
    """Raises NotFound where this scope has no such session."""
    row = connection.execute(SESSIONS + " AND s.id = ?", (scope, session_id)).fetchone()
    if row is None:
        raise NotFound(what="session", id=session_id)
    return _session(row)


def _session(row: Sequence[object]) -> Session:
    return Session(str(row[0]), str(row[1]), parse_timestamp(str(row[2])), int(str(row[3])))


def _save_receipt(rows: Rows, round_id: int, receipt: Receipt) -> None:
    assert isinstance(rows, SQLiteRows)
    messages.save_receipt(rows.connection, round_id, receipt)
