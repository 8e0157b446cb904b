"""What a database file must be, how it comes to be there, and the sentence where it can not be used; nothing that is
refused is touched."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.records import AT, header, remember

from orca_core.model.errors import (
    DiskFailed,
    SchemaTooNew,
    StorageError,
    StoreBusy,
    StoreDamaged,
    StoreForeign,
    StoreFull,
    StoreMissing,
    StoreOutOfReach,
    StoreReadOnly,
)
from orca_core.model.views import MemoryQuery
from orca_core.operations.stores import Stores
from orca_core.rules.memory.memory_curation import criteria
from orca_core.store.sqlite.engine.failures import translate, translate_os
from orca_core.store.sqlite.engine.opening import prepared
from orca_core.store.sqlite.schema import migrations
from orca_core.store.sqlite.schema.migrations import make_tables
from orca_core.store.sqlite.store import open_stores, open_stores_or_none


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def opened(path: Path, *, must_exist: bool = False) -> None:
    stores = await open_stores(path, scope="me", must_exist=must_exist)
    await stores.upkeep.aclose()


async def test_files_are_private_from_the_first_byte(tmp_path: Path) -> None:
    path = tmp_path / "home" / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await remember(stores, "aa")

    assert mode(path.parent) == 0o700
    assert {each.name: mode(each) for each in path.parent.iterdir()} == {
        "orca.db": 0o600,
        "orca.db-wal": 0o600,
        "orca.db-shm": 0o600,
    }


def test_a_file_that_was_named_must_be_there(run, tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match="there is no database at this path"):
        run(opened(tmp_path / "no.db", must_exist=True))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"hello, this is a letter\n" * 50, b"SQLite format 3\x00" + b"\x00" * 30])
def test_what_is_no_database_stays_as_it_is(run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(content)

    with pytest.raises(StorageError) as caught:
        run(opened(path, must_exist=True))

    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_another_applications_database_is_refused(run, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE photos (id)")
    other.close()
    before = path.read_bytes()

    with pytest.raises(StoreForeign):
        run(opened(path, must_exist=True))
    assert path.read_bytes() == before


def test_a_newer_database_is_refused_untouched(run, tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    run(opened(path))
    newer = apsw.Connection(str(path))
    newer.execute(f"PRAGMA user_version = {migrations.NEWEST + 1}")
    newer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    newer.close()
    before = path.read_bytes()

    with pytest.raises(SchemaTooNew, match=r"written by a newer Orca \(schema \d+, this one knows \d+\) — update Orca"):
        run(opened(path))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (apsw.BusyError("locked"), StoreBusy),
        (apsw.LockedError("locked"), StoreBusy),
        (apsw.FullError("full"), StoreFull),
        (apsw.ReadOnlyError("ro"), StoreReadOnly),
        (apsw.CantOpenError("no"), StoreReadOnly),
        (apsw.CorruptError("bad"), StoreDamaged),
        (apsw.IOError("io"), DiskFailed),
        (apsw.NotADBError("no"), StoreForeign),
        (apsw.SQLError("syntax"), StorageError),
    ],
)
def test_every_failure_of_the_library_has_its_sentence(error: apsw.Error, kind: type[StorageError]) -> None:
    translated = translate(error, Path("/somewhere/orca.db"))

    assert type(translated) is kind
    assert str(translated).startswith("/somewhere/orca.db: ")


async def test_a_full_disk_is_told_and_what_was_stored_is_safe(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await remember(stores, "aa")
    database = stores.upkeep._scope._database
    await database.raw(lambda c: c.execute("PRAGMA max_page_count = 1").fetchall())
    with pytest.raises(StoreFull, match="the disk is full"):
        await remember(stores, *(f"{number} " + "x" * 1900 for number in range(200)))

    page = await stores.memories.page(MemoryQuery(criteria("all", 5.0), limit=1))
    assert page.records


async def test_a_database_that_another_process_holds_is_busy(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await stores.upkeep._scope._database.raw(lambda c: c.set_busy_timeout(50))
    holder = apsw.Connection(str(path))
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="another process holds the database"):
        await remember(stores, "aa")
    holder.execute("ROLLBACK")
    holder.close()
    assert await remember(stores, "aa") == [1]


@pytest.mark.parametrize("how", ["deleted", "replaced"])
async def test_a_file_that_vanishes_while_open_is_noticed(tmp_path: Path, how: str) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    path.unlink()
    if how == "replaced":
        path.write_bytes(b"")
    with pytest.raises(StorageError):
        await remember(stores, "aa")


KILLED_WHILE_IT_MAKES_A_DATABASE = """
import os, signal, sys
from pathlib import Path
from orca_core.store.sqlite.schema.migrations import make_tables
from orca_core.store.sqlite.engine.opening import prepared

def fill(connection):
    make_tables(connection)
    os.kill(os.getpid(), signal.SIGKILL)

prepared(Path(sys.argv[1]), must_exist=False, check=None, fill=fill)
"""


async def filled(path: Path) -> None:
    stores = await open_stores(path, scope="me", must_exist=False)
    await remember(stores, "aa")
    await stores.upkeep.aclose()


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.mark.parametrize("left", [b"", b"\0", b"SQLite format 3\x00"], ids=["nothing", "one byte", "half a header"])
def test_a_database_that_was_emptied_is_no_fresh_start(run, tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "orca.db"
    run(filled(path))
    path.write_bytes(left)

    with pytest.raises(StoreDamaged, match=rf"the database is empty \({len(left)} bytes are left of it\) — keep it"):
        run(opened(path))

    assert path.read_bytes() == left
    assert names(tmp_path) == ["orca.db"]


def test_damage_names_a_backup_only_where_one_is(run, tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    path.touch()
    backup = tmp_path / "backups" / "orca-schema-2.db"
    backup.parent.mkdir()
    with pytest.raises(StoreDamaged) as without:
        run(opened(path))
    backup.touch()
    with pytest.raises(StoreDamaged) as with_an_empty_one:
        run(opened(path))
    backup.write_bytes(b"SQLite format 3\0 and so on")
    with pytest.raises(StoreDamaged) as with_one:
        run(opened(path))

    assert str(backup) not in str(without.value) + str(with_an_empty_one.value)
    assert f"orca restore {backup}" in str(with_one.value)


def test_a_journal_without_its_database_is_kept(run, tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    journal = tmp_path / "orca.db-wal"
    journal.write_bytes(b"what was said last")

    with pytest.raises(StorageError, match=r"its journal orca\.db-wal is still there"):
        run(opened(path))

    assert names(tmp_path) == ["orca.db-wal"]
    assert journal.read_bytes() == b"what was said last"


def test_what_is_no_regular_file_is_refused_at_once(run, tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    os.mkfifo(path)

    with pytest.raises(StoreForeign, match="it is no regular file"):
        run(opened(path))


def test_a_creation_that_is_killed_leaves_no_database_and_no_rubbish(run, tmp_path: Path) -> None:
    path = tmp_path / "orca.db"

    killed = subprocess.run([sys.executable, "-c", KILLED_WHILE_IT_MAKES_A_DATABASE, str(path)], check=False)

    assert killed.returncode == -signal.SIGKILL
    assert not path.exists()
    assert names(tmp_path) != []
    run(filled(path))
    assert names(tmp_path) == ["orca.db"]


@pytest.mark.parametrize("has_second_names", [True, False])
def test_of_two_that_create_at_once_one_wins_and_the_other_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_second_names: bool
) -> None:
    path = tmp_path / "orca.db"
    both_are_made = threading.Barrier(2, timeout=30)

    def fill(connection: apsw.Connection) -> None:
        make_tables(connection)
        both_are_made.wait()

    def refuse(_self: Path, _target: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    if not has_second_names:
        monkeypatch.setattr(Path, "hardlink_to", refuse)
    with ThreadPoolExecutor(2) as pool:
        found = [pool.submit(prepared, path, must_exist=False, check=None, fill=fill) for _ in range(2)]
        inodes = {each.result() for each in found}

    assert inodes == {path.stat().st_ino}
    assert names(tmp_path) == ["orca.db"]


PATH = Path("/somewhere/orca.db")
WRITES = ("WRITE", "FSYNC", "DIR_FSYNC", "TRUNCATE", "SHMSIZE", "SHMMAP", "SHMOPEN", "MMAP", "READ", "LOCK")


def raised(name: str) -> apsw.Error:
    return apsw.exception_for(apsw.mapping_extended_result_codes[f"SQLITE_{name}"])


def no_room(_path: Path) -> int:
    return 0


@pytest.mark.parametrize("name", [*(f"IOERR_{each}" for each in WRITES), "CANTOPEN_FULLPATH"])
def test_without_room_a_failure_is_a_full_disk(name: str) -> None:
    assert type(translate(raised(name), PATH, no_room)) is StoreFull


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, StoreFull),
        (errno.EDQUOT, StoreFull),
        (errno.EROFS, StoreReadOnly),
        (errno.EACCES, StoreReadOnly),
        (errno.EIO, DiskFailed),
    ],
)
def test_what_the_system_says_has_the_same_sentences(number: int, kind: type[StorageError]) -> None:
    assert type(translate_os(OSError(number, os.strerror(number)), PATH)) is kind


@asynccontextmanager
async def out_of_reach(tmp_path: Path) -> AsyncIterator[Stores]:
    (tmp_path / "orca.db").write_bytes(b"\x00" * 100)
    opened = await open_stores_or_none(tmp_path / "orca.db", scope="me", must_exist=False)
    yield opened
    await opened.upkeep.aclose()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["orca.db"]


READS: dict[str, Callable[[Stores], Awaitable[object]]] = {
    "sessions": lambda stores: stores.sessions.sessions(10),
    "counts": lambda stores: stores.retention.sunk(0.3),
    "unembedded": lambda stores: stores.vectors.unembedded("local", 10),
    "deleted": lambda stores: stores.retention.texts(0, 10),
    "cleaned_at": lambda stores: stores.retention.cleaned_at(),
    "last_operation": lambda stores: stores.history.last_operation(),
    "short term": lambda stores: stores.upkeep.expire_short_term(AT, 30),
    "recover": lambda stores: stores.upkeep.recover(),
}
REFUSED: dict[str, Callable[[Stores], Awaitable[object]]] = {
    "a memory": lambda stores: remember(stores, "an owl"),
    "upkeep": lambda stores: stores.retention.note_upkeep(AT),
    "saving": lambda stores: stores.upkeep.try_to_write(),
    "health": lambda stores: stores.upkeep.health(),
    "delete": lambda stores: stores.memories.delete([1], header("delete"), False),
}


@pytest.mark.parametrize("name", READS)
async def test_a_read_finds_nothing(tmp_path: Path, name: str) -> None:
    async with out_of_reach(tmp_path) as stores:
        assert not await READS[name](stores)


@pytest.mark.parametrize("name", REFUSED)
async def test_a_write_says_why(tmp_path: Path, name: str) -> None:
    async with out_of_reach(tmp_path) as stores:
        with pytest.raises(StoreOutOfReach) as raised:
            await REFUSED[name](stores)
        assert raised.value is stores.failure


DEAD, OWN, RUNNING = "dead", "own", "running"


def number_of(process: str) -> int:
    if process == DEAD:
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        return ended.pid
    return os.getpid() if process == OWN else os.getppid()


@pytest.mark.parametrize("process", [DEAD, OWN, RUNNING])
@pytest.mark.parametrize(
    "name",
    [
        ".orca.db.{process}.part",
        ".orca.db.{process}.part-journal",
        ".orca.db.{process}.part.restored",
        ".orca.db.{process}.part.restored-wal",
        ".orca.db.{process}-0a1b2c3d.spool",
        "backups/.orca.db.{process}.part",
    ],
)
def test_what_a_dead_process_was_making_is_deleted(run: Any, tmp_path: Path, name: str, process: str) -> None:
    run(opened(tmp_path / "orca.db"))
    left = tmp_path / name.format(process=number_of(process))
    left.parent.mkdir(exist_ok=True)
    left.write_text("I live in Oslo")

    run(opened(tmp_path / "orca.db"))

    assert left.exists() == (process != DEAD)
