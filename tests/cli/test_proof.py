"""`delete --proof`: every place where a record could have been, and what is left there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fakes.terminal import OrcaHome

from orca_core.storage.sqlite.upkeep import traces

GONE = "I keep “quokkas” behind the house"
TWIN = "I keep a wombat"


def add(home: OrcaHome, *texts: str) -> None:
    for text in texts:
        assert home.orca("memory", "add", text).status == 0


def proof_of(home: OrcaHome, *typed: str) -> Any:
    ran = home.orca(*typed, "--yes", "--proof", "--json")
    assert ran.status == 0, ran
    return ran.json["proof"]


def left(proof: Any) -> dict[str, int]:
    return {each["name"]: each["left"] for each in (*proof["places"], *proof["columns"]) if each["left"]}


def found(proof: Any) -> dict[str, int]:
    return {each["name"]: each["found"] for each in (*proof["places"], *proof["columns"]) if each["found"]}


def test_what_is_gone_is_proved_to_be(home: OrcaHome) -> None:
    add(home, GONE, TWIN)
    home.orca("memory", "edit", "1", "--content", GONE + " for years")
    home.orca("memory", "search", "quokkas")

    proof = proof_of(home, "memory", "delete", "1")

    assert proof["gone"]
    assert left(proof) == {}
    assert found(proof).keys() >= {"record", "history", "words", "vectors", "memory_history.before"}
    assert [Path(each["path"]).name for each in proof["files"]][:1] == ["orca.db"]
    assert sum(each["found"] for each in proof["files"]) == 0
    assert proof["backups"] == []


def test_what_stays_is_named(home: OrcaHome) -> None:
    home.orca("chat", f"Remember that {GONE}", "--session", "s")
    [memory] = home.orca("memory", "list", "--json").json["memories"]
    home.orca("backup")

    proof = proof_of(home, "memory", "delete", str(memory["id"]))

    assert not proof["gone"]
    assert left(proof).keys() >= {"messages", "main_messages.content"}
    assert "summaries" in found(proof)
    assert "summaries" not in left(proof)
    assert [each["found"] > 0 for each in proof["backups"]] == [True]
    assert sum(each["found"] for each in proof["files"]) > 0


def test_with_its_messages_nothing_stays_but_what_a_backup_holds(home: OrcaHome) -> None:
    home.orca("chat", f"Remember that {GONE}", "--session", "s")
    home.orca("chat", f"Remember that {TWIN}", "--session", "t")
    first = min(each["id"] for each in home.orca("memory", "list", "--json").json["memories"])

    proof = proof_of(home, "memory", "delete", str(first), "--with-messages")

    assert proof["gone"]
    assert found(proof).keys() >= {"messages", "summaries", "main_messages.content"}
    assert TWIN in home.orca("memory", "list").stdout


def test_a_backup_that_can_not_be_read_is_no_proof(home: OrcaHome) -> None:
    add(home, GONE)
    folder = home.path / "backups"
    folder.mkdir()
    (folder / "orca-2026-11-20-120007Z.db").write_bytes(b"no database" * 100)

    proof = proof_of(home, "memory", "delete", "1")

    assert not proof["gone"]
    assert [each["found"] for each in proof["backups"]] == [None]


def test_in_words(home: OrcaHome) -> None:
    add(home, GONE)
    home.orca("backup")

    ran = home.orca("memory", "delete", "1", "--yes", "--proof")

    assert "the record itself" in ran.stdout
    assert "still holds it: delete the file to be rid of that" in ran.stdout
    assert "Something is left; see the list." in ran.stdout
    assert "cuts in two" in ran.stderr


@pytest.mark.parametrize("typed", [("episode", "delete", "e1"), ("knowledge", "delete", "k1")])
def test_records_of_work_are_proved_too(home: OrcaHome, typed: tuple[str, ...]) -> None:
    for trigger in ("nginx answers 502", "nginx is slow", "nginx leaks"):
        home.orca("task", "start", trigger, "--target", "nginx", "--session", "s")
        home.orca("task", "done", "success", "works", "--session", "s")
    home.orca("consolidate", "--target", "nginx")

    proof = proof_of(home, *typed)

    assert {name: count for name, count in left(proof).items() if "." not in name} == {}
    assert found(proof)["record"] == 1
    assert found(proof).keys() >= {"words", "vectors", "history"}


@pytest.mark.parametrize("size", [1, 2, 3, 7, 4096])
def test_a_text_is_found_wherever_the_pieces_of_a_file_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(traces, "PIECE", size)
    file = tmp_path / "file"
    for content, times in ((b"", 0), (b"abc", 1), (b"xxabcabc", 2), (b"ab", 0), (b"abcab", 1), (b"xxxxxxabcdefg", 2)):
        file.write_bytes(content)

        assert traces._times_in(file, [b"abc", b"bcdefg"]) == times, content
