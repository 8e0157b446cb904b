"""`orca restore`: a backup takes the place of the database, as a whole or not at all, and what is here is kept."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from fakes.older_homes import connected, of_schema_16, of_the_first_orca
from fakes.patience import after
from fakes.terminal import OrcaHome, Ran

from orca_core.store.sqlite.engine.connection import load_vectors
from orca_core.store.sqlite.upkeep import restore

KILLS = 6


def add(home: OrcaHome, *texts: str) -> None:
    for text in texts:
        assert home.orca("memory", "add", text).status == 0


def texts(home: OrcaHome) -> list[str]:
    return sorted(each["content"] for each in home.orca("memory", "list", "--json").json["memories"])


def names_in(folder: Path) -> list[str]:
    """But for what SQLite keeps beside a database."""
    return sorted(each.name for each in folder.iterdir() if not each.name.endswith(("-wal", "-shm")))


def backed_up(home: OrcaHome) -> str:
    return str(home.orca("backup", "--json").json["backup"]["name"])


def restored(home: OrcaHome, backup: str) -> Ran:
    ran = home.orca("restore", backup, "--yes")
    assert ran.status == 0, ran
    return ran


@contextmanager
def opened_elsewhere(path: Path) -> Iterator[None]:
    """As another Orca has it open: with a WAL, reading nothing."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode=WAL").fetchall()
    connection.execute("SELECT 1 FROM sqlite_schema").fetchall()
    yield
    connection.close()


def test_it_is_brought_back_and_what_stood_here_can_be_brought_back_too(home: OrcaHome) -> None:
    add(home, "I live in Oslo")
    backup = backed_up(home)
    add(home, "I like cats")

    ran = restored(home, backup)

    assert "not in the backup, and gone with this: 1 memory" in ran.stdout
    assert texts(home) == ["I live in Oslo"]
    [kept] = [each for each in home.orca("backup", "list", "--json").json["backups"] if each["made_for"] == "restore"]
    assert f"orca restore {kept['name']}" in ran.stderr
    restored(home, kept["name"].removesuffix(".db"))
    assert texts(home) == ["I like cats", "I live in Oslo"]


def test_an_undo_passes_over_a_restore_and_names_what_stood_before(home: OrcaHome) -> None:
    add(home, "I live in Oslo")
    home.orca("memory", "pin", "1")
    backup = backed_up(home)
    add(home, "I like cats")
    kept = Path(home.orca("restore", backup, "--yes", "--json").json["kept"]).name

    ran = home.orca("memory", "undo")

    assert ran.stdout.splitlines()[0].endswith(": pinned #1"), ran
    assert f"an undo can't take back that you restored a backup [4]: orca restore {kept} does" in ran.stdout
    named = home.orca("memory", "undo", "4")
    assert (named.status, f"orca restore {kept} does" in named.stderr) == (2, True)
    restored(home, kept)
    assert texts(home) == ["I like cats", "I live in Oslo"]


def test_where_only_a_restore_is_left_an_undo_names_the_backup(home: OrcaHome) -> None:
    add(home, "I live in Oslo")
    backup = backed_up(home)
    home.orca("memory", "delete", "1", "--yes")
    kept = Path(home.orca("restore", backup, "--yes", "--json").json["kept"]).name

    ran = home.orca("memory", "undo")

    assert (ran.status, ran.stdout) == (2, ""), ran
    assert f"orca restore {kept} brings back what stood before" in ran.stderr


def test_a_dry_run_says_all_and_changes_nothing(home: OrcaHome) -> None:
    add(home, "I live in Oslo", "I drink tea")
    backup = backed_up(home)
    home.orca("memory", "delete", "2", "--yes")
    add(home, "I like cats")
    names, before = names_in(home.path), (home.path / "orca.db").read_bytes()

    with opened_elsewhere(home.path / "orca.db"):
        told = home.orca("restore", backup, "--dry-run", "--json").json

    assert told["kinds"]["memories"] == {"now": 2, "then": 1, "lost": 1, "back": 0, "changed": 0}
    assert (told["stays_deleted"], told["restored"], told["kept"]) == ({"memory": 1}, False, None)
    assert (names_in(home.path), names_in(home.path / "backups")) == (names, [backup])
    assert (home.path / "orca.db").read_bytes() == before


def test_who_is_asked_and_says_no_keeps_all(home: OrcaHome) -> None:
    add(home, "I live in Oslo")
    backup = backed_up(home)
    add(home, "I like cats")

    with home.at_a_terminal("restore", backup) as typist:
        typist.read_until("restore it? [y/N]")
        typist.type("n\n")
        assert typist.end() == 1

    assert texts(home) == ["I like cats", "I live in Oslo"]
    assert names_in(home.path) == ["backups", "orca.db"]


def test_while_another_orca_has_it_open_nothing_is_restored(home: OrcaHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restore, "BUSY_TIMEOUT_MS", 10)
    add(home, "I live in Oslo")
    backup = backed_up(home)
    add(home, "I like cats")

    with opened_elsewhere(home.path / "orca.db"):
        ran = home.orca("restore", backup, "--yes", "--json")

    assert (ran.status, ran.json["error"]["kind"]) == (1, "store_busy")
    assert "quit every Orca" in ran.json["error"]["hint"]
    assert texts(home) == ["I like cats", "I live in Oslo"]


def test_into_an_empty_home(home: OrcaHome, tmp_path: Path) -> None:
    add(home, "I live in Oslo")
    backup = backed_up(home)
    other = OrcaHome(tmp_path / "other")

    ran = restored(other, str(home.path / "backups" / backup))

    assert "there is no database here yet" in ran.stdout
    assert texts(other) == ["I live in Oslo"]
    assert names_in(other.path) == ["orca.db"]
    assert (other.path / "orca.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_replaced(home: OrcaHome, tmp_path: Path, is_there: bool) -> None:
    add(home, "I live in Oslo")
    backup = backed_up(home)
    add(home, "I like quokkas")
    elsewhere = tmp_path / "disk" / "real.db"
    elsewhere.parent.mkdir()
    (home.path / "orca.db").rename(elsewhere)
    (home.path / "orca.db").symlink_to(elsewhere)
    if not is_there:
        elsewhere.unlink()

    restored(home, backup)

    assert (home.path / "orca.db").readlink() == elsewhere
    assert b"quokkas" not in elsewhere.read_bytes()
    assert texts(home) == ["I live in Oslo"]
    assert names_in(elsewhere.parent) == ["real.db"]
    assert names_in(home.path) == ["backups", "orca.db"]
    kept = [each["name"] for each in home.orca("backup", "list", "--json").json["backups"]]
    assert len(kept) == 1 + is_there


@pytest.mark.long
@pytest.mark.parametrize("made", [of_the_first_orca, of_schema_16])
def test_an_older_backup_is_brought_up_to_date(home: OrcaHome, tmp_path: Path, made: Callable[[Path], Path]) -> None:
    add(home, "I live in Oslo")
    old = made(tmp_path / "old.db")
    as_it_was = old.read_bytes()

    told = home.orca("restore", str(old), "--yes", "--json").json

    assert told["restored"]
    assert told["kinds"]["memories"]["lost"] == 1
    assert home.orca("doctor", "--json").status == 0
    assert texts(home)
    assert old.read_bytes() == as_it_was


def test_a_backup_of_a_schema_that_is_upgraded_no_more_is_refused(home: OrcaHome, tmp_path: Path) -> None:
    add(home, "I live in Oslo")
    old = of_schema_16(tmp_path / "old.db")
    connected(old).execute("PRAGMA user_version = 15").fetchall()

    ran = home.orca("restore", str(old), "--yes")

    assert ran.status == 1
    assert "the commit tagged schema-16" in ran.stderr
    assert texts(home) == ["I live in Oslo"]


def test_numbers_are_not_given_again(home: OrcaHome) -> None:
    add(home, "one")
    backup = backed_up(home)
    add(home, "two", "three")

    restored(home, backup)

    assert home.orca("memory", "add", "four", "--json").json["changed"][0]["id"] == 4
    assert "restored a backup" in home.orca("activity").stdout


@pytest.mark.long
@pytest.mark.parametrize("number", range(KILLS))
def test_a_kill_leaves_what_was_or_what_is_to_be(home: OrcaHome, number: int) -> None:
    add(home, "before and after", "before")
    backup = backed_up(home)
    home.orca("memory", "delete", "2", "--yes")
    add(home, "after")
    process = home.spawn("restore", backup, "--yes")
    while not list(home.path.glob(".orca.db.*")) and process.poll() is None:
        after(0.005)
    after(random.Random(number).uniform(0, 0.5))
    process.send_signal(signal.SIGKILL)
    process.communicate()

    found = texts(home)

    assert found in (["after", "before and after"], ["before and after"])
    connection = apsw.Connection(str(home.path / "orca.db"))
    load_vectors(connection)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    restored(home, backup)
    assert texts(home) == ["before and after"]
    assert not list(home.path.glob(".orca.db.*"))
