"""`orca search`, end to end: what it finds, how it shows it, and that nothing in a search is read as anything but
text."""

from __future__ import annotations

import re

import pytest
from fakes.terminal import MadeOnce, OrcaHome

HOSTILE = (
    "giraffe \x1b]52;c;ZXZpbA==\x1b\\ clip",
    "giraffe \u202egpj.exe",
    "zero\u200bwidth giraffe",
    "[@click=app.quit]x[/] [bold]giraffe[/bold]",
    "giraffe \u009b2J c1 \U000e0041",
)
UNSEEN = set("\x1b\x08\r\x7f\u009b\u202e\u200b\U000e0041")


def tell(home: OrcaHome) -> None:
    for session, text in (
        ("a", "my giraffe runs C++ in docker"),
        ("b", "长颈鹿的数据库 docker"),
        ("b", "set -x foo:bar"),
    ):
        assert home.orca("chat", text, "--session", session).status == 0


@pytest.fixture
def told(made_once: MadeOnce) -> OrcaHome:
    return made_once(tell)


def found(home: OrcaHome, *arguments: str) -> list[tuple[str, int]]:
    hits = home.orca("search", *arguments, "--json").json["messages"]
    return [(hit["session_id"], hit["round"]) for hit in hits if hit["role"] == "user"]


def test_a_message_is_found_by_all_of_its_words_newest_first(told: OrcaHome) -> None:
    assert found(told, "docker") == [("b", 1), ("a", 1)]
    assert found(told, "docker", "数据库") == [("b", 1)]
    assert found(told, "docker", "--session", "a") == [("a", 1)]
    assert found(told, "docker", "--sort", "best", "--limit", "1")
    assert found(told, '"my giraffe"') == [("a", 1)]
    assert found(told, "docker", "--from", "assistant") == []


@pytest.mark.parametrize(
    ("text", "sessions"),
    [
        *(("C++", ["a"]), ("-x", ["b"]), ("foo:bar", ["b"]), ('"', None), ("*", None), ("docker OR giraffe", [])),
        *((text, []) for text in ("NEAR(my giraffe)", "docker*", "tokens:docker", "^my", "'; DROP TABLE rounds; --")),
    ],
)
def test_no_sign_has_a_meaning(told: OrcaHome, text: str, sessions: list[str] | None) -> None:
    ran = told.orca("search", "--json", "--", text)
    if sessions is None:
        assert (ran.status, ran.json["error"]["kind"]) == (2, "invalid")
    else:
        assert [hit["session_id"] for hit in ran.json["messages"] if hit["role"] == "user"] == sessions


def test_a_hit_says_where_it_stands_and_marks_what_was_looked_for(told: OrcaHome) -> None:
    [hit] = told.orca("search", "giraffe", "c++", "--from", "user", "--json").json["messages"]
    assert (hit["session_id"], hit["round"], hit["role"], hit["title"]) == (
        "a",
        1,
        "user",
        "my giraffe runs C++ in docker",
    )
    assert [hit["snippet"][start:end] for start, end in hit["marks"]] == ["giraffe", "C++"]
    [line] = told.orca("search", "giraffe", "--from", "user").stdout.splitlines()
    assert re.fullmatch(r"a  1  \S+Z  user  my giraffe runs C\+\+ in docker  my giraffe runs C\+\+ in docker", line)


def test_on_a_terminal_the_marks_stand_out_and_lines_fit(told: OrcaHome) -> None:
    with told.at_a_terminal("search", "giraffe") as typist:
        assert typist.end() == 0
    assert "\x1b[1;33mgiraffe\x1b[0m" in typist.seen


def test_nothing_found_and_more_to_find_are_said(told: OrcaHome) -> None:
    assert told.orca("search", "zebra").stderr == "No message holds all of these words.\n"
    assert told.orca("search", "docker", "--limit", "1").stderr == "There are more: --limit shows them.\n"
    assert told.orca("search", "docker", "--limit", "1", "--json").json["more"] is True


def test_a_session_that_is_not_there_is_said(told: OrcaHome) -> None:
    assert told.orca("search", "docker", "--session", "nosuch").status == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_reaches_the_terminal_unclean(home: OrcaHome, text: str) -> None:
    assert home.orca("chat", text, "--session", "s").status == 0
    shown = home.orca("search", "giraffe")
    assert shown.status == 0
    assert "giraffe" in shown.stdout
    assert not UNSEEN & set((shown.stdout + shown.stderr).replace("\n", ""))
    assert len(home.orca("search", "giraffe", "--json").stdout.splitlines()) == 1


def test_what_was_indexed_by_other_rules_is_indexed_anew_before_it_is_searched(told: OrcaHome) -> None:
    import apsw

    connection = apsw.Connection(str(told.path / "orca.db"))
    connection.execute("UPDATE meta SET value = 'older' WHERE key = 'message_text'")
    connection.close()
    assert "can be searched, " in told.orca("doctor").stdout
    assert found(told, "docker") == [("b", 1), ("a", 1)]
    assert re.search(r"messages +6 can be searched\n", told.orca("doctor").stdout)


def test_on_a_terminal_it_says_how_a_hit_is_opened(told: OrcaHome) -> None:
    with told.at_a_terminal("search", "docker") as typist:
        typist.read_until("the first one opens with: orca --session b --round 1")
        assert typist.end() == 0
    assert "--session" not in told.orca("search", "docker").stderr
    assert "orca --session ID --round N" in " ".join(told.orca("search", "--help").stdout.split())
