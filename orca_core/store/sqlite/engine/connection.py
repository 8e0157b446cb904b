"""Connections to SQLite with Orca's pragmas, the transactions on them, and one that stands aside."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

import apsw

from orca_core.model.errors import StorageError
from orca_core.owned_tasks import log_failure
from orca_core.store.sqlite.engine.failures import translate, translate_os

NEARNESS = "nearness"
SATURATION, LENGTH_SHARE = 1.2, 0.75
"""Those of BM25: how little a further occurrence counts, and how much the length does."""
MEAN_WORDS = 150
"""About as many words as a message has in the index. Chosen by hand."""


def nearness(api: apsw.FTS5ExtensionApi, *_arguments: apsw.SQLiteValue) -> float:
    """What BM25 makes of how often the words stand in a row of this length. How rare each word is does not count:
    FTS5's own rank would read all rows that hold it, and all hits hold it alike."""
    length = api.column_size(-1) / MEAN_WORDS
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
    found = (len(api.phrase_column_offsets(phrase, 0)) for phrase in range(api.phrase_count))
    return sum(count / (count + damping) for count in found)


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
    connection.register_fts5_function(NEARNESS, nearness)
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


@contextmanager
def reading(connection: apsw.Connection) -> Iterator[None]:
    """One snapshot."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


@contextmanager
def writing(connection: apsw.Connection) -> Iterator[None]:
    """One transaction that writes: all of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


T = TypeVar("T")


def _log_unless_cut(done: asyncio.Future[T]) -> None:
    """That it was cut is what its caller wanted."""
    if not done.cancelled() and (error := done.exception()) and isinstance(error.__cause__, apsw.InterruptError):
        return
    log_failure(done)


class SideConnection:
    """Opened at its first use. Whoever made it closes it."""

    def __init__(self, where: Path | str) -> None:
        self._where = where
        self.path = Path(where)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="orca-side")
        self._connection: apsw.Connection | None = None

    async def run(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run `work` on it, outside any transaction. Where the caller is cancelled, it is cut, and what it began is
        rolled back. Raises StorageError."""

        def translated() -> T:
            try:
                if self._connection is None:
                    self._connection = connect(self._where)
                return work(self._connection)
            except apsw.InterruptError as error:
                raise StorageError(path=self.path, detail="cut short") from error
            except apsw.Error as error:
                raise translate(error, self.path) from error
            except OSError as error:
                raise translate_os(error, self.path) from error

        running = asyncio.get_running_loop().run_in_executor(self._thread, translated)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            running.add_done_callback(_log_unless_cut)
            if self._connection is not None:
                self._connection.interrupt()
            raise

    async def aclose(self) -> None:
        """Close it, also for a caller that is cancelled; what it has begun and not committed is rolled back."""
        closing = asyncio.ensure_future(asyncio.to_thread(self._close))
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:
            await closing
            raise

    def _close(self) -> None:
        self._thread.shutdown()
        if self._connection is not None:
            self._connection.close()
            self._connection = None
