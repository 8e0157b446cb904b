"""`orca memory import`: what an export of Orca or of another program brings, and what it can not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes.foreign_files import conversation, message, packed
from fakes.terminal import OrcaHome

from orca_core.services import import_export

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


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "nothing in it is a memory"),
        (b"{}", "nothing in it is a memory"),
        (b"[]", "nothing in it is a memory"),
        (b"[1]", "nothing in it is a memory"),
        (b'{"memories": [], "total": 0}', "nothing in it is a memory"),
        (b'{"orca_export": 2, "memories": []}', "written by a newer Orca: export version 2, this one knows 1"),
        (b'{"orca_export": true}', "this is no export of Orca"),
        (b'{"orca_export": 1, "memories": [{"content": "I use', "memories[0].content, line 1, column 51"),
        (b'{"orca_export": 1,\n"memories": [\n{"content": 7}]}', "memories[0].content, line 3: Expected `str`, got `int`"),
        (b'{"orca_export": 1, "memories": [{"content": "caf\xe9"}]}', "the bytes here are no UTF-8"),
        ('{"orca_export": 1}'.encode("utf-16"), "this is UTF-16 or UTF-32, or no text at all — save it as UTF-8"),
        (b'{"orca_export": 1, "memories": [{"content": "\\ud800 x"}]}', "memories[0].content, line 1, column 52: this is no JSON"),
        (b'{"orca_export": 1, "memories": [{"content": "ab", "confidence": NaN}]}', "confidence, line 1, column 65: this is no JSON"),
        (b'{"orca_export": 1, "memories": [{"content": "ab", "confidence": 2}]}', "memories[0].confidence, line 1: "),
        (b'{"orca_export": 1, "memories": [{"content": "ab", "type": "wish"}]}', "memories[0].type, line 1: Invalid enum value 'wish'"),
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
    assert home.orca("memory", "import", "--json", stdin=given).json["error"]["kind"] == "invalid"


@pytest.mark.parametrize("name", ["nosuch.json", ""])
def test_a_file_that_can_not_be_read_is_a_line(home: OrcaHome, tmp_path: Path, name: str) -> None:
    ran = home.orca("memory", "import", f"{tmp_path}/{name}")

    assert ran.status == 2
    assert "can't be read" in ran.stderr


def test_without_a_file_and_a_pipe_it_says_so(home: OrcaHome) -> None:
    with home.at_a_terminal("memory", "import") as typist:
        assert "there is no document to bring in" in typist.read_until("\n")
        assert typist.end() == 2


MEM0 = {"id": "m-1", "memory": "Likes tea", "created_at": "2024-07-20T01:30:36-07:00", "categories": ["food"]}
HOSTILE = "\x1b]52;c;ZXZpbA==\x1b\\ \u202egpj [/] [@click=app.quit]x[/] =cmd|'/c calc'!A1"


def waiting(home: OrcaHome, *options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = home.orca("memory", "inbox", "--json", *options).json["memories"]
    return found


def test_memories_of_mem0_wait_with_their_dates_and_tags_also_in_an_empty_home(home: OrcaHome) -> None:
    ran = home.orca("memory", "import", stdin=json.dumps({"results": [MEM0]}))

    assert ran.status == 0
    assert "waiting for you: 1 memory" in ran.stdout
    assert "orca memory undo" in ran.stderr
    [memory] = waiting(home)
    assert (memory["content"], memory["held_because"], memory["tags"]) == ("Likes tea", "imported", ["food"])
    assert memory["created_at"] == "2024-07-20T08:30:36.000Z"
    assert (memory["origin"]["kind"], memory["origin"]["program"]) == ("import", "mem0")
    assert home.orca("memory", "list", "--json").json["total"] == 0


def test_a_dry_run_says_what_would_become_of_each_entry(home: OrcaHome) -> None:
    home.orca("memory", "add", "Has a cat")
    home.orca("memory", "add", "Has a dog")
    home.orca("memory", "delete", "2", "--yes")
    lines = "Likes tea\nHas a cat\nlikes tea.\nHas a dog\nx\n" + "y" * 2001 + "\n"

    before = database(home)
    ran = home.orca("memory", "import", "--dry-run", stdin=lines)

    assert database(home) == before
    assert [" ".join(line.split()) for line in ran.stdout.splitlines()[:5]] == [
        "line 5 too short for a memory x",
        "line 6 too long for a memory " + "y" * 79 + "…",
        "line 1 waits for you Likes tea",
        "line 2 said here in these words #1 Has a cat",
        "line 4 deleted here Has a dog",
    ]
    told = home.orca("memory", "import", "--dry-run", "--json", stdin=lines).json
    assert (told["dry_run"], told["left_out"], told["repeated"]) == (True, {"too_short": 1, "too_long": 1}, 1)
    assert [each["place"] for each in told["changed"]] == ["line 1"]
    assert [each["reason"] for each in told["refused"]] == ["too_short", "too_long", "same_words", "deleted_here"]


def test_a_download_of_chatgpt_brings_its_memories_with_their_chat_and_date(home: OrcaHome, tmp_path: Path) -> None:
    chats = [
        conversation([message("user", "I live in Rome. Any pasta place?"), message("assistant", "ok")], "Moving"),
        conversation([message("assistant", "Has two cats.", recipient="bio")], "Cats"),
    ]
    file = tmp_path / "export.zip"
    file.write_bytes(packed({"conversations.json": chats, "chat.html": "<html>"}))

    ran = home.orca("memory", "import", str(file))

    assert "waiting for you: 1 memory" in ran.stdout
    [memory] = waiting(home)
    assert (memory["content"], memory["origin"]["chat"]) == ("Has two cats.", "Cats")
    assert memory["created_at"].startswith("2024-03-05")
    assert "from: ChatGPT · Cats · 2024-03-05" in home.orca("memory", "inbox").stdout


@pytest.mark.parametrize(
    "document",
    [
        {"results": [{**MEM0, "memory": HOSTILE, "id": HOSTILE, "categories": [HOSTILE]}]},
        [conversation([message("assistant", HOSTILE, recipient="bio")], HOSTILE)],
        {"project_memories": {HOSTILE: HOSTILE}, "memory_files": [{"path": HOSTILE, "content": HOSTILE}]},
        {HOSTILE: [{"content": HOSTILE}], "results": [{HOSTILE: HOSTILE, "text": HOSTILE}]},
    ],
)  # fmt: skip
def test_hostile_text_in_any_field_reaches_no_terminal(home: OrcaHome, document: object) -> None:
    told = [
        home.orca("memory", "import", "--dry-run", stdin=json.dumps(document)),
        home.orca("memory", "import", stdin=json.dumps(document)),
        home.orca("memory", "inbox"),
        home.orca("memory", "list", "--status", "all"),
        home.orca("memory", "show", "1"),
        home.orca("memory", "accept", "--all", "--dry-run"),
    ]

    for ran in told:
        assert ran.status == 0, ran.stderr
        assert not {"\x1b", "\u202e", "\x07"} & set(ran.stdout + ran.stderr)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b'[{"memory": "a"', "[0].memory, line 1, column 16"),
        (b'{"content": "a"}\n{"content": NaN}\n', "content, line 2"),
        (b"PK\x03\x04" + b"\x00" * 99, "can't be unpacked"),
        (b"<!doctype html><p>", "this is a web page"),
        ("caf\xe9\n".encode("latin-1"), "line 1, column 4: the bytes here are no UTF-8"),
        (b'[{"mapping": ' + b'{"a":' * 9999, "nested too deep"),
    ],
)
def test_what_can_not_be_read_is_refused_in_one_line_and_nothing_is_written(
    home: OrcaHome, given: bytes, said: str
) -> None:
    home.orca("memory", "add", "Has a cat")
    before = database(home)

    ran = home.orca("memory", "import", "--trust", stdin=given)

    assert (ran.status, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert database(home) == before


def imported(home: OrcaHome, *lines: str) -> None:
    given = "".join(f"{line}\n" for line in lines).encode()
    assert home.orca("memory", "import", "--trust", stdin=given).status == 0


def conflicts(home: OrcaHome) -> dict[str, object]:
    [found] = [each for each in home.orca("doctor", "--json").json["checks"] if each["name"] == "conflicts"]
    return found


def test_what_the_import_did_not_wait_for_is_told_and_done_later(
    home: OrcaHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def none(*_: object) -> object:
        for each in ():
            yield each

    with monkeypatch.context() as patched:
        patched.setattr(import_export, "compared", none)
        patched.setattr("orca_core.jobs.upkeep.compared", none)
        imported(home, "The rent is 900 euros", "The rent is 950 euros")
    assert "2 of those imported are still to be compared" in str(conflicts(home))

    home.orca("memory", "reindex")

    assert conflicts(home)["state"] == "warn"
