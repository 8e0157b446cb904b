"""A glimpse of records for who types their numbers: names and titles, read without opening a store. Where there is no
database, or it is another's, there is nothing to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import apsw

PATIENCE_MS = 50
"""Who waits for a word at a prompt waits no longer for another process."""
TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class _Table:
    """`name` and `title` are expressions, `where` a condition on the rows; those of every profile count unless it
    `is_scoped`, and each name once where it `is_grouped`."""

    name: str
    title: str
    rows: str
    order: str = "id DESC"
    where: str = "1"
    is_scoped: bool = True
    is_grouped: bool = False


_MEMORIES = "long_term_memories"


def _candidates(letter: str, title: str, rows: str) -> _Table:
    return _Table(f"'{letter}' || id", title, rows, where="state = 'candidate'")


TABLES: Mapping[str, Sequence[_Table]] = {
    "memory": (_Table("id", "content", _MEMORIES),),
    "live memory": (_Table("id", "content", _MEMORIES, where="state = 'live'"),),
    "pinned memory": (_Table("id", "content", _MEMORIES, where="pinned = 1"),),
    "archived memory": (_Table("id", "content", _MEMORIES, where="state IN ('archived', 'rejected')"),),
    "candidate": (
        _Table("id", "content", _MEMORIES, where="state = 'candidate'"),
        _candidates("e", "trigger_summary", "episodes"),
        _candidates("k", "topic", "knowledge"),
        _candidates("g", "target", "guides"),
    ),
    **{
        name.format(kind): (_Table(f"'{letter}' || id", title, rows, where=where),)
        for kind, letter, title, rows in (
            ("episode", "e", "trigger_summary", "episodes"),
            ("knowledge", "k", "topic", "knowledge"),
            ("guide", "g", "target", "guides"),
        )
        for name, where in (
            ("{}", "1"),
            ("live {}", "state = 'live'"),
            ("pinned {}", "pinned = 1"),
            ("archived {}", "state IN ('archived', 'rejected')"),
            ("candidate {}", "state = 'candidate'"),
        )
    },
    "task": (_Table("'w' || id", "request", "tasks"),),
    "open task": (_Table("'w' || id", "request", "tasks", where="status = 'in_progress'"),),
    "act": (
        _Table(
            "'a' || id", "type || ' ' || session_id || CASE WHEN round IS NULL THEN '' ELSE ' ' || round END", "actions"
        ),
    ),
    "session": (_Table("id", "title", "sessions", order="used_at DESC, rowid DESC"),),
    "tool": (_Table("tool", "count(*) || ' ×'", "tool_calls", order="count(*) DESC, tool", is_grouped=True),),
    "tag": (
        _Table(
            "value",
            "count(*) || ' ×'",
            "(SELECT scope, tags FROM long_term_memories UNION ALL SELECT scope, tags FROM episodes"
            " UNION ALL SELECT scope, tags FROM tasks), json_each(tags)",
            order="count(*) DESC, value",
            is_grouped=True,
        ),
    ),
    "profile": (
        _Table(
            "scope",
            "''",
            "(SELECT scope FROM sessions UNION SELECT scope FROM operations)",
            order="scope",
            is_scoped=False,
        ),
    ),
    "operation": (_Table("id", "action || ' ' || at", "operations"),),
    "run": (_Table("id", "kind || ' ' || state || ' ' || session_id", "extraction_runs"),),
}
"""What can be named, and where its names and titles stand."""


def titles(path: Path, scope: str, what: str, beginning: str, most: int) -> list[tuple[str, str]]:
    """Names that begin so, with their titles as they are stored, the newest first. Nothing is written."""
    if not path.is_file():
        return []
    try:
        connection = _opened(path)
        try:
            connection.set_busy_timeout(PATIENCE_MS)
            return [each for table in TABLES[what] for each in _read(connection, table, scope, beginning, most)][:most]
        finally:
            connection.close()
    except apsw.Error:
        return []


def _opened(path: Path) -> apsw.Connection:
    """Where nobody else has it open it is taken as it lies there: to open it otherwise would leave a journal behind."""
    journal = path.with_name(f"{path.name}-wal")
    how = "mode=ro" if journal.exists() else "mode=ro&immutable=1"
    return apsw.Connection(
        f"file:{quote(str(path.absolute()))}?{how}", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )


def _read(connection: apsw.Connection, table: _Table, scope: str, beginning: str, most: int) -> list[tuple[str, str]]:
    grouped = f" GROUP BY {table.name}" if table.is_grouped else ""
    scoped = "scope = ?" if table.is_scoped else "? IS NOT NULL"
    rows = connection.execute(
        f"SELECT CAST({table.name} AS TEXT), substr({table.title}, 1, {TITLE_CHARS}) FROM {table.rows}"
        f" WHERE {scoped} AND ({table.where}) AND substr(CAST({table.name} AS TEXT), 1, ?) = ?{grouped}"
        f" ORDER BY {table.order} LIMIT ?",
        (scope, len(beginning), beginning, most),
    )
    return [(str(name), str(title)) for name, title in rows]
