"""`orca restore` where a backup can't be used, or what stands here can't be read."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from cli.test_restore_command import add, backed_up, names_in, restored, texts
from fakes.terminal import OrcaHome

from orca_core.store.sqlite.engine.connection import load_vectors


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


def test_what_could_not_be_read_is_no_backup_that_is_named_to_restore(home: OrcaHome) -> None:
    add(home, "I live in Oslo")
    backup = backed_up(home)
    (home.path / "orca.db").write_bytes(b"garbage")

    ran = restored(home, backup)
    assert "orca restore" not in ran.stderr
    [kept] = [each["path"] for each in home.orca("backup", "list", "--json").json["backups"] if each["problem"]]
    assert f"it is kept as {kept}" in ran.stderr

    (home.path / "orca.db").write_bytes(b"garbage again")
    found = {each["name"]: each for each in home.orca("doctor", "--json").json["checks"]}["database"]
    assert found["fix"].endswith(backup)


@pytest.mark.parametrize("mended", [("memory", "reindex"), ("doctor", "--fix")])
def test_a_home_whose_index_was_made_anew_is_restored(home: OrcaHome, mended: tuple[str, ...]) -> None:
    add(home, "I live in Oslo")
    connection = apsw.Connection(str(home.path / "orca.db"))
    load_vectors(connection)
    connection.execute("DELETE FROM long_term_text_docsize").fetchall()
    connection.close()
    assert home.orca(*mended).status == 0
    backup = backed_up(home)
    add(home, "I like cats")

    restored(home, backup)

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


def test_rows_that_restore_could_not_read_make_no_backup(home: OrcaHome) -> None:
    add(home, "I live in Oslo")
    connection = apsw.Connection(str(home.path / "orca.db"))
    connection.execute("UPDATE memory_history SET after = 'no JSON'").fetchall()
    connection.close()

    ran = home.orca("backup", "--json")

    assert (ran.status, ran.json["error"]["kind"]) == (1, "store_damaged")
    assert "a row of memory_history can't be read" in ran.json["error"]["message"]
    assert names_in(home.path / "backups") == []


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

    assert "I like cats" in ran.stdout
    [kept] = [each for each in (home.path / "backups").iterdir() if "before-restore" in each.name]
    assert kept.read_bytes()[100:] == bytes(whole[100:])
    assert f"what stood here could not be read; it is kept as {kept}" in ran.stderr
    assert texts(home) == ["I live in Oslo"]
