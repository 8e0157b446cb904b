"""A database that can not be opened costs the memory, not the answer; what needs it says why."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from fakes.terminal import OrcaHome

from orca_core.store.sqlite.engine import connection as sqlite_connection
from orca_core.store.sqlite.engine import opening
from orca_core.store.sqlite.schema.migrations import NEWEST

LIMITED = """
import resource, runpy, sys
_soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), hard))
sys.argv = ["orca", *sys.argv[2:]]
runpy.run_module("orca_tui", run_name="__main__", alter_sys=True)
"""


def made(home: OrcaHome) -> Path:
    assert home.orca("memory", "add", "I use neovim").status == 0
    return home.path / "orca.db"


@pytest.mark.parametrize("how", ["emptied", "damaged", "locked", "no folder for it"])
def test_an_answer_comes_all_the_same(home: OrcaHome, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    path = made(home)
    holder = None
    if how == "emptied":
        path.write_bytes(b"")
    elif how == "damaged":
        content = path.read_bytes()
        path.write_bytes(content[:100] + b"\xff" * 8092 + content[8192:])
    elif how == "locked":
        monkeypatch.setattr(sqlite_connection, "BUSY_TIMEOUT_MS", 20)
        monkeypatch.setattr(opening, "BUSY_TIMEOUT_MS", 20)
        holder = apsw.Connection(str(path))
        holder.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").fetchall()
        holder.execute("CREATE TABLE held (x)")
    else:
        home = OrcaHome(Path("/dev/null/orca"))

    told = home.orca("chat", "hello there", "--json")
    said = home.orca("chat", "hello there")
    listed = home.orca("memory", "list")
    if holder is not None:
        holder.execute("ROLLBACK")
        holder.close()

    events = [each["event"] for each in told.events]
    [level] = [each for each in told.events if each["event"] == "level"]
    [error] = [each for each in told.events if each["event"] == "error"]
    assert (level["level"], error["kind"], events[-1]) == (4, "not_saved", "done")
    assert "reply" in events
    assert (told.status, said.status) == (1, 1)
    assert "demo" in said.stdout
    assert said.stderr.count("not saved: ") == 1
    assert (listed.status, listed.stdout) == (1, "")
    assert listed.stderr.startswith("orca: ")
    assert "broke" not in listed.stderr


def test_why_nothing_is_saved_is_said_in_the_users_language(home: OrcaHome) -> None:
    made(home).write_bytes(b"")

    ran = home.orca("chat", "hello there", LANG="zh_CN.UTF-8")

    assert f"没有保存：{home.path}/orca.db：数据库是空的（只剩 0 字节）" in ran.stderr


def test_a_limit_that_keeps_a_database_from_being_made_is_named(home: OrcaHome) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, "262144", "memory", "list"],
        env=home.whole_environ(PYTHONDONTWRITEBYTECODE="1"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 1
    assert "no file may grow beyond 262144 bytes here" in ran.stderr
    assert not (home.path / "orca.db").exists()


def test_a_newer_database_and_one_that_is_missing_are_refused(home: OrcaHome) -> None:
    path = made(home)
    newer = apsw.Connection(str(path))
    newer.execute(f"PRAGMA user_version = {NEWEST + 1}").fetchall()
    newer.close()
    refused = home.orca("chat", "hello there")
    home.configure(f'database = "{home.path}/other.db"\n')
    missing = home.orca("chat", "hello there")

    assert (refused.status, refused.stdout) == (1, "")
    assert "newer Orca" in refused.stderr
    assert (missing.status, missing.stdout) == (1, "")
    assert "there is no database at this path" in missing.stderr


@pytest.mark.long
@pytest.mark.parametrize("limit", [8192, 32_768, 65_536])
def test_no_room_is_never_called_damage(home: OrcaHome, limit: int) -> None:
    made(home)

    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, str(limit), "memory", "add", "a fact too many " * 60],
        env=home.whole_environ(PYTHONDONTWRITEBYTECODE="1"),  # Python itself would cut its own files short
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 1
    assert f"no file may grow beyond {limit} bytes here" in ran.stderr
    assert [each["content"] for each in home.orca("memory", "list", "--json").json["memories"]] == ["I use neovim"]
