"""Counts the records of a database file, of whatever schema, and tells in what two such files differ: the main one of a
connection, and the one attached to it as `now`.

What only counts how a record was used is not compared: that is another with every answer.

A database that came from elsewhere is read to its last row: its pages may be whole, and what they say no time, no
number, no JSON.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
from msgspec import Struct

from orca_core.model.backups import KindChange
from orca_core.model.episodes import EPISODES
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.memories import MEMORIES
from orca_core.model.record_types import RecordType, parse_timestamp
from orca_core.model.tasks import TASKS
from orca_core.model.tools import GUIDES
from orca_core.operations.columns import fields_from_json
from orca_core.store.sqlite.deleted_rows import IS_GONE
from orca_core.store.sqlite.engine.failures import damaged
from orca_core.store.sqlite.engine.meta import count_of
from orca_core.store.sqlite.engine.scope import hashers

GREATEST = 1 << 62
"""Of the numbers that were given, so that others can be given after them."""
_TIMES = {"operations": "at", "sessions": "created_at", "rounds": "started_at"}
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, AssertionError, OverflowError, RecursionError)


def check_rows(connection: apsw.Connection, path: Path) -> None:
    """Raises StoreDamaged at the first row of the newest schema that can't be read: records with what was done to
    them, operations, chats, the home's secrets, and the numbers that were given."""
    for record_type in RECORD_TYPES:
        with _said_of(path, record_type.table):
            _check_records(connection, record_type)
    with _said_of(path, "memory_history"):
        for both in connection.execute("SELECT before, after FROM memory_history"):
            for each in both:
                _check(each is None or isinstance(fields_from_json(str(each)), dict))
    for table, column in _TIMES.items():
        with _said_of(path, table):
            for (at,) in connection.execute(f"SELECT {column} FROM {table}"):
                parse_timestamp(str(at))
    with _said_of(path, "meta"):
        hashers(connection)
    with _said_of(path, "sqlite_sequence"):
        for (given,) in connection.execute("SELECT seq FROM sqlite_sequence"):
            _check(isinstance(given, int) and 0 <= given < GREATEST)


def _check_records(connection: apsw.Connection, record_type: RecordType[Any]) -> None:
    names = ", ".join(f'"{name}"' for name in record_type.names)
    for row in connection.execute(f"SELECT {names} FROM {record_type.table}"):
        record_type.from_row(row)
        _check(all(math.isfinite(each) for each in row if isinstance(each, float)))


def _check(is_so: bool) -> None:
    if not is_so:
        raise ValueError


@contextmanager
def _said_of(path: Path, table: str) -> Iterator[None]:
    try:
        yield
    except _UNREADABLE as error:
        raise damaged(path, f"a row of {table} can't be read") from error


_COUNTS_OF_USE = frozenset(
    "access_count aged_from archived_at confirmed_by last_accessed searched searched_at seen text through used".split()
)
"""Also what follows from another field."""


class CountedKind(Struct, frozen=True):
    """`same` names the columns that are the same in two databases, `where` is a condition on the rows, `fields` are
    compared."""

    table: str
    same: tuple[str, ...] = ("scope", "uid")
    where: str = "1"
    fields: tuple[str, ...] = ()

    def rows(self, schema: str) -> str:
        """Those that nobody deleted."""
        return f"{schema}.{self.table} WHERE NOT ({IS_GONE}) AND {self.where}"


def _of_records(record_type: RecordType[Any], *further: str) -> CountedKind:
    fields = tuple(each for each in record_type.changeable if each not in _COUNTS_OF_USE)
    return CountedKind(record_type.table, fields=(*fields, *further))


KINDS: Mapping[str, CountedKind] = {
    "sessions": CountedKind("sessions", ("scope", "id", "created_at"), fields=("title",)),
    "rounds": CountedKind("rounds", ("scope", "session_id", "number", "attempt", "started_at"), "replaced_by IS NULL"),
    "memories": _of_records(MEMORIES),
    "episodes": _of_records(EPISODES),
    "knowledge": _of_records(KNOWLEDGES),
    "guides": _of_records(GUIDES),
    # A task is touched with each of its steps.
    "tasks": _of_records(TASKS, "updated_at"),
    "actions": CountedKind("actions", fields=("state",)),
    "tool_calls": CountedKind("tool_calls", ("scope", "identity")),
}
"""Kinds in every profile."""


def counts(connection: apsw.Connection) -> dict[str, int]:
    """How many records of each kind there are that nobody deleted; of kinds that this schema knows."""
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    return {kind: count_of(connection, each.rows("main")) for kind, each in KINDS.items() if each.table in there}


def newest_round(connection: apsw.Connection) -> str | None:
    """When the newest round began."""
    row = connection.execute(f"SELECT max(started_at) FROM rounds WHERE NOT ({IS_GONE})").fetchone()
    return None if row is None or row[0] is None else str(row[0])


def compared(connection: apsw.Connection, now: Mapping[str, int], then: Mapping[str, int]) -> dict[str, KindChange]:
    """What each kind would come to, of which there are so many now and then. A kind, or a column, that the older schema
    of one of them does not know is not compared."""
    return {kind: _change(connection, KINDS[kind], now.get(kind, 0), count) for kind, count in then.items()}


def _change(connection: apsw.Connection, kind: CountedKind, now: int, then: int) -> KindChange:
    known = _columns(connection, "now", kind.table) & _columns(connection, "main", kind.table)
    if not known.issuperset(kind.same):
        return KindChange(now, then, now, then)
    same = ", ".join(kind.same)

    def only_in(one: str, other: str) -> int:
        ours, theirs = (f"SELECT {same} FROM {kind.rows(schema)}" for schema in (one, other))
        return count_of(connection, f"({ours} EXCEPT {theirs})")

    return KindChange(now, then, only_in("now", "main"), only_in("main", "now"), _changed(connection, kind, known))


def _columns(connection: apsw.Connection, schema: str, table: str) -> set[str]:
    return {str(name) for (name,) in connection.execute("SELECT name FROM pragma_table_info(?, ?)", (table, schema))}


def _changed(connection: apsw.Connection, kind: CountedKind, known: set[str]) -> int:
    """How many are in both, and differ by a field."""
    if not (fields := [each for each in kind.fields if each in known]):
        return 0
    columns = ", ".join(dict.fromkeys((*kind.same, *fields)))
    here, there = (f"(SELECT {columns} FROM {kind.rows(schema)})" for schema in ("now", "main"))
    same = " AND ".join(f"a.{name} = b.{name}" for name in kind.same)
    differs = " OR ".join(f"a.{field} IS NOT b.{field}" for field in fields)
    return count_of(connection, f"{here} a JOIN {there} b ON {same} WHERE {differs}")
