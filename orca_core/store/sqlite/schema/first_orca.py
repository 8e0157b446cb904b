"""Migrates an Orca v1 database: sets its tables aside, reads them into the new ones, drops them.

v1 had long_term_memories without weight, tags and archived. Its columns differ between early versions, so each
row is read by the names that are there. Rows that can not become a memory are kept in v1_rejected, with the
reason.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import apsw

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import MemoryType
from orca_core.model.record_types import timestamp
from orca_core.rules.text.cleaning import TITLE_CHARS, check_memory_length, clean_memory, clean_message, one_line
from orca_core.rules.text.search_terms import index_terms
from orca_core.store.sqlite.index import word_index

SCOPE = "me"
V1_TABLES = (
    "long_term_memories",
    "short_term_memories",
    "main_messages",
    "sessions",
    "dialogue_buffer",
    "subagent_messages",
    "embedding_cache",
    "vec_long_term_memories",
)
PREFIX = "v1_"
LAST_RESORT = datetime(1970, 1, 1, tzinfo=UTC)

Row = Mapping[str, Any]


def looks_like_v1(connection: apsw.Connection) -> bool:
    """A table of memories with a text, and no weight yet."""
    columns = _columns(connection, "long_term_memories")
    return "content" in columns and "weight" not in columns


def set_aside(connection: apsw.Connection) -> tuple[str, ...]:
    """Rename the old tables; returns which there were."""
    if not looks_like_v1(connection):
        return ()
    found = tuple(name for name in V1_TABLES if _columns(connection, name))
    for name in found:
        if name.startswith("vec_"):
            connection.execute(f"DROP TABLE {name}")
            continue
        for (index,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", (name,)
        ).fetchall():
            quoted = str(index).replace('"', '""')
            connection.execute(f'DROP INDEX "{quoted}"')
        connection.execute(f"ALTER TABLE {name} RENAME TO {PREFIX}{name}")
    return found


def bring_over(connection: apsw.Connection, found: tuple[str, ...]) -> None:
    """Read the old tables into the new ones and drop them."""
    connection.execute("CREATE TABLE v1_rejected (content TEXT NOT NULL, reason TEXT NOT NULL) STRICT")
    for row in _rows(connection, "long_term_memories"):
        _bring_memory(connection, row)
    if "main_messages" in found:
        _bring_messages(connection)
    for name in found:
        if not name.startswith("vec_"):
            connection.execute(f"DROP TABLE {PREFIX}{name}")
    if connection.execute("SELECT 1 FROM v1_rejected").fetchone() is None:
        connection.execute("DROP TABLE v1_rejected")
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('wipe_pending', '1')")


def _bring_memory(connection: apsw.Connection, row: Row) -> None:
    raw = str(row.get("content") or "")
    content = clean_memory(raw)
    try:
        check_memory_length(content)
    except InvalidInput as error:
        connection.execute("INSERT INTO v1_rejected VALUES (?, ?)", (clean_message(raw), str(error)))
        return
    known = connection.execute(
        "SELECT id FROM long_term_memories WHERE scope = ? AND content = ?", (SCOPE, content)
    ).fetchone()
    if known is not None:
        connection.execute("UPDATE long_term_memories SET seen = seen + 1 WHERE id = ?", known)
        return
    created = _time(row.get("created_at"))
    tokens = " ".join(index_terms(content, created))
    connection.execute(
        "INSERT INTO long_term_memories (id, uid, scope, content, type, confidence, created_at, updated_at,"
        " origin_kind, confirmed_by, origin_session, tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'import', 'hand', ?, ?)",
        (
            row.get("id"), uuid4().hex, SCOPE, content, _type(row.get("type") or row.get("category")),
            _confidence(row.get("confidence")), timestamp(created),
            timestamp(_time(row.get("updated_at"), created)), row.get("session_id"), tokens,
        ),
    )  # fmt: skip
    word_index.put_words(connection, SCOPE, connection.last_insert_rowid(), tokens)


def _bring_messages(connection: apsw.Connection) -> None:
    """User and assistant messages in pairs, as rounds; an answer without a question gets an empty one."""
    titles = {str(row.get("id")): row for row in _rows(connection, "sessions")}
    numbers: dict[str, int] = {}
    waiting: dict[str, int] = {}
    for row in _rows(connection, "main_messages"):
        session = str(row.get("session_id") or "v1")
        at = timestamp(_time(row.get("created_at") or row.get("timestamp")))
        content = clean_message(str(row.get("content") or ""))
        role = row.get("role")
        if role not in ("user", "assistant"):
            connection.execute("INSERT INTO v1_rejected VALUES (?, ?)", (content, f"a message of role {role}"))
            continue
        if session not in numbers:
            numbers[session] = 0
            by_itself = one_line(content, TITLE_CHARS)
            title = str(titles.get(session, {}).get("title") or by_itself)
            connection.execute(
                "INSERT INTO sessions (id, scope, title, created_at, used_at, is_named) VALUES (?, ?, ?, ?, ?, ?)",
                (session, SCOPE, title, at, at, title != by_itself),
            )
        round_id = waiting.pop(session, None) if role == "assistant" else None
        if round_id is None:
            numbers[session] += 1
            round_id = _new_round(connection, session, numbers[session], at)
        if role == "user":
            waiting[session] = round_id
        else:
            connection.execute("UPDATE rounds SET state = 'done', finished_at = ? WHERE id = ?", (at, round_id))
        connection.execute(
            "INSERT INTO main_messages (round_id, role, content, at) VALUES (?, ?, ?, ?)",
            (round_id, role, content, at),
        )
        # Nobody reads an old chat for episodes: that would cost a model's answer for each.
        connection.execute(
            "UPDATE sessions SET used_at = ?, episodes_through = ? WHERE scope = ? AND id = ?",
            (at, numbers[session], SCOPE, session),
        )


def _new_round(connection: apsw.Connection, session: str, number: int, at: str) -> int:
    connection.execute(
        "INSERT INTO rounds (scope, session_id, number, attempt, state, started_at)"
        " VALUES (?, ?, ?, 1, 'interrupted', ?)",
        (SCOPE, session, number, at),
    )
    return connection.last_insert_rowid()


def _columns(connection: apsw.Connection, table: str) -> tuple[str, ...]:
    return tuple(name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def _rows(connection: apsw.Connection, table: str) -> Iterator[Row]:
    columns = _columns(connection, f"{PREFIX}{table}")
    if columns:
        for row in connection.execute(f"SELECT * FROM {PREFIX}{table} ORDER BY rowid").fetchall():
            yield dict(zip(columns, row, strict=True))


def _type(value: object) -> str:
    return str(value) if value in list(MemoryType) else MemoryType.FACT.value


def _confidence(value: object) -> float:
    if isinstance(value, str | bytes | int | float):
        with contextlib.suppress(ValueError):
            if 0.0 <= (number := float(value)) <= 1.0:
                return number
    return 1.0


def _time(value: object, otherwise: datetime = LAST_RESORT) -> datetime:
    """A time in any of v1's spellings: ISO, `2025-01-02 03:04:05`, seconds since 1970; UTC where it says none."""
    if isinstance(value, int | float):
        with contextlib.suppress(OverflowError, ValueError, OSError):
            return datetime.fromtimestamp(value, UTC)
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            parsed = datetime.fromisoformat(value.strip())
            return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        with contextlib.suppress(ValueError, OverflowError):
            return datetime.fromtimestamp(float(value), UTC)
    return otherwise
