"""A glimpse of records for who types their numbers: names and titles, read without opening a store. Where there is no
database, or it is another's, there is nothing to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

import apsw
from msgspec import Struct

PATIENCE_MS = 50
"""Who waits for a word at a prompt waits no longer for another process."""
TITLE_CHARS = 200
MOST_DIGITS = 12


class _Table(Struct, frozen=True):
    """`name` and `title` are expressions, `where` a condition on the rows; those of every profile count unless it
    `is_scoped`, and each name once where it `is_grouped`. A name with a `stem` is that and the row's number."""

    name: str
    title: str
    rows: str
    order: str = "id DESC"
    where: str = "1"
    is_scoped: bool = True
    is_grouped: bool = False
    stem: str | None = None


def _numbered(stem: str, title: str, rows: str, where: str = "1") -> _Table:
    return _Table(f"'{stem}' || id", title, rows, where=where, stem=stem)


_MEMORIES = "long_term_memories"
_CANDIDATE = "state = 'candidate'"
# The scopes one by one, each found behind the one before it: operations are many.
_SCOPES_OF_OPERATIONS = """
    WITH RECURSIVE found (scope) AS (
        SELECT min(scope) FROM operations
        UNION ALL SELECT (SELECT min(o.scope) FROM operations o WHERE o.scope > found.scope)
        FROM found WHERE found.scope IS NOT NULL
    ) SELECT scope FROM found WHERE scope IS NOT NULL
"""


TABLES: Mapping[str, Sequence[_Table]] = {
    "memory": (_numbered("", "content", _MEMORIES),),
    "live memory": (_numbered("", "content", _MEMORIES, where="state = 'live'"),),
    "pinned memory": (_numbered("", "content", _MEMORIES, where="pinned = 1"),),
    "archived memory": (_numbered("", "content", _MEMORIES, where="state IN ('archived', 'rejected')"),),
    "candidate": (
        _numbered("", "content", _MEMORIES, _CANDIDATE),
        _numbered("e", "trigger_summary", "episodes", _CANDIDATE),
        _numbered("k", "topic", "knowledge", _CANDIDATE),
        _numbered("g", "target", "guides", _CANDIDATE),
    ),
    **{
        name.format(kind): (_numbered(letter, title, rows, where),)
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
    "task": (_numbered("w", "request", "tasks"),),
    "open task": (_numbered("w", "request", "tasks", where="status = 'in_progress'"),),
    "act": (
        _numbered("a", "type || ' ' || session_id || CASE WHEN round IS NULL THEN '' ELSE ' ' || round END", "actions"),
    ),
    "session": (_Table("id", "title", "sessions", order="used_at DESC, rowid DESC"),),
    "tool": (_Table("tool", "count(*) || ' ×'", "tool_calls", order="count(*) DESC, tool", is_grouped=True),),
    "tag": (_Table("tag", "records || ' ×'", "tag_counts", order="records DESC, tag"),),
    "profile": (
        _Table(
            "scope",
            "''",
            f"(SELECT scope FROM sessions UNION SELECT * FROM ({_SCOPES_OF_OPERATIONS}))",
            order="scope",
            is_scoped=False,
        ),
    ),
    "operation": (_numbered("", "action || ' ' || at", "operations"),),
    "run": (_numbered("", "kind || ' ' || state || ' ' || session_id", "extraction_runs"),),
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
    number = beginning.removeprefix(table.stem or "")
    if table.stem is None or not beginning.startswith(table.stem):
        begins = f"substr(CAST({table.name} AS TEXT), 1, ?) = ?"
        return _asked(connection, table, scope, begins, (len(beginning), beginning), most)
    if not number:
        return _asked(connection, table, scope, "1", (), most)
    if not number.isdecimal() or number.startswith("0"):
        return []
    found: list[tuple[str, str]] = []
    for further in reversed(range(MOST_DIGITS - len(number))):  # 1, 10 to 19, 100 to 199 …
        first = int(number) * 10**further
        within = (first, first + 10**further - 1)
        found += _asked(connection, table, scope, "id BETWEEN ? AND ?", within, most - len(found))
    return found


def _asked(
    connection: apsw.Connection, table: _Table, scope: str, which: str, given: tuple[object, ...], most: int
) -> list[tuple[str, str]]:
    grouped = f" GROUP BY {table.name}" if table.is_grouped else ""
    # Where rows go by their numbers, the index of the scope is not to be taken.
    scoped = ("scope || ''" if table.stem is not None else "scope") + " = ?" if table.is_scoped else "? IS NOT NULL"
    rows = connection.execute(
        f"SELECT CAST({table.name} AS TEXT), substr({table.title}, 1, {TITLE_CHARS}) FROM {table.rows}"
        f" WHERE {scoped} AND ({table.where}) AND {which}{grouped} ORDER BY {table.order} LIMIT ?",
        (scope, *given, most),
    )
    return [(str(name), str(title)) for name, title in rows]
