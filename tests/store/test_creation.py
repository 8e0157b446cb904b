"""How a database comes to be there: whole or not at all, and never in the place of one that was emptied."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest
from fakes.records import remember

from orca_core.model.errors import StorageError, StoreDamaged, StoreForeign
from orca_core.store.sqlite.engine.opening import prepared
from orca_core.store.sqlite.schema.migrations import make_tables
from orca_core.store.sqlite.store import open_stores

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


async def opened(path: Path) -> None:
    stores = await open_stores(path, scope="me", must_exist=False)
    await stores.housekeeping.aclose()


async def filled(path: Path) -> None:
    stores = await open_stores(path, scope="me", must_exist=False)
    await remember(stores, "aa")
    await stores.housekeeping.aclose()


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
