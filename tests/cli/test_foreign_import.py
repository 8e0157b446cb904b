"""`orca memory import` of other programs' files: what waits afterwards, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fakes.foreign_files import claude_chat, conversation, message, packed
from fakes.terminal import OrcaHome

MEM0 = {"id": "m-1", "memory": "Likes tea", "created_at": "2024-07-20T01:30:36-07:00", "categories": ["food"]}
HOSTILE = "\x1b]52;c;ZXZpbA==\x1b\\ \u202egpj [/] [@click=app.quit]x[/] =cmd|'/c calc'!A1"


def waiting(home: OrcaHome, *options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = home.orca("memory", "inbox", "--json", *options).json["memories"]
    return found


def database(home: OrcaHome) -> bytes:
    return (home.path / "orca.db").read_bytes()


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


def test_the_same_file_again_brings_nothing_whatever_became_of_it(home: OrcaHome) -> None:
    other = {"id": "m-2", "memory": "Likes coffee"}
    document = json.dumps([MEM0, other])
    home.orca("memory", "import", stdin=document)
    home.orca("memory", "accept", "1", "--content", "I like green tea")
    home.orca("memory", "reject", "2")

    told = home.orca("memory", "import", "--json", stdin=document).json

    assert (told["operation"], told["changed"]) == (None, [])
    assert [(each["id"], each["reason"]) for each in told["refused"]] == [(1, "known"), (2, "known")]


def test_a_dry_run_says_what_would_become_of_each_entry(home: OrcaHome) -> None:
    home.orca("memory", "add", "Has a cat")
    home.orca("memory", "add", "Has a dog")
    home.orca("memory", "delete", "2", "--yes")
    lines = "Likes tea\nHas a cat\nlikes tea.\nHas a dog\nx\n" + "y" * 2001 + "\n"

    before = database(home)
    ran = home.orca("memory", "import", "--dry-run", stdin=lines)

    assert database(home) == before
    assert [" ".join(line.split()) for line in ran.stdout.splitlines()[:6]] == [
        "line 3 the same as line 1",
        "line 5 too short for a memory x",
        "line 6 too long for a memory " + "y" * 79 + "…",
        "line 1 waits for you Likes tea",
        "line 2 said here in these words #1 Has a cat",
        "line 4 deleted here Has a dog",
    ]
    told = home.orca("memory", "import", "--dry-run", "--json", stdin=lines).json
    assert (told["dry_run"], told["left_out"], told["repeated"]) == (True, {"too_short": 1, "too_long": 1}, 1)
    assert [each["place"] for each in told["changed"]] == ["line 1"]
    assert [each["reason"] for each in told["refused"]] == [
        "repeated", "too_short", "too_long", "same_words", "deleted_here",
    ]  # fmt: skip


def test_a_dry_run_shows_the_memory_nearest_to_what_would_come(home: OrcaHome) -> None:
    home.orca("memory", "add", "Runs postgres on port 5433")
    home.orca("memory", "add", "用户住在杭州西湖边")
    lines = "Runs postgres on port 5432\n用户住在杭州余杭\nLikes tea\n"

    before = database(home)
    ran = home.orca("memory", "import", "--dry-run", stdin=lines)
    told = home.orca("memory", "import", "--dry-run", "--json", stdin=lines).json

    assert database(home) == before
    shown = [" ".join(line.split()) for line in ran.stdout.splitlines()[:5]]
    assert shown[0] == "line 1 waits for you Runs postgres on port 5432"
    assert re.fullmatch(r"nearest \(0\.\d\d by words\): #1 Runs postgres on port 5433", shown[1])
    assert re.fullmatch(r"nearest \(0\.\d\d by words\): #2 用户住在杭州西湖边", shown[3])
    assert shown[4] == "line 3 waits for you Likes tea"
    near = [each["near"] for each in told["changed"]]
    assert [each and each["id"] for each in near] == [1, 2, None]
    assert near[0]["content"] == "Runs postgres on port 5433"
    assert near[0]["by"] == "words"
    assert 0 < near[0]["similarity"] < 1


def test_the_inbox_shows_what_is_nearest_to_what_was_imported(home: OrcaHome) -> None:
    home.orca("memory", "add", "Runs postgres on port 5433")
    home.orca("memory", "import", stdin="Runs postgres on port 5432\n")

    assert re.search(r"nearest \(0\.\d\d by words\): #1", home.orca("memory", "inbox").stdout)
    [case] = home.orca("memory", "inbox", "--json").json["memories"]
    assert case["nearest"]["id"] == 1
    assert case["nearness"]["by"] == "words"
    assert 0 < case["nearness"]["similarity"] < 1


def test_a_download_of_chatgpt_brings_what_was_plainly_said_with_its_chat_and_date(
    home: OrcaHome, tmp_path: Path
) -> None:
    chats = [
        conversation([message("user", "I live in Rome. Any pasta place?"), message("assistant", "ok")], "Moving"),
        conversation([message("user", "why is the sky blue?")], "Sky"),
        conversation([message("assistant", "Has two cats.", recipient="bio")], "Cats"),
    ]
    file = tmp_path / "export.zip"
    file.write_bytes(packed({"conversations.json": chats, "chat.html": "<html>"}))

    ran = home.orca("memory", "import", str(file))

    assert "waiting for you: 2 memories" in ran.stdout
    assert "nothing in 2 chats" in ran.stdout
    first, second = waiting(home)
    assert (first["content"], first["origin"]["quote"], first["origin"]["chat"]) == (
        "I live in Rome",
        "I live in Rome",
        "Moving",
    )
    assert first["created_at"].startswith("2024-03-05")
    assert second["content"] == "Has two cats."
    shown = home.orca("memory", "inbox").stdout
    assert "from: ChatGPT · Moving · 2024-03-05" in shown
    assert "quote: “I live in Rome”" in shown


def test_an_import_is_taken_back_and_brought_again_as_one(home: OrcaHome) -> None:
    home.orca("memory", "import", stdin="Likes tea\nHas a cat\n")

    home.orca("memory", "undo")
    assert waiting(home) == []
    home.orca("memory", "redo")
    assert [each["content"] for each in waiting(home)] == ["Likes tea", "Has a cat"]


def test_with_trust_all_lives_but_what_only_its_owner_should_confirm(home: OrcaHome) -> None:
    home.orca("memory", "import", "--trust", stdin="Likes tea\nThe password is hunter22\nHas an interview tomorrow\n")

    assert [each["content"] for each in home.orca("memory", "list", "--json").json["memories"]] == ["Likes tea"]
    assert [each["held_because"] for each in waiting(home)] == ["secret", "undated"]


def test_what_a_pattern_found_in_a_chat_waits_also_with_trust(home: OrcaHome) -> None:
    chats = [
        conversation([message("user", "I live in Rome.")], "Moving"),
        conversation([message("assistant", "Has two cats.", recipient="bio")], "Cats"),
    ]

    home.orca("memory", "import", "--trust", stdin=json.dumps(chats))

    assert [each["content"] for each in home.orca("memory", "list", "--json").json["memories"]] == ["Has two cats."]
    assert [(each["content"], each["held_because"]) for each in waiting(home)] == [("I live in Rome", "imported")]


def test_what_was_deleted_here_comes_back_only_if_it_is_wanted_again(home: OrcaHome) -> None:
    home.orca("memory", "import", stdin="Likes tea\n")
    home.orca("memory", "delete", "1", "--yes")

    assert "deleted here" in home.orca("memory", "import", stdin="Likes tea\n").stdout
    assert waiting(home) == []
    home.orca("memory", "import", "--again", stdin="Likes tea\n")
    assert [each["content"] for each in waiting(home)] == ["Likes tea"]


def test_a_format_is_believed_where_the_file_could_be_several(home: OrcaHome) -> None:
    profile = json.dumps({"full_name": "Alex", "skills": ["Go", "SQL"]})
    assert home.orca("memory", "import", stdin=profile).status == 2

    home.orca("memory", "import", "--format", "mem0", stdin=profile)
    assert [each["content"] for each in waiting(home)] == ["full name: Alex", "skills: Go, SQL"]

    ran = home.orca("memory", "import", "--format", "claude", stdin=json.dumps([MEM0]))
    assert (ran.status, "this is no claude, it looks like mem0" in ran.stderr) == (2, True)
    ran = home.orca("memory", "import", "--format", "orca", stdin=json.dumps([MEM0]))
    assert (ran.status, "this is no export of Orca" in ran.stderr) == (2, True)


@pytest.mark.parametrize(
    "document",
    [
        {"results": [{**MEM0, "memory": HOSTILE, "id": HOSTILE, "categories": [HOSTILE]}]},
        [conversation([message("user", f"I live in Rome.\n\n{HOSTILE}")], HOSTILE)],
        [conversation([message("assistant", HOSTILE, recipient="bio")], HOSTILE)],
        [claude_chat("I live in Rome.", name=HOSTILE)],
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
        ("caf\xe9\n".encode("latin-1"), "line 1: the bytes here are no UTF-8"),
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
