"""`orca backup` and `orca backup list`, as they are typed."""

from __future__ import annotations

import signal
import stat
from io import StringIO
from pathlib import Path

import apsw
import pytest
from fakes.terminal import OrcaHome

from orca_tui.cli import progress
from orca_tui.cli.output import Output
from orca_tui.cli.progress import ProgressLine


class Screen(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


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


def test_without_any_the_list_says_so(home: OrcaHome) -> None:
    ran = home.orca("backup", "list")

    assert (ran.status, ran.stdout) == (0, "")
    assert str(home.path / "backups") in ran.stderr
    assert home.orca("backup", "list", "--json").json["total"] == 0


@pytest.mark.parametrize(("configured", "typed", "stay"), [(2, (), 2), (0, (), 4), (9, ("--keep", "1"), 1)])
def test_the_newest_stay(home: OrcaHome, configured: int, typed: tuple[str, ...], stay: int) -> None:
    home.configure(f"[backup]\nkeep = {configured}\n")
    home.orca("memory", "add", "I live in Oslo")
    for _ in range(3):
        home.orca("backup", "--keep", "0")

    last = home.orca("backup", *typed, "--json").json

    there = {each["name"] for each in home.orca("backup", "list", "--json").json["backups"]}
    assert len(there) == stay
    assert last["backup"]["name"] in there
    assert len(last["dropped"]) == 4 - stay


def test_a_backup_elsewhere_drops_nothing_unless_told(home: OrcaHome, tmp_path: Path) -> None:
    home.configure("[backup]\nkeep = 1\n")
    home.orca("memory", "add", "I live in Oslo")
    elsewhere = tmp_path / "disk"
    elsewhere.mkdir()

    for _ in range(3):
        assert home.orca("backup", "-o", str(elsewhere)).status == 0
    assert len(list(elsewhere.iterdir())) == 3

    home.orca("backup", "-o", str(elsewhere), "--keep", "2")
    assert len(list(elsewhere.iterdir())) == 2
    assert not (home.path / "backups").exists()


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


def test_force_overwrites_a_file(home: OrcaHome, tmp_path: Path) -> None:
    home.orca("memory", "add", "I live in Oslo")
    there = tmp_path / "copy.db"
    there.write_bytes(b"old")
    there.chmod(0o644)

    assert home.orca("backup", "-o", str(there), "--force").status == 0

    assert stat.S_IMODE(there.stat().st_mode) == 0o600
    assert apsw.Connection(str(there)).execute("SELECT content FROM long_term_memories").get == "I live in Oslo"


def test_without_a_database_there_is_nothing_to_copy(home: OrcaHome) -> None:
    ran = home.orca("backup", "--json")

    assert ran.status == 1
    assert ran.json["error"]["kind"] == "store_missing"
    assert not (home.path / "orca.db").exists()


def test_what_takes_longer_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    line = ProgressLine(Output(Screen(), screen, {}))
    line.tell("copying: 1.0 MB")
    assert screen.getvalue() == ""

    monkeypatch.setattr(progress, "SHOWN_AFTER_S", -1.0)
    output = Output(Screen(), screen, {})
    ProgressLine(output).tell("copying: 1.0\x1b[2J MB")
    output.progress("short")
    output.note("done")

    assert screen.getvalue() == "\rcopying: 1.0[2J MB\r\rshort             \r\r     \rdone\n"


def test_no_line_is_written_over_where_none_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SHOWN_AFTER_S", -1.0)
    for stream, environ in ((StringIO(), {}), (Screen(), {"TERM": "dumb"})):
        ProgressLine(Output(StringIO(), stream, environ)).tell("copying")
        assert stream.getvalue() == ""


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
