"""`orca config` and `orca doctor`: they run when nothing else can."""

from __future__ import annotations

import apsw
import pytest
from fakes.terminal import OrcaHome

from orca_core.store.sqlite.engine import connection

BROKEN = "memory = [[[\n"


def test_the_path_is_told_even_of_a_broken_file(home: OrcaHome) -> None:
    home.configure(BROKEN)

    ran = home.orca("config", "path")

    assert (ran.status, ran.stdout) == (0, f"{home.path / 'config.toml'}\n")


def test_init_writes_a_file_for_its_owner_that_check_accepts(home: OrcaHome) -> None:
    written = home.orca("config", "init")

    assert written.status == 0
    assert (home.path / "config.toml").stat().st_mode & 0o777 == 0o600
    checked = home.orca("config", "check")
    assert checked.status == 0
    assert str(home.path / "config.toml") in checked.stdout


def test_init_leaves_a_file_that_exists(home: OrcaHome) -> None:
    home.configure("# mine\n")

    ran = home.orca("config", "init")

    assert ran.status == 2
    assert (home.path / "config.toml").read_text() == "# mine\n"


@pytest.mark.parametrize("arguments", [["config", "check"], ["memory", "list"], ["chat", "hello"]])
def test_a_broken_config_is_one_line_and_status_2(home: OrcaHome, arguments: list[str]) -> None:
    home.configure(BROKEN)

    ran = home.orca(*arguments)

    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr.startswith("orca: ")
    assert "config.toml" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_misspelt_key_names_the_nearest(home: OrcaHome) -> None:
    home.configure("[memory]\nmax_histroy = 3\n")

    assert "max_history" in home.orca("config", "check").stderr


def test_a_config_that_was_named_must_exist(home: OrcaHome) -> None:
    ran = home.orca("--config", str(home.path / "none.toml"), "memory", "list")

    assert ran.status == 2
    assert "none.toml" in ran.stderr


def test_the_doctor_finds_a_new_home_in_order(home: OrcaHome) -> None:
    ran = home.orca("doctor", "--json")

    assert ran.status == 0
    assert ran.json["level"] == 1
    assert {"config", "database", "embedding", "chat"} <= {check["name"] for check in ran.json["checks"]}
    assert all(set(check) == {"name", "state", "detail", "fix", "evidence", "more"} for check in ran.json["checks"])


def test_the_doctor_speaks_the_users_language(home: OrcaHome) -> None:
    home.orca("memory", "add", "I use neovim")
    ran = home.orca("doctor", LANG="zh_CN.UTF-8")

    assert ran.status == 0
    assert "数据库" in ran.stdout
    assert "内置演示" in ran.stdout
    assert "没有配置文件" in ran.stdout
    assert "生效 1" in ran.stdout


def test_the_doctor_examines_what_keeps_the_others_from_running(home: OrcaHome) -> None:
    home.configure(BROKEN)

    ran = home.orca("doctor", "--json")

    assert ran.status == 1
    assert {check["name"]: check["state"] for check in ran.json["checks"]} == {
        "config": "fail",
        "files": "ok",
        "disk": "ok",
    }


def test_the_doctor_says_what_it_could_not_find_out_beside_a_locked_database(
    home: OrcaHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.orca("memory", "add", "I use neovim")
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 20)
    other = apsw.Connection(str(home.path / "orca.db"))
    other.execute("BEGIN IMMEDIATE")

    ran = home.orca("doctor")
    told = home.orca("doctor", "--json").json

    other.close()
    assert (ran.status, ran.stderr) == (0, "")
    assert "memory works in full\n" not in ran.stdout
    assert "whether memory works in full could not be found out: saving" in ran.stdout
    assert [check["name"] for check in told["checks"] if "another process" in check["detail"]] == ["saving"]


def test_the_doctor_tells_of_a_database_that_is_none(home: OrcaHome) -> None:
    home.path.mkdir()
    (home.path / "orca.db").write_text("this is no database, and never was one\n" * 100)

    ran = home.orca("doctor", "--json")

    assert ran.status == 1
    assert [check["name"] for check in ran.json["checks"] if check["state"] == "fail"] == ["database"]
    assert home.orca("memory", "list").status == 1
