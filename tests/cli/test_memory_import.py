"""`orca memory import`: what an export brings into a home, from a file or a pipe, and what is refused."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from fakes.terminal import OrcaHome

MEMORY = {"uid": "a", "content": "I use neovim"}


def document(*memories: dict[str, Any], **lists: Any) -> str:
    return json.dumps({"orca_export": 1, "memories": list(memories), **lists}, ensure_ascii=False)


@pytest.fixture
def other(tmp_path: Path) -> OrcaHome:
    """A home with something of every sort."""
    home = OrcaHome(tmp_path / "other")
    for line in ("I like green tea", "工作用 Neovim", "I lived in Oslo"):
        home.orca("memory", "add", line)
    home.orca("memory", "pin", "1")
    home.orca("memory", "edit", "2", "--weight", "6", "--tag", "工作")
    home.orca("memory", "archive", "3")
    home.orca("task", "start", "renew the certificate", "--session", "s")
    home.orca("task", "step", "asked the authority", "--task", "1")
    home.orca("task", "done", "success", "renewed", "--task", "1")
    home.orca("action", "add", "LIKE", "--session", "s", "--round", "1")
    home.orca("tool", "record", "--tool", "shell", "--output", "ok", "--session", "s", "--call", "c")
    return home


def contents(home: OrcaHome, *options: str) -> list[str]:
    return [each["content"] for each in home.orca("memory", "list", "--json", *options).json["memories"]]


def database(home: OrcaHome) -> bytes:
    return (home.path / "orca.db").read_bytes()


def test_an_export_comes_back_into_an_empty_home(home: OrcaHome, other: OrcaHome, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    other.orca("memory", "export", "-o", str(file))

    ran = home.orca("memory", "import", str(file))

    assert ran.status == 0
    assert "brought in: 3 memories, 1 task, 1 episode, 1 act, 1 call" in ran.stdout
    assert "takes it back" in ran.stderr
    assert home.orca("memory", "export").json == other.orca("memory", "export").json
    assert json.loads(file.read_text("utf-8")) == home.orca("memory", "export").json


def test_it_comes_through_a_pipe_and_is_taken_back(home: OrcaHome, other: OrcaHome) -> None:
    ran = home.orca("memory", "import", "--json", stdin=other.orca("memory", "export").stdout)

    told = ran.json
    assert (ran.status, told["trusted"], told["dry_run"], told["refused"]) == (0, True, False, [])
    assert told["counts"]["memories"] == {"new": 3}
    assert [each["id"] for each in told["changed"]][:3] == [1, 2, 3]
    assert "brought in" in home.orca("activity").stdout
    undone = home.orca("memory", "undo", "--json").json
    assert undone["undid"]["id"] == told["operation"]
    assert contents(home) == []
    home.orca("memory", "redo")
    assert len(contents(home)) == 2


def test_into_a_home_with_memories_they_wait_in_the_inbox(home: OrcaHome) -> None:
    home.orca("memory", "add", "I use vim")

    ran = home.orca("memory", "import", stdin=document({**MEMORY, "pinned": True, "weight": 9, "status": "core"}))

    assert "waiting for you: 1 memory" in ran.stdout
    assert "orca memory inbox" in ran.stderr
    assert contents(home) == ["I use vim"]
    [waiting] = home.orca("memory", "inbox", "--json").json["memories"]
    assert (waiting["content"], waiting["held_because"], waiting["pinned"]) == ("I use neovim", "imported", False)
    assert home.orca("memory", "accept", "2").status == 0
    assert contents(home, "--sort", "id") == ["I use vim", "I use neovim"]


def test_a_candidate_is_shown_with_what_is_nearest_to_it(home: OrcaHome) -> None:
    home.orca("memory", "add", "I use vim as my editor at work")
    home.orca("memory", "import", stdin=document({"uid": "a", "content": "I use neovim as my editor at work"}))

    [waiting] = home.orca("memory", "inbox", "--json").json["memories"]
    assert waiting["nearest"]["content"] == "I use vim as my editor at work"


def test_trust_takes_them_as_they_were(home: OrcaHome) -> None:
    home.orca("memory", "add", "I use vim")

    assert home.orca("memory", "import", "--trust", stdin=document({**MEMORY, "pinned": True})).status == 0

    memory = home.orca("memory", "show", "2", "--json").json
    assert (memory["status"], memory["pinned"]) == ("active", True)


def test_a_dry_run_tells_of_each_record_and_writes_nothing(home: OrcaHome) -> None:
    home.orca("memory", "add", "I use vim")
    before = database(home)
    given = document(MEMORY, {"uid": "b", "content": "I use vim"}, {"uid": "c", "content": "old", "status": "archived"})

    ran = home.orca("memory", "import", "--dry-run", stdin=given)
    told = home.orca("memory", "import", "--dry-run", "--json", stdin=given).json

    assert ran.stdout.splitlines()[:3] == [
        "memories[0]  waits for you  I use neovim",
        "memories[1]  said here in these words  #1  I use vim",
        "memories[2]  left out  old",
    ]
    assert "would wait for you: 1 memory" in ran.stdout
    assert [(each["place"], each["status"]) for each in told["changed"]] == [("memories[0]", "candidate")]
    assert [each["reason"] for each in told["refused"]] == ["same_words", "left_out"]
    assert (told["operation"], told["operations"], told["dry_run"]) == (None, [], True)
    assert database(home) == before


def test_the_same_file_twice_says_that_nothing_changed(home: OrcaHome) -> None:
    home.orca("memory", "import", stdin=document(MEMORY))

    ran = home.orca("memory", "import", stdin=document(MEMORY))

    assert (ran.status, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == ["here already, and left as it is: 1 memory", "nothing to change"]


def test_what_was_deleted_here_is_said_and_comes_again_when_asked(home: OrcaHome) -> None:
    home.orca("memory", "import", stdin=document(MEMORY))
    home.orca("memory", "delete", "1", "--yes")

    ran = home.orca("memory", "import", "--trust", stdin=document(MEMORY))
    assert "deleted here, and left out: 1 memory (--again brings it back)" in ran.stdout
    assert contents(home) == []

    home.orca("memory", "import", "--trust", "--again", stdin=document(MEMORY))
    assert contents(home) == ["I use neovim"]


@pytest.mark.parametrize("content", ["I USE NEOVIM!", "I use\u3164 neo\u034fvim", "Ｉ ｕｓｅ neovim", "i use nvim."])
@pytest.mark.parametrize("refused", ["delete", "archive"])
def test_what_was_refused_here_does_not_come_back_in_other_spelling(home: OrcaHome, refused: str, content: str) -> None:
    home.orca("memory", "add", "I use neovim")
    home.orca("memory", refused, "1", *(["--yes"] if refused == "delete" else []))

    home.orca("memory", "import", "--trust", stdin=document({"uid": "b", "content": content}))

    assert contents(home) == []


@pytest.mark.parametrize("content", ["I USE NEOVIM!", "I use\u3164 neo\u034fvim", "Ｉ ｕｓｅ neovim"])
def test_what_is_here_already_does_not_come_again_in_other_spelling(home: OrcaHome, content: str) -> None:
    home.orca("memory", "add", "I use neovim")

    ran = home.orca("memory", "import", "--trust", stdin=document({"uid": "b", "content": content}))

    assert (ran.status, contents(home)) == (0, ["I use neovim"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "nothing in it is a memory or a chat"),
        (b"{}", "nothing in it is a memory or a chat"),
        (b"[]", "nothing in it is a memory or a chat"),
        (b"[1]", "nothing in it is a memory or a chat"),
        (b'{"memories": [], "total": 0}', "nothing in it is a memory or a chat"),
        (b'{"orca_export": 2, "memories": []}', "written by a newer Orca: export version 2, this one knows 1"),
        (b'{"orca_export": true}', "this is no export of Orca"),
        (b'{"orca_export": 1, "memories": [{"content": "I use', "memories[0].content, line 1, column 51"),
        (b'{"orca_export": 1,\n"memories": [\n{"content": 7}]}', "memories[0].content, line 3: 7 is not a text"),
        (b'{"orca_export": 1, "memories": [{"content": "caf\xe9"}]}', "the bytes here are no UTF-8"),
        ('{"orca_export": 1}'.encode("utf-16"), "this is UTF-16 or UTF-32, or no text at all — save it as UTF-8"),
        (b'{"orca_export": 1, "memories": [{"content": "\\ud800 x"}]}', "memories[0].content, line 1, column 52: this is no JSON"),
        (b'{"orca_export": 1, "memories": [{"content": "ab", "confidence": NaN}]}', "confidence, line 1, column 65: this is no JSON"),
        (b'{"orca_export": 1, "memories": [{"content": "ab", "confidence": 2}]}', "memories[0].confidence, line 1: "),
        (b'{"orca_export": 1, "memories": [{"content": "ab", "type": "wish"}]}', "'wish' is none of fact, preference"),
        (b'{"orca_export": 1, "memories": [' + b'{"a":' * 9999, "nested too deep"),
        (b"\x00\x01\x02\x03", "UTF-16 or UTF-32, or no text at all"),
    ],
)  # fmt: skip
def test_what_can_not_be_taken_is_refused_in_one_line_and_nothing_is_written(
    home: OrcaHome, given: bytes, said: str
) -> None:
    home.orca("memory", "add", "I use vim")
    before = database(home)

    ran = home.orca("memory", "import", "--trust", stdin=given)

    assert (ran.status, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert database(home) == before
    assert sorted(each.name for each in home.path.iterdir() if each.suffix == ".spool") == []
    assert home.orca("memory", "import", "--json", stdin=given).json["error"]["kind"] == "invalid"


def test_a_byte_order_mark_is_no_obstacle(home: OrcaHome) -> None:
    assert home.orca("memory", "import", stdin=b"\xef\xbb\xbf" + document(MEMORY).encode()).status == 0


@pytest.mark.parametrize("name", ["nosuch.json", ""])
def test_a_file_that_can_not_be_read_is_a_line(home: OrcaHome, tmp_path: Path, name: str) -> None:
    ran = home.orca("memory", "import", f"{tmp_path}/{name}")

    assert ran.status == 2
    assert "can't be read" in ran.stderr


def test_hostile_text_comes_as_text(home: OrcaHome) -> None:
    hostile = "I use \u001b]52;c;ZXZpbA==\u001b\\ [/] \u202egpj and \U000e0041 tags"
    home.orca("memory", "import", stdin=document({"uid": "\u202ex", "content": hostile}))
    home.orca("memory", "import", stdin=document({"uid": "a", "content": hostile}))

    ran = home.orca("memory", "list")

    assert not {"\u001b", "\u202e", "\U000e0041"} & set(ran.stdout)
    assert "[/]" in ran.stdout


def test_a_refusal_shows_nothing_that_a_terminal_must_not_see(home: OrcaHome) -> None:
    ran = home.orca("memory", "import", stdin=b'{"orca_export": 1, "\\u001b]2;x\\u202e": []}')

    assert ran.status == 2
    assert not {"\u001b", "\u202e"} & set(ran.stderr)


def test_it_speaks_chinese(home: OrcaHome) -> None:
    ran = home.orca("memory", "import", stdin=document({"content": "ab", "confidence": 2}), LANG="zh_CN.UTF-8")

    assert "memories[0].confidence，第 1 行：" in ran.stderr


def test_without_a_file_and_a_pipe_it_says_so(home: OrcaHome) -> None:
    with home.at_a_terminal("memory", "import") as typist:
        assert "there is no document to bring in" in typist.read_until("\n")
        assert typist.end() == 2


def test_a_cut_import_leaves_nothing_behind(home: OrcaHome) -> None:
    """Ctrl+C while it reads."""
    home.orca("memory", "add", "I use vim")
    many = ",".join(json.dumps({"uid": f"u{number}", "content": f"I use tool {number}"}) for number in range(3000))
    process = home.spawn("memory", "import", "--trust")
    assert process.stdin is not None
    process.stdin.write(f'{{"orca_export": 1, "memories": [{many}'.encode())
    process.stdin.flush()
    os.kill(process.pid, signal.SIGINT)
    process.communicate()

    assert process.returncode == 130
    assert contents(home) == ["I use vim"]
