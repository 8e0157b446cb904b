"""No command by hand runs upkeep but once a day; `orca upkeep` does it now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import apsw
from fakes.terminal import OrcaHome

JOBS = ["undoing", "cleaning", "comparing", "inbox", "forgetting", "wiping", "embedding", "indexing", "counting"]


def asked(home: OrcaHome, query: str) -> int:
    connection = apsw.Connection(str(home.path / "orca.db"))
    try:
        [count] = next(iter(connection.execute(query)))
        return int(count)
    finally:
        connection.close()


def vectors(home: OrcaHome) -> int:
    return asked(home, "SELECT count(*) FROM vectors")


def test_what_a_command_adds_is_found_by_its_words_until_upkeep_embeds_it(home: OrcaHome) -> None:
    home.orca("memory", "add", "the first change of a day runs upkeep behind it")
    assert vectors(home) == 1
    assert home.orca("memory", "add", "the parcel locker code is on the fridge").status == 0
    assert home.orca("memory", "pin", "1").status == 0
    assert home.orca("task", "start", "mend the fence").status == 0
    assert vectors(home) == 1
    [found] = home.orca("memory", "search", "parcel locker", "--json").json["memories"]
    assert found["id"] == 2
    assert found["parts"]["vector"] == 0
    assert home.orca("upkeep").status == 0
    assert vectors(home) == 2
    [found] = home.orca("memory", "search", "parcel locker", "--json").json["memories"]
    assert found["parts"]["vector"] > 0


def test_a_command_does_it_again_when_a_day_has_passed(home: OrcaHome) -> None:
    home.orca("memory", "add", "a wren in the hedge")
    home.orca("memory", "add", "an owl in the barn")
    yesterday = (datetime.now(UTC) - timedelta(days=1, minutes=1)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    connection = apsw.Connection(str(home.path / "orca.db"))
    connection.execute(
        "UPDATE meta SET value = ? WHERE key LIKE 'upkeep_at %' OR key LIKE 'cleaned_at %'", (yesterday,)
    )
    connection.close()
    assert vectors(home) == 1
    home.orca("memory", "list")
    assert vectors(home) == 1  # it changed nothing
    home.orca("memory", "pin", "1")
    assert vectors(home) == 2


def test_a_turn_embeds_what_commands_added(home: OrcaHome) -> None:
    home.orca("memory", "add", "a wren in the hedge")
    home.orca("memory", "add", "an owl in the barn")
    assert home.orca("chat", "hello there").status == 0
    assert asked(home, "SELECT count(*) FROM vectors WHERE kind = 'memory'") == 2


def test_it_names_each_job_in_both_languages_and_in_json(home: OrcaHome) -> None:
    home.orca("memory", "add", "a wren in the hedge")
    lines = home.orca("upkeep").stdout.splitlines()
    assert len(lines) == len(JOBS)
    assert all(line.endswith("  done") for line in lines)
    assert "向量  完成" in home.orca("upkeep", LANG="zh_CN.UTF-8").stdout.splitlines()
    assert home.orca("upkeep", "--json").json == {
        "jobs": [{"name": each, "failure": None} for each in JOBS],
        "wiped": True,
    }


def test_what_fails_is_said_and_fails_it(home: OrcaHome) -> None:
    home.configure(
        '[embedding]\nprovider = "nowhere"\nmodel = "m"\n[nowhere]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\napi_key = "k"\n'
    )
    home.orca("memory", "add", "a wren in the hedge")
    ran = home.orca("upkeep", "--json")
    assert ran.status == 1
    assert [each["name"] for each in ran.json["jobs"] if each["failure"]] == ["embedding"]
    assert "vectors  failed: " in home.orca("upkeep").stdout


def test_a_delete_wipes_itself_or_says_who_will(home: OrcaHome) -> None:
    home.orca("memory", "add", "an embarrassing thing about otters")
    home.orca("memory", "add", "another embarrassing thing about otters")
    reader = apsw.Connection(str(home.path / "orca.db"))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM long_term_memories").fetchall()
    ran = home.orca("memory", "delete", "1", "--yes", "--json")
    assert ran.json["wiped"] is False
    assert "orca upkeep" in home.orca("memory", "delete", "2", "--yes").stderr
    assert home.orca("upkeep", "--json").json["wiped"] is False
    reader.close()
    assert home.orca("upkeep", "--json").json["wiped"] is True
    files = [each for each in home.path.iterdir() if each.name.startswith("orca.db")]
    assert not any(b"embarrassing" in each.read_bytes() for each in files)
