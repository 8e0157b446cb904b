"""Sessions as wholes: named, deleted, forked, and searched through."""

from __future__ import annotations

from datetime import datetime

import apsw

from orca_core.domain.dialogues import FoundMessage, Session
from orca_core.domain.messages import Span
from orca_core.domain.times import parse_timestamp, timestamp
from orca_core.rules.text.cleaning import TITLE_CHARS, one_line
from orca_core.storage.sqlite.engine.rows import spans_from_json
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.memories.deletion import hide_session
from orca_core.storage.sqlite.memories.wiping import wipe_all
from orca_core.storage.sqlite.talk.dialogues import session_of

_FOUND = """
    SELECT r.session_id, s.title, r.number, m.role, m.content, m.at
    FROM main_messages m JOIN rounds r ON r.id = m.round_id
    JOIN sessions s ON s.scope = r.scope AND s.id = r.session_id
    WHERE r.scope = :scope AND r.replaced_by IS NULL
"""
MAX_WORDS = 8
_ROUND_FIELDS = "number, attempt, state, finish, model, estimated_prompt_tokens, usage, started_at, finished_at, cause"


class SQLiteSessions:
    """The sessions of one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def rename(self, session_id: str, title: str) -> Session:
        def write(connection: apsw.Connection) -> Session:
            connection.execute(
                "UPDATE sessions SET title = ?, is_named = 1 WHERE scope = ? AND id = ?",
                (one_line(title, TITLE_CHARS), self._scope.own, session_id),
            )
            return session_of(connection, self._scope.own, session_id)

        return await self._scope.write(write)

    async def delete(self, session_id: str) -> bool:
        def write(connection: apsw.Connection) -> None:
            session_of(connection, self._scope.own, session_id)
            hide_session(connection, self._scope.own, session_id)

        await self._scope.write(write)
        return await wipe_all(self._scope)

    async def fork(self, session_id: str, through: int, new_id: str, at: datetime) -> Session:
        def write(connection: apsw.Connection) -> Session:
            source = session_of(connection, self._scope.own, session_id)
            connection.execute(
                "INSERT INTO sessions (id, scope, title, created_at, used_at, is_named)"
                " SELECT ?1, scope, title, ?2, ?2, is_named FROM sessions WHERE scope = ?3 AND id = ?4",
                (new_id, timestamp(at), self._scope.own, source.id),
            )
            rounds = connection.execute(
                "SELECT id FROM rounds WHERE scope = ? AND session_id = ? AND number <= ? AND replaced_by IS NULL"
                " AND state <> 'streaming' ORDER BY number",
                (self._scope.own, session_id, through),
            ).fetchall()
            for (old,) in rounds:
                self._copy_round(connection, int(str(old)), new_id)
            return session_of(connection, self._scope.own, new_id)

        return await self._scope.write(write)

    async def search(self, text: str, limit: int) -> list[FoundMessage]:
        words = text.split()[:MAX_WORDS]
        bindings = {f"word{number}": f"%{_literal(word)}%" for number, word in enumerate(words)}
        where = "".join(f" AND m.content LIKE :{name} ESCAPE '!'" for name in bindings)

        def read(connection: apsw.Connection) -> list[FoundMessage]:
            rows = connection.execute(
                _FOUND + where + " ORDER BY m.id DESC LIMIT :limit",
                {**bindings, "scope": self._scope.own, "limit": limit},
            )
            return [FoundMessage(row[0], row[1], row[2], row[3], row[4], parse_timestamp(row[5])) for row in rows]

        return await self._scope.read(read) if words else []

    async def questions(self, limit: int) -> list[tuple[Span, ...]]:
        def read(connection: apsw.Connection) -> list[tuple[Span, ...]]:
            rows = connection.execute(
                "SELECT m.spans FROM main_messages m JOIN rounds r ON r.id = m.round_id"
                " WHERE r.scope = ? AND m.role = 'user' GROUP BY m.content ORDER BY max(m.id) DESC LIMIT ?",
                (self._scope.own, limit),
            )
            return [spans_from_json(spans) for (spans,) in rows][::-1]

        return await self._scope.read(read)

    def _copy_round(self, connection: apsw.Connection, old: int, new_id: str) -> None:
        """The round with its messages. What it taught was taught once: no buffer, no weights, no receipt go along."""
        connection.execute(
            f"INSERT INTO rounds (scope, session_id, said_in, {_ROUND_FIELDS}) SELECT scope, ?,"
            f" coalesce(said_in, session_id), {_ROUND_FIELDS.replace('attempt', '1')} FROM rounds WHERE id = ?",
            (new_id, old),
        )
        new = connection.last_insert_rowid()
        connection.execute(
            "INSERT INTO main_messages (round_id, role, content, spans, reasoning, citations, at)"
            " SELECT ?, role, content, spans, reasoning, citations, at FROM main_messages WHERE round_id = ?",
            (new, old),
        )


def _literal(word: str) -> str:
    return "".join(f"!{character}" if character in "%_!" else character for character in word)
