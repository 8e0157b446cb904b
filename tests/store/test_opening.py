"""What a database file must be, and the sentence where it is not; nothing that is refused is touched."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.records import header, remember

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
from orca_core.rules.memory import memory_curation
from orca_core.rules.memory.memory_curation import criteria
from orca_core.store.sqlite.engine.database import Database
from orca_core.store.sqlite.engine.failures import translate
from orca_core.store.sqlite.schema import migrations
from orca_core.store.sqlite.store import open_stores


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def opened(path: Path, *, must_exist: bool = False) -> None:
    stores = await open_stores(path, scope="me", must_exist=must_exist)
    await stores.housekeeping.aclose()


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


async def test_settings_hold_on_every_connection(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "x.db", must_exist=False)

    def pragmas(connection: apsw.Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "page_size")
        return [connection.pragma(name) for name in names]

    assert await database.read(pragmas) == ["wal", 2, 1, 1, 8192]
    assert await database.raw(pragmas) == ["wal", 2, 1, 1, 8192]
    await database.aclose()


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


def test_an_empty_file_that_was_named_is_refused(run, tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()

    with pytest.raises(StoreForeign, match="it is empty"):
        run(opened(path, must_exist=True))


def test_a_folder_is_refused(run, tmp_path: Path) -> None:
    with pytest.raises(StoreForeign, match="it is a folder"):
        run(opened(tmp_path, must_exist=True))


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
def test_every_failure_of_the_engine_has_its_sentence(error: apsw.Error, kind: type[StorageError]) -> None:
    translated = translate(error, Path("/somewhere/orca.db"))

    assert type(translated) is kind
    assert str(translated).startswith("/somewhere/orca.db: ")


async def test_a_full_disk_is_told_and_what_was_stored_is_safe(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await remember(stores, "aa")
    database = stores.housekeeping._scope._database
    await database.raw(lambda c: c.execute("PRAGMA max_page_count = 1").fetchall())
    with pytest.raises(StoreFull, match="the disk is full"):
        await remember(stores, *(f"{number} " + "x" * 1900 for number in range(200)))

    page = await stores.memories.page(MemoryQuery(criteria("all", 5.0), limit=1))
    assert page.memories


async def test_a_database_that_another_process_holds_is_busy(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await stores.housekeeping._scope._database.raw(lambda c: c.set_busy_timeout(50))
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


async def test_a_database_that_was_closed_says_so(tmp_path: Path) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    await stores.housekeeping.aclose()
    with pytest.raises(StoreOutOfReach, match="Orca has closed it"):
        await remember(stores, "aa")


async def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    ids = await remember(stores, "aa", "bb")

    def refuse_the_second(memory):
        if memory.id == ids[1]:
            raise ValueError("no")
        return {"pinned": True}

    with pytest.raises(ValueError, match="no"):
        await stores.memories.change(ids, header("pin"), memory_curation.each(refuse_the_second))
    assert not (await stores.memories.get(ids))[0].pinned
    assert await remember(stores, "cc")
