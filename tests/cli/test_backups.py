"""`orca backup`, `orca restore`: a copy of the whole database, and it in the place of the database, or nothing changed."""

from __future__ import annotations

import random
import signal
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from fakes.older_homes import of_schema_16, of_the_first_orca
from fakes.patience import after
from fakes.terminal import OrcaHome, Ran

from orca_core.store.sqlite.engine.connection import load_vectors
from orca_core.store.sqlite.upkeep import restore


def test_a_backup_is_made_and_listed(home: OrcaHome) -> None:
    home.orca("memory", "add", "I live in Oslo")

    ran = home.orca("backup")

    path = Path(ran.stdout.strip())
    assert (ran.status, path.parent) == (0, home.path / "backups")
    assert "1 memory" in ran.stderr
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    [listed] = home.orca("backup", "list", "--json").json["backups"]
    assert (listed["path"], listed["made_for"], listed["counts"]["memories"]) == (str(path), "hand", 1)
    assert path.name in home.orca("backup", "list").stdout


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        (("-o", "{there}"), "is there already"),
        (("-o", "{home}/orca.db", "--force"), "is the database itself"),
        (("-o", "{home}/nowhere/copy.db"), "there is no such folder"),
        (("-o", "{home}/nowhere/"), "there is no such folder"),
        (("-o", "{there}/"), "there is no such folder"),
        (("-o", ""), "-o names no file and no folder"),
        (("-o", "{home}/copy.db", "--keep", "3"), "--keep is for a folder"),
        (("--keep", "-1"), "-1 is not in the range"),
        (("frobnicate",), "No such command"),
    ],
)
def test_wrong_use_is_one_line_and_writes_nothing(home: OrcaHome, typed: tuple[str, ...], complaint: str) -> None:
    home.orca("memory", "add", "I live in Oslo")
    there = home.path / "mine"
    there.write_bytes(b"mine")

    ran = home.orca("backup", *(each.format(home=home.path, there=there) for each in typed))

    assert (ran.status, ran.stdout) == (2, "")
    assert complaint in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert there.read_bytes() == b"mine"
    assert not (home.path / "nowhere").exists()
    assert "Oslo" in home.orca("memory", "list").stdout


def test_one_that_is_interrupted_leaves_nothing(home: OrcaHome) -> None:
    home.orca("memory", "add", "I live in Oslo")
    connection = apsw.Connection(str(home.path / "orca.db"))
    counting = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
    connection.execute(f"CREATE TABLE much AS {counting} SELECT zeroblob(200000) AS b FROM n").fetchall()
    connection.close()
    process = home.spawn("backup")
    folder = home.path / "backups"
    while not list(folder.glob(".*.part")) and process.poll() is None:
        pass
    process.send_signal(signal.SIGTERM)
    process.communicate()

    assert process.returncode == 128 + signal.SIGTERM
    assert list(folder.iterdir()) == []


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


@pytest.mark.long
@pytest.mark.parametrize(
    ("typed", "status", "complaint"),
    [
        (("{backup}",), 2, "there is no terminal to ask in"),
        (("{backup}", "--json"), 2, "--json asks nothing"),
        (("nowhere", "--yes"), 2, "no backup nowhere"),
        (("../orca", "--yes"), 2, "no backup ../orca"),
        (("\x1b[2J", "--yes"), 2, "no backup [2J"),
        (("{home}/orca.db", "--yes"), 2, "is the database itself"),
        (("nowhere",), 2, "no backup nowhere"),
        (("{home}/text", "--yes"), 2, "{home}/text: not an Orca database"),
        (("{home}/short", "--yes"), 2, "{home}/short: this backup is empty (9 bytes are left of it)"),
        (("{home}/empty", "--yes"), 2, "{home}/empty: not an Orca database"),
        (("{home}/other.db", "--yes"), 2, "{home}/other.db: not an Orca database"),
        (("{home}/newer.db", "--yes"), 1, "written by a newer Orca"),
        (("{home}/cut.db", "--yes"), 2, "{home}/cut.db: this backup is damaged"),
        (("{home}/scratched.db", "--yes"), 2, "{home}/scratched.db: this backup is damaged"),
    ],
)
def test_what_can_not_be_restored_changes_nothing(
    home: OrcaHome, typed: tuple[str, ...], status: int, complaint: str
) -> None:
    add(home, *(f"I own boat number {number} in the harbour of Oslo" for number in range(3)))
    backup = backed_up(home)
    whole = (home.path / "backups" / backup).read_bytes()
    (home.path / "text").write_text("not a database, but long enough to be one\n" * 30, "utf-8")
    (home.path / "short").write_bytes(b"a backup?")
    (home.path / "empty").write_bytes(b"")
    (home.path / "cut.db").write_bytes(whole[: len(whole) // 2])
    (home.path / "scratched.db").write_bytes(b"".join((whole[:100_000], b"\xff" * 60_000, whole[160_000:])))
    for name, pragma in (("other.db", "application_id = 7"), ("newer.db", "user_version = 99")):
        (home.path / name).write_bytes(whole)
        connection = apsw.Connection(str(home.path / name))
        connection.execute(f"PRAGMA {pragma}").fetchall()
        connection.close()
    names = names_in(home.path)

    ran = home.orca("restore", *(each.format(home=home.path, backup=backup) for each in typed))

    assert (ran.status, complaint.format(home=home.path) in ran.stdout + ran.stderr) == (status, True), ran
    assert not [each for each in (".part", "move it away") if each in ran.stderr]
    assert ran.stderr.count("\n") == 1
    assert len(texts(home)) == 3
    assert names_in(home.path) == names
    assert names_in(home.path / "backups") == [backup]


@pytest.mark.parametrize("damage", [b"", b"garbage" * 2000])
def test_what_is_damaged_is_kept_as_it_lies_there(home: OrcaHome, damage: bytes) -> None:
    add(home, "I live in Oslo")
    backup = backed_up(home)
    (home.path / "orca.db").write_bytes(damage)
    (home.path / "orca.db-wal").write_bytes(b"of the damaged one")

    found = {each["name"]: each for each in home.orca("doctor", "--json").json["checks"]}["database"]
    assert f"orca restore {home.path / 'backups' / backup}" in found["fix"]

    told = home.orca("restore", backup, "--yes", "--json").json

    assert told["present"] is not None
    assert Path(told["kept"]).read_bytes() == damage
    assert Path(told["kept"] + "-wal").read_bytes() == b"of the damaged one"
    assert texts(home) == ["I live in Oslo"]


def test_what_restore_would_refuse_makes_no_backup(home: OrcaHome) -> None:
    add(home, "I live in Oslo")
    backup = backed_up(home)
    old = home.path / "backups" / "orca-2026-11-20-120007Z.db"
    old.write_bytes((home.path / "backups" / backup).read_bytes())
    for path in (home.path / "orca.db", old):
        connection = apsw.Connection(str(path))
        connection.execute("CREATE TRIGGER own AFTER INSERT ON meta BEGIN SELECT 1; END").fetchall()
        connection.close()

    ran = home.orca("backup", "--json")

    assert (ran.status, ran.json["error"]["kind"]) == (1, "store_foreign")
    assert "a trigger that is none of Orca's: own" in ran.json["error"]["message"]
    listed = {each["name"]: each["problem"] for each in home.orca("backup", "list", "--json").json["backups"]}
    assert listed == {backup: None, old.name: "store_foreign"}


def test_damage_that_the_plan_did_not_meet_stops_no_restore(home: OrcaHome) -> None:
    add(home, "I live in Oslo")
    backup = backed_up(home)
    add(home, "I like cats")
    connection = apsw.Connection(str(home.path / "orca.db"))
    query = "SELECT rootpage FROM sqlite_schema WHERE name = 'memory_usage_log'"
    [page] = connection.execute(query).fetchone() or (0,)
    connection.close()
    whole = bytearray((home.path / "orca.db").read_bytes())
    whole[8192 * (page - 1) : 8192 * page] = b"\xff" * 8192
    (home.path / "orca.db").write_bytes(whole)
    assert home.orca("backup").status == 1

    ran = restored(home, backup)

    assert "gone with this: 1 memory" in ran.stdout
    [kept] = [each for each in (home.path / "backups").iterdir() if "before-restore" in each.name]
    assert kept.read_bytes()[100:] == bytes(whole[100:])
    assert f"what stood here could not be read; it is kept as {kept}" in ran.stderr
    assert texts(home) == ["I live in Oslo"]


def test_what_goes_and_what_is_as_before_is_counted(home: OrcaHome) -> None:
    add(home, "I live in Berlin", "I drink tea", "I like cats")
    backup = backed_up(home)
    home.orca("memory", "edit", "1", "--content", "I live in Paris")
    home.orca("memory", "delete", "2", "--yes")
    add(home, *(f"I own boat number {number}" for number in range(5)))

    shown = home.orca("restore", backup, "--dry-run").stdout
    told = home.orca("restore", backup, "--dry-run", "--json").json

    assert "now 7 memories, then 2 memories" in shown
    assert "changed since, and as before with this: 1 memory" in shown
    assert told["kinds"]["memories"] == {"now": 7, "then": 2, "lost": 5, "back": 0, "changed": 1}
