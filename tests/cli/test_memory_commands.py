"""`orca memory …`, end to end on a real database."""

from __future__ import annotations

import pytest
from fakes.terminal import MadeOnce, OrcaHome

HOSTILE = (
    "\x1b]52;c;ZXZpbA==\x1b\\ clip",
    "\x1b[2J\x1b[HSPOOF",
    "\x1bc reset",
    "\u009b2J c1",
    "ok\rEVIL",
    "a\b\b back",
    "abc \u202egpj.exe",
    "\u2066isolate\u2069 me",
    "zero\u200bwidth",
    "tags\U000e0041\U000e0042 here",
    "[@click=app.quit]x[/]",
    "see [/etc/passwd] now",
    "[link=javascript:alert(1)]x[/link]",
)
UNSEEN = set("\x1b\x08\r\x7f\u009b\u202e\u2066\u2069\u200b\U000e0041\U000e0042")


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


def test_what_is_added_is_listed(filled: OrcaHome) -> None:
    listed = filled.orca("memory", "list")

    assert listed.status == 0
    assert "我用 neovim 写 Python" in listed.stdout
    assert "active, pinned" in listed.stdout
    assert len(listed.stdout.splitlines()) == 3


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--tag", "work"], ["The staging server is called heron"]),
        (["--type", "preference"], ["Answer in short sentences"]),
        (["--pinned"], ["Answer in short sentences"]),
        (["--status", "archived"], []),
        (["--sort", "id", "--limit", "1"], ["我用 neovim 写 Python"]),
        (["--sort", "id", "--limit", "1", "--offset", "1"], ["Answer in short sentences"]),
    ],
)
def test_a_list_can_be_narrowed(filled: OrcaHome, options: list[str], expected: list[str]) -> None:
    assert contents(filled, *options) == expected


def test_a_page_says_how_many_there_are(filled: OrcaHome) -> None:
    ran = filled.orca("memory", "list", "--limit", "2")

    assert len(ran.stdout.splitlines()) == 2
    assert ran.stderr == "2 of 3\n"


def test_an_empty_home_says_so_beside_the_result(home: OrcaHome) -> None:
    ran = home.orca("memory", "list")

    assert (ran.status, ran.stdout) == (0, "")
    assert "Nothing remembered yet" in ran.stderr


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


def test_errors_speak_chinese_where_the_user_does(filled: OrcaHome) -> None:
    ran = filled.orca("memory", "show", "99", LANG="zh_CN.UTF-8")

    assert ran.stderr == "orca: 没有记忆 99\n"


def test_the_configured_language_outweighs_the_locale(filled: OrcaHome) -> None:
    filled.configure('[ui]\nlanguage = "zh"\n')

    assert "没有记忆" in filled.orca("memory", "show", "99", LANG="en_US.UTF-8").stderr


def test_a_search_finds_by_words_and_tells_the_parts(filled: OrcaHome) -> None:
    document = filled.orca("memory", "search", "neovim python", "--json").json

    best = document["memories"][0]
    assert best["content"] == "我用 neovim 写 Python"
    assert set(best["parts"]) == {"vector", "text", "weight", "recency"}
    assert best["score"] == pytest.approx(sum(best["parts"].values()), abs=1e-5)
    assert "neovim" in filled.orca("memory", "search", "neovim").stdout


def test_show_tells_all_of_a_memory(filled: OrcaHome) -> None:
    shown = filled.orca("memory", "show", "3")

    assert shown.status == 0
    assert "#3  The staging server is called heron" in shown.stdout
    assert "work, 项目" in shown.stdout
    assert filled.orca("memory", "show", "3", "--json").json["id"] == 3


def test_several_memories_are_pinned_at_once_and_one_undo_takes_all_back(filled: OrcaHome) -> None:
    pinned = filled.orca("memory", "pin", "1", "3", "1")
    assert pinned.stdout.splitlines() == [
        "pinned  #1  我用 neovim 写 Python",
        "pinned  #3  The staging server is called heron",
    ]
    assert len(contents(filled, "--pinned")) == 3

    assert filled.orca("memory", "undo").status == 0
    assert contents(filled, "--pinned") == ["Answer in short sentences"]

    assert filled.orca("memory", "redo").status == 0
    assert len(contents(filled, "--pinned")) == 3


def test_an_archived_memory_leaves_the_list_and_comes_back(filled: OrcaHome) -> None:
    filled.orca("memory", "archive", "1")
    assert len(contents(filled)) == 2
    assert contents(filled, "--status", "archived") == ["我用 neovim 写 Python"]

    filled.orca("memory", "restore", "1")
    assert len(contents(filled)) == 3


def test_unpinning_what_is_not_pinned_changes_nothing(filled: OrcaHome) -> None:
    ran = filled.orca("memory", "unpin", "1")

    assert (ran.status, ran.stdout, ran.stderr) == (0, "", "nothing to change\n")


def test_an_edit_changes_the_named_fields_and_history_tells_of_it(filled: OrcaHome) -> None:
    ran = filled.orca("memory", "edit", "3", "--content", "Staging is called egret", "--tag", "", "--weight", "2")
    assert ran.status == 0

    memory = filled.orca("memory", "show", "3", "--json").json
    assert (memory["content"], memory["tags"], memory["weight"]) == ("Staging is called egret", [], 2.0)
    history = filled.orca("memory", "history", "3", "--json").json
    assert [change["action"] for change in history["changes"]] == ["add", "edit"]
    assert history["changes"][1]["before"]["content"] == "The staging server is called heron"
    assert "heron" in filled.orca("memory", "history", "3").stdout


def test_a_delete_with_yes_is_real_and_can_not_be_undone(filled: OrcaHome) -> None:
    deleted = filled.orca("memory", "delete", "1", "3", "--yes")

    assert (deleted.status, deleted.stdout) == (0, "deleted  #1 #3\n")
    assert contents(filled) == ["Answer in short sentences"]
    assert b"heron" not in b"".join(path.read_bytes() for path in filled.path.glob("orca.db*"))


def test_a_delete_lists_the_messages_that_stay(home: OrcaHome) -> None:
    home.orca("chat", "记住：测试机叫 heron", "--session", "s1")
    [memory] = home.orca("memory", "list", "--json").json["memories"]

    ran = home.orca("memory", "delete", str(memory["id"]), "--yes")

    assert "session s1 round 1" in ran.stderr
    assert home.orca("session", "show", "s1", "--json").json["rounds"][0]["user"] == "记住：测试机叫 heron"


def test_a_delete_takes_the_messages_where_it_is_told_to(home: OrcaHome) -> None:
    home.orca("chat", "记住：测试机叫 heron", "--session", "s1")

    assert home.orca("memory", "delete", "1", "--yes", "--with-messages").status == 0

    assert "heron" not in home.orca("session", "list", "--json").stdout
    assert b"heron" not in b"".join(path.read_bytes() for path in home.path.glob("orca.db*"))


def test_stats_count_by_status_and_type(filled: OrcaHome) -> None:
    document = filled.orca("memory", "stats", "--json").json

    assert list(document)[:5] == ["status", "type", "queue", "last_extraction", "sizes"]
    assert document["status"]["active"] == 3
    assert document["type"]["preference"] == 1
    assert filled.orca("memory", "stats").stdout.startswith("status: ")


def test_profiles_do_not_see_each_other(filled: OrcaHome) -> None:
    assert filled.orca("--profile", "work", "memory", "list", "--json").json["total"] == 0
    assert filled.orca("memory", "list", "--json", "--profile", "work").json["total"] == 0


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_control_byte_of_a_memory_reaches_the_terminal(home: OrcaHome, hostile: str) -> None:
    commands = (
        ["memory", "add", hostile, "--tag", hostile],
        ["memory", "list"],
        ["memory", "list", "--json"],
        ["memory", "show", "1"],
        ["memory", "search", hostile],
        ["memory", "history", "1"],
        ["chat", f"记住：{hostile}", "--session", "s1"],
        ["session", "list"],
        ["session", "show", "s1"],
        ["why"],
        ["memory", "delete", "1", "--yes"],
    )

    for arguments in commands:
        ran = home.orca(*arguments)
        assert ran.status == 0, ran.stderr
        assert not UNSEEN & set(ran.stdout + ran.stderr)


def test_an_argument_that_is_no_utf8_is_stored_readably(home: OrcaHome) -> None:
    ran = home.orca("memory", "add", b"caf\xe9 au lait".decode("utf-8", "surrogateescape"))

    assert ran.status == 0
    assert contents(home) == ["caf\ufffd au lait"]
