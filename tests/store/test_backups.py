"""A backup is whole, as of one moment, private, and named only when it was checked."""

from __future__ import annotations

import stat
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import apsw
import pytest
from fakes.deleting import opened, say
from fakes.records import remember
from fakes.rows import rows_on

from orca_core.model.backups import CopyStage, MadeFor
from orca_core.model.errors import InvalidInput, StorageError, StoreForeign, StoreFull, StoreMissing
from orca_core.operations import deletion
from orca_core.store.sqlite.upkeep import backups
from orca_core.store.sqlite.upkeep.backups import BackupFolder

AT = datetime(2026, 11, 20, 12, 0, 7, tzinfo=UTC)


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "PAGES_A_STEP", 4)


def made(files: BackupFolder, name: str = "orca-2026-11-20-120007Z.db", *, overwrites: bool = False) -> Path:
    files.make_folder()
    for _ in files.make(files.folder / name, AT, Event(), overwrites=overwrites):
        pass
    return files.folder / name


def texts(path: Path) -> list[str]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [str(text) for (text,) in connection.execute("SELECT content FROM long_term_memories ORDER BY id")]
    finally:
        connection.close()


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


async def test_a_backup_holds_what_the_database_holds(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    await remember(stores, "User lives in Oslo", "用户用 neovim")
    await say(stores, "s", "how are you?")
    files = BackupFolder(tmp_path / "orca.db")

    path = made(files)

    assert texts(path) == ["User lives in Oslo", "用户用 neovim"]
    [backup] = files.listed()
    assert (backup.path, backup.at, backup.made_for, backup.failure) == (path, AT, MadeFor.HAND, None)
    assert {kind: count for kind, count in backup.counts.items() if count} == {
        "sessions": 1,
        "rounds": 1,
        "memories": 2,
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(files.folder.stat().st_mode) == 0o700
    assert names_in(files.folder) == [path.name]


async def test_what_is_written_meanwhile_is_not_in_it(tmp_path: Path, small_steps: None) -> None:
    stores = await opened(tmp_path)
    await remember(stores, "before")
    files = BackupFolder(tmp_path / "orca.db")
    for number, _ in enumerate(files.make(tmp_path / "kept.db", AT, Event())):
        await remember(stores, f"meanwhile {number}")

    assert texts(tmp_path / "kept.db") == ["before"]
    assert number > 10
    assert len(texts(tmp_path / "orca.db")) == number + 2


async def test_a_copy_that_is_left_leaves_nothing(tmp_path: Path, small_steps: None) -> None:
    await opened(tmp_path)
    files = BackupFolder(tmp_path / "orca.db")
    files.make_folder()
    steps = files.make(files.folder / "kept.db", AT, Event())
    next(steps)
    assert len(names_in(files.folder)) == 1

    steps.close()

    assert names_in(files.folder) == []


async def test_what_waits_to_be_wiped_is_not_in_it(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    [memory_id, _] = await remember(stores, "User likes quokkas", "User lives in Oslo")
    await stores.upkeep.aclose()
    connection = apsw.Connection(str(tmp_path / "orca.db"))
    connection.execute("PRAGMA secure_delete=ON").fetchall()
    with connection:
        deletion.hide_memories(rows_on(connection), [memory_id], AT, with_messages=False)
    connection.close()

    path = made(BackupFolder(tmp_path / "orca.db"))

    assert texts(path) == ["User lives in Oslo"]
    assert b"quokka" not in path.read_bytes()
    assert b"quokka" in (tmp_path / "orca.db").read_bytes()


async def test_a_check_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    await remember(stores, *(f"User owns boat number {number} of the harbour" for number in range(300)))
    files, stop = BackupFolder(tmp_path / "orca.db"), Event()
    files.make_folder()

    with pytest.raises(StorageError, match="interrupted"):
        for step in files.make(files.folder / "kept.db", AT, stop):
            if step.stage is CopyStage.CHECKING:
                stop.set()

    assert names_in(files.folder) == []


@pytest.mark.long
async def test_a_damaged_database_makes_no_backup(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    await remember(stores, *(f"User owns boat number {number} of the harbour" for number in range(300)))
    await stores.upkeep.aclose()
    with (tmp_path / "orca.db").open("r+b") as file:
        for page in range(10, 60):
            file.seek(8192 * page + 40)
            file.write(b"\xff" * 4000)
    files = BackupFolder(tmp_path / "orca.db")

    with pytest.raises(StorageError):
        made(files)

    assert names_in(files.folder) == []


async def test_a_disk_without_room_is_said_before_a_byte_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(tmp_path)
    monkeypatch.setattr(backups, "free_bytes", lambda path: 500_000)
    files = BackupFolder(tmp_path / "orca.db")

    with pytest.raises(StoreFull, match="a copy takes"):
        made(files)

    assert names_in(files.folder) == []


@pytest.mark.parametrize("taken_by", ["file", "link", "link to nowhere"])
async def test_no_name_is_taken_from_another_file(tmp_path: Path, taken_by: str) -> None:
    await opened(tmp_path)
    files = BackupFolder(tmp_path / "orca.db")
    files.make_folder()
    other, name = tmp_path / "other", files.folder / "kept.db"
    if taken_by == "file":
        name.write_bytes(b"mine")
    else:
        name.symlink_to(other)
        if taken_by == "link":
            other.write_bytes(b"mine")

    with pytest.raises(InvalidInput, match="is there already"):
        made(files, "kept.db")

    assert not other.exists() or other.read_bytes() == b"mine"
    assert names_in(files.folder) == ["kept.db"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("orca.db", "the database itself"),
        ("orca.db-wal", "the database itself"),
        ("link", "no regular file"),
        ("folder", "no regular file"),
    ],
)
async def test_force_overwrites_files_alone(tmp_path: Path, name: str, complaint: str) -> None:
    stores = await opened(tmp_path)
    await remember(stores, "User lives in Oslo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "orca.db")

    with pytest.raises(InvalidInput, match=complaint):
        made(BackupFolder(tmp_path / "orca.db"), str(tmp_path / name), overwrites=True)

    assert texts(tmp_path / "orca.db") == ["User lives in Oslo"]


@pytest.mark.parametrize(
    ("content", "failure"),
    [(None, StoreMissing), (b"no database, but long enough" * 40, StoreForeign), (b"", StorageError)],
)
def test_only_a_database_of_orca_is_copied(tmp_path: Path, content: bytes | None, failure: type[StorageError]) -> None:
    path = tmp_path / "orca.db"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(failure):
        made(BackupFolder(path))

    assert (path.read_bytes() if path.exists() else None) == content


async def test_the_list_says_what_can_not_be_read(tmp_path: Path) -> None:
    await opened(tmp_path)
    files = BackupFolder(tmp_path / "orca.db")
    path = made(files)
    (files.folder / "orca-2026-11-19-120007Z.db").write_bytes(b"\x1b[2J no database " * 100)
    (files.folder / "orca-2026-11-18-120007Z.db").symlink_to(path)
    (files.folder / "orca-schema-9.db").write_bytes(path.read_bytes())
    (files.folder / "notes.txt").write_text("mine", "utf-8")

    listed = files.listed()

    assert [(each.path.name, each.failure is None) for each in listed if each.made_for is not MadeFor.UPGRADE] == [
        ("orca-2026-11-20-120007Z.db", True),
        ("orca-2026-11-19-120007Z.db", False),
        ("orca-2026-11-18-120007Z.db", False),
    ]
    assert [each.made_for for each in listed].count(MadeFor.UPGRADE) == 1


async def test_links_and_folders_are_not_dropped(tmp_path: Path) -> None:
    files = BackupFolder(tmp_path / "orca.db")
    files.folder.mkdir()
    names = [f"orca-2026-11-1{day}-120007Z.db" for day in range(4)]
    (files.folder / names[0]).symlink_to(tmp_path)
    (files.folder / names[1]).mkdir()
    for name in names[2:]:
        (files.folder / name).write_bytes(b"")

    assert files.drop(files.folder, 1, names[3]) == [names[2]]
    assert names_in(files.folder) == [names[0], names[1], names[3]]
