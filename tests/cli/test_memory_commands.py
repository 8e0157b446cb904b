"""`orca memory`: memories are added, listed, changed and deleted; `orca upkeep` and `orca memory clean`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import apsw
import pytest
from fakes.terminal import MadeOnce, OrcaHome


def fill(home: OrcaHome) -> None:
    for arguments in (
        ["我用 neovim 写 Python", "--type", "fact", "--tag", "技术"],
        ["Answer in short sentences", "--type", "preference", "--pin"],
        ["The staging server is called heron", "--tag", "work", "--tag", "项目"],
    ):
        assert home.orca("memory", "add", *arguments).status == 0


@pytest.fixture
def filled(made_once: MadeOnce) -> OrcaHome:
    return made_once(fill)


def contents(home: OrcaHome, *arguments: str) -> list[str]:
    return [memory["content"] for memory in home.orca("memory", "list", "--json", *arguments).json["memories"]]


@pytest.mark.parametrize(
    "arguments",
    [
        ["list", "--status", "lost"],
        ["list", "--type", "lost"],
        ["add", "x"],
        ["add", "x" * 2001],
        ["add", "something", "--type", "lost"],
        ["show", "99"],
        ["pin", "99"],
        ["history", "99"],
        ["edit", "99", "--content", "nothing"],
        ["edit", "1"],
        ["edit", "1", "--confidence", "2"],
        ["edit", "1", "--weight", "nan"],
        ["delete", "1"],
        ["undo", "99"],
        ["redo"],
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_wrong_input_is_one_line_and_status_2(filled: OrcaHome, arguments: list[str]) -> None:
    ran = filled.orca("memory", *arguments)

    assert ran.status == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("orca: ")
    assert ran.stderr.count("\n") == 1


def test_a_delete_with_yes_is_real_and_can_not_be_undone(filled: OrcaHome) -> None:
    deleted = filled.orca("memory", "delete", "1", "3", "--yes")

    assert (deleted.status, deleted.stdout) == (0, "deleted  #1 #3\n")
    assert contents(filled) == ["Answer in short sentences"]
    assert b"heron" not in b"".join(path.read_bytes() for path in filled.path.glob("orca.db*"))


def test_a_delete_takes_the_messages_where_it_is_told_to(home: OrcaHome) -> None:
    home.orca("chat", "记住：测试机叫 heron", "--session", "s1")

    assert home.orca("memory", "delete", "1", "--yes", "--with-messages").status == 0

    assert "heron" not in home.orca("session", "list", "--json").stdout
    assert b"heron" not in b"".join(path.read_bytes() for path in home.path.glob("orca.db*"))


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
