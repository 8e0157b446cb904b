"""Arguments, variables and streams that no one would give on purpose."""

from __future__ import annotations

import json

import pytest
from fakes.terminal import OrcaHome


@pytest.mark.parametrize(
    "arguments",
    [
        ("chat", "hello", "--session", "../../x"),
        ("chat", "hello", "--session", "a\x1b]0;x\x07"),
        ("session", "show", "../x"),
        ("extract", "--session", "a\nb"),
        ("why", "--session", ".."),
    ],
)
def test_a_name_that_can_name_no_session_is_wrong_use(home: OrcaHome, arguments: tuple[str, ...]) -> None:
    ran = home.orca(*arguments)

    assert (ran.status, ran.stdout) == (2, "")
    assert "can't name a session" in ran.stderr
    assert not (home.path / "orca.db").exists()


@pytest.mark.parametrize("name", ["\x1fdeleted/me", "a\nb", "a\x1b[2J"])
def test_a_name_that_no_profile_can_have_is_wrong_use(home: OrcaHome, name: str) -> None:
    ran = home.orca("memory", "add", "I use neovim", "--profile", name)

    assert (ran.status, ran.stdout) == (2, "")
    assert "can't name a profile" in ran.stderr
    assert not (home.path / "orca.db").exists()


HOSTILE = "clip\x1b]52;c;ZXZpbA==\x1b\\ \u202egpj\n[@click=app.quit]x[/] '; DROP TABLE tasks; -- 👩\u200d💻"
FIELDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("task", "start", HOSTILE, "--target", HOSTILE, "--summary", HOSTILE, "--tag", "a b"), ("task", "show")),
    (("task", "step", HOSTILE, "--tool", HOSTILE, "--result", HOSTILE, "--task", "w1"), ("task", "show", "w1")),
    (("task", "done", "success", HOSTILE, "--task", "w2"), ("episode", "show", "e2")),
    (
        ("episode", "edit", "e1", "--trigger", HOSTILE, "--step", HOSTILE, "--summary", HOSTILE),
        ("episode", "show", "e1"),
    ),
    (("episode", "edit", "e1", "--target", HOSTILE), ("episode", "target", "list")),
    (("episode", "search", HOSTILE), ("episode", "list")),
    (("knowledge", "search", HOSTILE), ("knowledge", "list", "--target", HOSTILE)),
    (
        ("action", "add", "COLLECT_TOOL", "--session", "s", "--message", HOSTILE, "--tool", HOSTILE, "--call", HOSTILE),
        ("action", "show", "a1"),
    ),
    (("action", "add", "START_CHAT", "--session", "s", "--query", HOSTILE), ("action", "show", "a1")),
    (
        (
            "action",
            "add",
            "EDIT_FILE",
            "--session",
            "s",
            "--data",
            json.dumps({"previous": HOSTILE, HOSTILE: [HOSTILE]}),
        ),
        ("action", "show", "a1"),
    ),
)


@pytest.mark.parametrize(("told", "shown"), FIELDS, ids=[" ".join(each[0][:3])[:30] for each in FIELDS])
def test_what_is_put_into_a_field_reaches_no_terminal_bare(
    home: OrcaHome, told: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    for number in ("1", "2"):
        assert home.orca("task", "start", "mend it", "--session", "s").status == 0
        if number == "1":
            assert home.orca("task", "done", "success", "well", "--task", "w1").status == 0
    if told[:2] == ("task", "step"):
        told, shown = (*told[:-1], "w2"), ("task", "show", "w2")

    ran = [home.orca(*told), home.orca(*shown), home.orca("activity"), home.orca(*shown, "--json")]

    assert [each.status for each in ran] == [0, 0, 0, 0], ran
    for each in ran:
        assert not {"\x1b", "\u202e", "\x07"} & set(each.stdout + each.stderr), each
    assert "error" not in ran[3].json


@pytest.mark.parametrize(
    "line",
    [
        ("task", "show", "w99999999999999999999"),
        ("task", "show", "w-1"),
        ("task", "step", "x", "--task", "e1"),
        ("task", "step", "x", "--args", "[" * 100_000),
        ("task", "step", "x", "--args", '{"a": NaN}'),
        ("task", "step", "x", "--args", '{"a": 1e999}'),
        ("task", "start", ""),
        ("task", "start", "x", "--session", "../x"),
        ("episode", "show", "e0x1"),
        ("episode", "list", "--status", "\x1b[2J"),
        ("knowledge", "pin", "w1"),
        ("knowledge", "edit", "k1"),
        ("action", "add", "\x1b]0;x\x07", "--session", "s"),
        ("action", "add", "LIKE", "--session", "a\nb", "--round", "1"),
        ("action", "add", "LIKE", "--session", "s", "--round", "0"),
        ("action", "add", "LIKE", "--session", "s", "--round", "9" * 30),
        ("action", "add", "LIKE", "--session", "s", "--task", "e1"),
        ("action", "add", "EDIT_FILE", "--session", "s", "--data", '{"current": "\\ud800"}'),
        ("action", "add", "EDIT_FILE", "--session", "s", "--data", '{"current": ' + "[" * 5000 + "]" * 5000 + "}"),
        ("action", "add", "EDIT_FILE", "--session", "s", "--data", json.dumps({"current": "x" * 200_001})),
        ("action", "add", "EDIT_FILE", "--session", "s", "--previous", "/", "--current", "/dev/null"),
        ("action", "add", "EDIT_FILE", "--session", "s", "--previous", "/dev/zero", "--current", "/dev/null"),
        ("action", "add", "START_CHAT", "--session", "s", "--query", "x", "--at", "9999-99-99"),
        ("action", "add", "START_CHAT", "--session", "s", "--query", "x", "--at", "0001-01-01T00:00:00+23:59"),
        ("action", "show", "a" * 5000),
        ("action", "list", "--limit", "-1"),
    ],
    ids=lambda line: " ".join(line)[:40].encode("unicode_escape").decode(),
)
def test_what_can_not_be_is_wrong_use_in_one_clean_line(home: OrcaHome, line: tuple[str, ...]) -> None:
    ran = home.orca(*line)

    assert (ran.status, ran.stdout) == (2, ""), ran
    assert ran.stderr.startswith("orca: ")
    assert ran.stderr.count("\n") == 1
    assert len(ran.stderr) < 2000
    assert not {"\x1b", "\x07"} & set(ran.stderr)
