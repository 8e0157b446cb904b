"""Whether what stands in the rows of a database can be read: its pages may be whole, and what they say no time, no
number, no JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.records import RecordType, parse_timestamp
from orca_core.store.sqlite.engine.failures import damaged
from orca_core.store.sqlite.engine.rows import fields_from_json
from orca_core.store.sqlite.index import text_keys

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
        text_keys.hashers(connection)
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
