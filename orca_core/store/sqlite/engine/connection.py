"""Opens a connection to SQLite with Orca's pragmas, the extension for vectors and the order of full-text hits."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep

import apsw

from orca_core.model.errors import StorageError
from orca_core.store.sqlite.engine import nearness

BUSY_TIMEOUT_MS = 10_000
"""An import of 100,000 memories holds the lock for five to six seconds (benchmarks/export_import.py): nobody who writes
beside it fails for that."""
POLL_S = 0.002
"""How often who waits for the lock looks whether it is free. SQLite's own waiting looks every 100 ms in the end, and
misses the pauses that long work makes. Chosen by hand."""
PAGE_SIZE = 8192
"""Chosen by hand."""


def in_memory() -> str:
    """Where a database is that lives in this process alone, until its last connection is closed: see `connect`."""
    return f"file:/orca-{os.urandom(8).hex()}?vfs=memdb"


def connect(where: Path | str, called: Path | None = None) -> apsw.Connection:
    """A connection with every setting that Orca relies on, checked where SQLite may refuse it; errors name `called`. A
    file has a path, a database in memory an address (`in_memory`)."""
    is_file = isinstance(where, Path)
    further = 0 if is_file else apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(where), flags=apsw.SQLITE_OPEN_READWRITE | further)
    wait_for_locks(connection)
    for pragma in (
        f"PRAGMA page_size={PAGE_SIZE}",
        "PRAGMA synchronous=FULL",
        "PRAGMA foreign_keys=ON",
        "PRAGMA secure_delete=ON",
        "PRAGMA cache_size=-32768",
        "PRAGMA journal_size_limit=67108864",
        "PRAGMA temp_store=MEMORY",
    ):
        connection.execute(pragma).fetchall()
    [mode] = connection.execute("PRAGMA journal_mode=WAL").fetchone() or ("none",)
    if mode != "wal" and is_file:
        raise StorageError(path=called or where, detail=f"this file system allows no WAL journal (it says {mode})")
    load_vectors(connection)
    connection.register_fts5_function(nearness.NAME, nearness.nearness)
    return connection


def wait_for_locks(connection: apsw.Connection) -> None:
    """Have it wait where another writes."""
    until = 0.0

    def wait(calls: int) -> bool:
        nonlocal until
        now = monotonic()
        if calls == 0:
            until = now + BUSY_TIMEOUT_MS / 1000
        sleep(POLL_S)
        return now < until

    connection.set_busy_handler(wait)


def load_vectors(connection: apsw.Connection) -> None:
    """Load sqlite-vec by its file: importing its package would load numpy, 96 ms."""
    connection.enable_load_extension(True)
    connection.load_extension(_vectors_file())
    connection.enable_load_extension(False)


@cache
def _vectors_file() -> str:
    """Where it is: every process looks for it once, not for every connection, each time half a millisecond."""
    spec = find_spec("sqlite_vec")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return str(Path(spec.submodule_search_locations[0]) / "vec0")
