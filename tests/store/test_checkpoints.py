"""Emptying the WAL beside readers and writers."""

from __future__ import annotations

import threading
from pathlib import Path

import apsw
import pytest
from fakes.deleting import database_of, opened
from fakes.records import remember

from orca_core.store.sqlite.engine import database as database_room
from orca_core.store.sqlite.engine.database import Database

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
