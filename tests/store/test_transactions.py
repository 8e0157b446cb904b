"""Transactions beside readers, writers and other processes."""

from __future__ import annotations

import asyncio
import fcntl
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.deleting import database_of, opened
from fakes.documents import a_memory, document, only_brought
from fakes.patience import after
from fakes.records import begin, later, remember

from orca_core.model.errors import StoreBusy
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.memories import MEMORIES, Memory
from orca_core.operations.stores import Stores
from orca_core.rules.learning import similarity
from orca_core.store.ports import Condition, Rows, above, any_of, at_most, below, is_, is_not
from orca_core.store.sql.rows import select
from orca_core.store.sqlite.engine import connection
from orca_core.store.sqlite.engine import database as database_room
from orca_core.store.sqlite.engine.database import Database
from orca_core.store.sqlite.engine.scope import SQLiteRows
from orca_core.store.sqlite.store import OpenDatabase, open_database, open_stores

TWO = "a giraffe", "a zebra"


@pytest.fixture
def on_rows(run: Callable[..., object], tmp_path: Path) -> Callable[..., object]:
    """Carry out work on the rows of `me`, beside a scope `team` that holds the same."""

    async def working(work: Callable[[Rows], object], *, reads: bool) -> object:
        database: OpenDatabase = await open_database(tmp_path / "orca.db", must_exist=False)
        mine, team = database.scope("me", ("team",)), database.scope("team")
        for stores in (mine, team):
            await remember(stores, *TWO)
            await begin(stores)
        transactions = mine.sessions._transactions  # type: ignore[attr-defined]
        try:
            return await (transactions.read if reads else transactions.write)(work)
        finally:
            for stores in (mine, team):
                await stores.upkeep.aclose()
            await database.aclose()

    return lambda work, reads=False: run(working(work, reads=reads))


def test_a_write_touches_its_own_scope_alone(on_rows) -> None:
    def work(rows: Rows) -> tuple[int, int, int]:
        changed = rows.update(MEMORIES.table, {"weight": 9.0})
        there = rows.count(MEMORIES.table)
        return changed, there, rows.delete("sessions", is_("id", "s"))

    assert on_rows(work) == (2, 2, 1)


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (is_("content", "a zebra"), ["a zebra"]),
        (is_not("content", "a zebra"), ["a giraffe"]),
        (is_("superseded_by", None), list(TWO)),
        (is_not("superseded_by", None), []),
        (any_of("content", ["a zebra", "an okapi"]), ["a zebra"]),
        (any_of("content", []), []),
        (above("weight", 1.0), []),
        (at_most("weight", 1.0), list(TWO)),
        (below("weight", 1.0), []),
    ],
)
def test_conditions_say_what_a_column_must_be(on_rows, condition: Condition, found: list[str]) -> None:
    def work(rows: Rows) -> list[object]:
        return [row[0] for row in rows.select(MEMORIES.table, ("content",), condition, order=("id",))]

    assert on_rows(work) == found


def test_rows_come_in_the_order_asked_and_no_more_than_asked(on_rows) -> None:
    def work(rows: Rows) -> list[object]:
        return [row[0] for row in rows.select(MEMORIES.table, ("content",), order=("-content",), limit=1)]

    assert on_rows(work) == ["a zebra"]


@pytest.mark.parametrize(
    ("table", "column"),
    [*((each.table, "id") for each in RECORD_TYPES), ("rounds", "id"), ("dialogue_buffer", "round_id")],
)
def test_rows_are_found_by_their_numbers_without_a_walk_through_their_scope(on_rows, table: str, column: str) -> None:
    """A turn would pay for all that was ever said and remembered, and others wait for it (`benchmarks/backup.py`)."""

    def work(rows: Rows) -> list[str]:
        assert isinstance(rows, SQLiteRows)
        which = select(table, ("id",), 1, ((column, "any of"), ("id", "is not")), (), False)
        return [plan for *_, plan in rows.connection.execute(f"EXPLAIN QUERY PLAN {which}", ("me", "[1, 2]", 0))]

    search, *_ = on_rows(work)
    assert search.startswith(f"SEARCH {table} USING ")
    assert "scope=?" not in search


WRITER_TIMEOUT_MS = 2000
"""Less than a connection waits for a lock, and more than anything takes here."""


def reading(path: Path) -> apsw.Connection:
    """As a backup or an export does: a read that has begun, and does not end."""
    connection = apsw.Connection(str(path))
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM long_term_memories").fetchall()
    return connection


class Writer(threading.Thread):
    """Begins a write again and again, until it is stopped or fails."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._is_over = threading.Event()
        self.begun = 0
        self.failure: apsw.Error | None = None

    def run(self) -> None:
        connection = apsw.Connection(str(self._path))
        connection.set_busy_timeout(WRITER_TIMEOUT_MS)
        try:
            while not self._is_over.is_set():
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
                self.begun += 1
        except apsw.BusyError as error:
            self.failure = error
        connection.close()

    def stop(self) -> None:
        self._is_over.set()
        self.join()


async def test_nobody_waits_to_write_until_a_long_read_ends(tmp_path: Path) -> None:
    """To empty the WAL SQLite keeps all writers off, and waits for the readers."""
    stores = await opened(tmp_path)
    await remember(stores, "a giraffe")
    reader = reading(tmp_path / "orca.db")
    await remember(stores, "a zebra")
    writer = Writer(tmp_path / "orca.db")
    writer.start()

    is_emptied = await database_of(stores).checkpoint()
    writer.stop()
    reader.close()

    assert writer.failure is None
    assert writer.begun
    assert not is_emptied
    assert await database_of(stores).checkpoint()


async def test_no_write_waits_until_the_journal_is_written_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    write_back = Database._write_back

    def held_up(self: Database) -> None:
        may_go_on.wait()
        write_back(self)

    monkeypatch.setattr(database_room, "CHECKPOINT_PAGES", 10)
    monkeypatch.setattr(Database, "_write_back", held_up)
    stores = await opened(tmp_path)
    database, path = database_of(stores), tmp_path / "orca.db"
    before = path.stat().st_size
    await remember(stores, *(f"giraffe number {number}" for number in range(60)))
    assert path.stat().st_size == before

    may_go_on.set()
    assert database._checkpointing is not None
    database._checkpointing.result()
    assert path.stat().st_size > before


async def test_a_journal_is_emptied_once_it_is_written_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_room, "CHECKPOINT_PAGES", 1)
    stores = await opened(tmp_path)
    for number in range(20):
        await remember(stores, f"giraffe number {number}")
        assert await database_of(stores).checkpoint()
        assert not (tmp_path / "orca.db-wal").stat().st_size


async def test_what_is_still_queued_when_orca_ends_waits_for_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each would wait out the time for a lock, one after the other: quitting beside a locked database took 29 s."""
    waits: list[float] = []
    monkeypatch.setattr(connection, "sleep", waits.append)
    loop = asyncio.get_running_loop()
    database = await Database.open(tmp_path / "orca.db", must_exist=False)
    started, go_on = asyncio.Event(), asyncio.Event()

    def hold_up(_connection: apsw.Connection) -> None:
        loop.call_soon_threadsafe(started.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()

    holder = connection.connect(tmp_path / "orca.db")
    holder.execute("BEGIN IMMEDIATE")
    first = asyncio.create_task(database.raw(hold_up))
    await started.wait()
    writing = [asyncio.create_task(database.write(lambda _: None)) for _ in range(2)]
    await asyncio.sleep(0)
    closing = asyncio.create_task(database.aclose())
    await asyncio.sleep(0)
    go_on.set()
    refused = await asyncio.gather(*writing, return_exceptions=True)
    await asyncio.gather(closing, first)
    holder.close()

    assert [type(each) for each in refused] == [StoreBusy, StoreBusy]
    assert waits == []


LEADER = """
import asyncio, sys
from pathlib import Path
from orca_core.store.sqlite.store import open_stores

async def lead():
    stores = await open_stores(Path(sys.argv[1]), scope="me", must_exist=False)
    print(await stores.upkeep.acquire_lead(), flush=True)
    sys.stdin.read()

asyncio.run(lead())
"""


async def test_another_process_leads_until_it_dies(opened, tmp_path: Path) -> None:
    async with opened("me") as stores, opened("work") as other:
        with subprocess.Popen(  # noqa: ASYNC220  # another Orca, which is waited for by its first line
            [sys.executable, "-c", LEADER, str(tmp_path / "orca.db")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as leader:
            assert leader.stdout is not None
            assert leader.stdout.readline() == b"True\n"
            assert not await stores.upkeep.acquire_lead()
            assert await other.upkeep.acquire_lead()
            leader.kill()
            leader.wait()
        assert await stores.upkeep.acquire_lead()


async def test_an_acquire_that_is_cancelled_keeps_nothing(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    called = threading.Event()
    lock = fcntl.fcntl

    def slow(file: int, how: int, which: bytes) -> None:
        called.set()
        after(0.05)
        lock(file, how, which)

    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    async with opened("me") as stores, opened("me") as other:
        monkeypatch.setattr(fcntl, "fcntl", slow)
        leading = asyncio.create_task(stores.upkeep.acquire_lead())
        while not called.is_set():
            await asyncio.sleep(0)
        leading.cancel()
        await asyncio.wait({leading})
        if not leading.cancelled():  # it came too late: then the lock is held by somebody who knows
            await stores.upkeep.resign_lead()
        await asyncio.to_thread(int)  # behind whatever the cancelled one may have left to a thread
        assert await other.upkeep.acquire_lead()


TOLD = document(a_memory("The rent is 900 euros"), a_memory("The rent is 950 euros"))


class Comparing:
    """Compares as the rule does, and tries to write meanwhile."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._path = path
        self._why_a_pair = similarity.why_a_pair
        monkeypatch.setattr(similarity, "why_a_pair", self.why_a_pair)
        self.could_write: list[bool] = []

    def why_a_pair(self, newer: Memory, older: Memory) -> str:
        connection = apsw.Connection(str(self._path))
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            self.could_write.append(True)
        except apsw.BusyError:
            self.could_write.append(False)
        finally:
            connection.close()
        return self._why_a_pair(newer, older)

    async def opened(self) -> Stores:
        return await open_stores(self._path, scope="me", must_exist=False)


async def pairs(stores: Stores) -> set[str]:
    return {each.newer.content + each.older.content for each in await stores.memories.undecided()}


async def test_an_import_is_compared_beside_writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    comparing = Comparing(tmp_path / "orca.db", monkeypatch)
    stores = await comparing.opened()
    await only_brought(stores, TOLD)
    while await stores.imports.compare(later()):
        continue
    assert len(await pairs(stores)) == 1
    await stores.upkeep.aclose()
    assert len(comparing.could_write) > 1
    assert all(comparing.could_write)


async def test_what_was_changed_after_it_was_compared_is_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    comparing: Any = Comparing(tmp_path / "orca.db", monkeypatch)
    stores = await comparing.opened()
    await only_brought(stores, TOLD)
    writer = await comparing.opened()
    write = stores.imports._transactions.write  # type: ignore[attr-defined]

    async def after_another(work: Any) -> Any:
        await writer.history.undo(None, later())
        stores.imports._transactions.write = write  # type: ignore[attr-defined]
        return await write(work)

    stores.imports._transactions.write = after_another  # type: ignore[attr-defined]
    await stores.imports.compare(later())
    assert await pairs(stores) == set()
