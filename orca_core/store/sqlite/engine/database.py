"""One SQLite file with its threads, and work in slices, so that others who write get their turn."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TypeVar

import apsw

from orca_core.model.errors import InvalidInput, StorageError, StoreMissing, StoreOutOfReach
from orca_core.owned_tasks import LOG, carried_through, log_failure
from orca_core.rules.memory.memory_upkeep import BEGUN_S, FIRST, next_slice_size
from orca_core.store.ports import Slice
from orca_core.store.sqlite.engine import processes
from orca_core.store.sqlite.engine.connection import connect, in_memory, reading, wait_for_locks, writing
from orca_core.store.sqlite.engine.failures import translate, translate_os
from orca_core.store.sqlite.engine.opening import Check, Fill, prepared

T = TypeVar("T")

PAUSE_S = 0.01
"""The least pause between two slices; at least as long as the slice took (docs/decisions/0007)."""


WAITING_SHARE = 0.25
"""What a second of waiting counts beside one of work. Chosen by hand: a slice ends after 10 ms of work or 40 by the
clock."""


def effort() -> Callable[[], float]:
    """Asked later, how many seconds this thread has worked since. A busy machine lets it wait for a core, and a slow
    disk for a page: if that counted whole, every slice would be small, and many; if not at all, one would take long."""
    worked_s, began_s = time.thread_time(), time.monotonic()
    return lambda: max(time.thread_time() - worked_s, WAITING_SHARE * (time.monotonic() - began_s))


def slice_of(most: int) -> Slice:
    """What a transaction may take that this thread has begun now."""
    spent = effort()
    return Slice(most, lambda: spent() >= BEGUN_S)


async def in_slices(work: Callable[[int], Awaitable[tuple[T | None, float]]]) -> T:
    """Do it until it returns something, told how much to take; it returns as well how long it worked under the lock."""
    size = FIRST
    while True:
        started = time.monotonic()
        found, worked_s = await work(size)
        if found is not None:
            return found
        size = next_slice_size(size, worked_s)
        await asyncio.sleep(max(PAUSE_S, time.monotonic() - started))


async def until_done(work: Callable[[], Awaitable[bool]]) -> None:
    """Do it as long as it says that there is more."""
    while True:
        started = time.monotonic()
        if not await work():
            return
        await asyncio.sleep(max(PAUSE_S, time.monotonic() - started))


S = TypeVar("S")
Work = Callable[[apsw.Connection], T]

READERS = 2
"""Two, so that a turn reads while a list is being read. Chosen by hand."""
CHECKPOINT_PAGES = 1000
"""From so many pages on the WAL is written back into the database, as SQLite does by itself. Chosen by hand."""
MOST_PAGES = 4 * CHECKPOINT_PAGES
"""From so many on the next write waits until they are written back. Chosen by hand."""
READERS_TIMEOUT_MS = 100
"""So long the WAL is emptied for readers to end: all writers wait meanwhile, and a backup or an export reads for
minutes. Chosen by hand."""


class Database:
    """Reads on two threads, writes on one, each thread with a connection of its own. A further one writes the WAL back:
    SQLite would do it at the end of a write, which takes some milliseconds then."""

    def __init__(self, path: Path, failure: StoreOutOfReach | None = None) -> None:
        """With a `failure` it is empty, in memory, and stands in the place of the one that can't be opened: every write
        raises that."""
        self.path = path
        self.failure = failure
        self.where = path if failure is None else in_memory()
        self._local = threading.local()
        self._connections: list[apsw.Connection] = []
        self._lock = threading.Lock()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="orca-write")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="orca-read")
        self._checkpointer = ThreadPoolExecutor(1, thread_name_prefix="orca-checkpoint")
        self._checkpointing: Future[None] | None = None
        self._inode: int | None = None
        self._is_closed = False
        self.owner = processes.this_process()

    @classmethod
    async def open(
        cls, path: Path, *, must_exist: bool, check: Check | None = None, fill: Fill | None = None
    ) -> Database:
        """The database at `path`, made with private permissions where there is none and none was promised.

        `check` looks at it through a connection that can not write, and may refuse it; `fill` makes the tables of a
        new one. Raises StorageError.
        """
        inode = await asyncio.to_thread(prepared, path, must_exist=must_exist, check=check, fill=fill)
        database = cls(path)
        try:
            await database.raw(lambda connection: None)
        except BaseException:
            await database.aclose()
            raise
        database._inode = inode
        return database

    @classmethod
    async def in_place_of(cls, path: Path, failure: StoreOutOfReach, fill: Fill) -> Database:
        """An empty one for a database that can't be opened; `fill` makes its tables."""
        database = cls(path, failure)
        await database.raw(fill)
        return database

    async def read(self, work: Work[T]) -> T:
        """Run `work` on a reader, in one snapshot."""

        def snapshot(connection: apsw.Connection) -> T:
            with reading(connection):
                return work(connection)

        return await self._in_thread(self._readers, snapshot)

    async def write(self, work: Work[T]) -> T:
        """Run `work` on the writer, in one transaction: all of it or nothing.

        A caller that is cancelled meanwhile does not cut the transaction: it is finished without it.
        """

        def transaction(connection: apsw.Connection) -> T:
            self._check_still_there()
            with writing(connection):
                return work(connection)

        return await self._in_thread(self._writer, transaction)

    async def raw(self, work: Work[T]) -> T:
        """Run `work` on the writer outside any transaction: for pragmas, backups and checkpoints."""
        return await self._in_thread(self._writer, work)

    async def foreign_writes(self) -> int:
        """A number that changes when another process writes."""
        return await self.raw(_written_by_others)

    async def checkpoint(self) -> bool:
        """Checkpoint the WAL and empty it; False where a reader blocks it."""

        def fold(connection: apsw.Connection) -> bool:
            if self._checkpointing is not None:
                wait([self._checkpointing])
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()  # most of it, while others write
            connection.set_busy_timeout(READERS_TIMEOUT_MS)
            try:
                busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1, 0, 0)
            finally:
                wait_for_locks(connection)
            return not busy

        return await self.raw(fold)

    async def finish_writes(self) -> None:
        """Wait for every write that was begun before this call."""
        await self.raw(lambda connection: None)

    async def aclose(self) -> None:
        """Close every connection and end the threads."""
        self._is_closed = True
        for executor in (self._readers, self._writer, self._checkpointer):
            await asyncio.to_thread(executor.shutdown)
        for connection in self._connections:
            connection.close()
        self._connections.clear()

    async def _in_thread(self, executor: ThreadPoolExecutor, work: Work[T]) -> T:
        if self._is_closed:
            raise StoreOutOfReach(path=self.path, detail="Orca has closed it")

        def run() -> T:
            try:
                connection = self._connection()
                if self._is_closed:
                    connection.set_busy_timeout(0)  # at the end of Orca no write waits for a lock
                return work(connection)
            except apsw.Error as error:
                raise translate(error, self.path) from error
            except OSError as error:
                raise translate_os(error, self.path) from error
            except OverflowError as error:  # SQLite's integers have 64 bits, Python's have no end.
                raise InvalidInput(template="that number is too large to name anything") from error
            except UnicodeEncodeError as error:  # Python's texts may hold half a surrogate pair, SQLite's may not.
                raise InvalidInput(template="that text holds half a character") from error

        return await carried_through(asyncio.get_running_loop().run_in_executor(executor, run))

    def _connection(self) -> apsw.Connection:
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect(self.where)
            connection.set_wal_hook(self._checkpoint_later)
            self._local.connection = connection
            with self._lock:
                self._connections.append(connection)
        return connection

    def _checkpoint_later(self, connection: apsw.Connection, _name: str, pages: int) -> int:
        """After a commit, of which the lock is free again. Beside one write after the other the WAL is never written
        back to its last page, so that it grows: where it is long, the writer waits for it."""
        is_under_way = self._checkpointing is not None and not self._checkpointing.done()
        if pages >= CHECKPOINT_PAGES and not is_under_way and not self._is_closed:
            try:
                self._checkpointing = self._checkpointer.submit(self._write_back)
            except RuntimeError as error:  # there is no further thread: the write is done, and the next one tries again
                LOG.warning("the journal of %s was not written back: %s", self.path.name, error)
                return apsw.SQLITE_OK
            self._checkpointing.add_done_callback(log_failure)
        if pages >= MOST_PAGES and self._checkpointing is not None:
            wait([self._checkpointing])
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        return apsw.SQLITE_OK

    def _write_back(self) -> None:
        """As much as no reader needs any more; others write meanwhile."""
        self._connection().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _check_still_there(self) -> None:
        """Raise if the file was deleted or replaced: writes would seem to succeed and be lost; or can't be opened."""
        if self.failure is not None:
            raise self.failure.with_traceback(None)
        if self._inode is None:
            return
        try:
            inode = self.path.stat().st_ino
        except FileNotFoundError as error:
            raise StoreMissing(path=self.path) from error
        if inode != self._inode:
            raise StorageError(
                path=self.path, detail="the file was replaced while Orca had it open", hint="start Orca again"
            )


def _written_by_others(connection: apsw.Connection) -> int:
    """A number that changes when another process writes: all writes of this process go through the writer's connection,
    for which SQLite does not count its own."""
    [number] = connection.execute("PRAGMA data_version").fetchone() or (0,)
    return int(number)
