"""`delete --proof`: every place where a record could have been, and what is left there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fakes.terminal import OrcaHome

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
    home.orca("upkeep")  # a vector and its caches
    home.orca("memory", "search", "quokkas")

    proof = proof_of(home, "memory", "delete", "1")

    assert proof["gone"]
    assert left(proof) == {}
    assert found(proof).keys() >= {"record", "history", "words", "vectors", "memory_history.before"}
    assert proof["backups"] == []


def test_a_backup_that_can_not_be_read_is_no_proof(home: OrcaHome) -> None:
    add(home, GONE)
    folder = home.path / "backups"
    folder.mkdir()
    (folder / "orca-2026-11-20-120007Z.db").write_bytes(b"no database" * 100)

    proof = proof_of(home, "memory", "delete", "1")

    assert not proof["gone"]
    assert [each["found"] for each in proof["backups"]] == [None]


def test_a_chat_is_proved_to_be_gone_and_its_fellow_stays(home: OrcaHome) -> None:
    home.orca("chat", "What do quokkas eat in winter?", "--session", "s")
    home.orca("chat", "What do wombats eat in winter?", "--session", "t")
    home.orca("chat", "ok", "--session", "s")

    proof = proof_of(home, "session", "delete", "s")

    assert (proof["gone"], left(proof)) == (True, {})
    assert found(proof).keys() >= {"record", "messages", "summaries", "receipts", "main_messages.content"}
    assert "wombats" in home.orca("session", "show", "t").stdout


WORK = (
    ("task", "start", "the quokkas ran away", "--target", "quokkas", "--session", "s"),
    ("task", "step", "looked for quokkas", "--session", "s"),
    ("task", "done", "success", "the quokkas are back", "--session", "s"),
)


@pytest.mark.parametrize(
    ("made", "deleted"),
    [
        ((("memory", "add", GONE), ("memory", "edit", "2", "--content", "quokkas")), (("memory", "delete", "2"),)),
        (
            (("chat", f"Remember that {GONE}"),),
            (("memory", "delete", "2", "--with-messages"), ("session", "delete", "s")),
        ),
        ((("chat", "What do quokkas eat?", "--session", "s"),), (("session", "delete", "s"),)),
        (WORK, (("task", "delete", "w1"), ("episode", "delete", "e1"))),
        ((("tool", "record"),), (("tool", "delete", "search"),)),
    ],
)
def test_no_byte_of_what_is_deleted_is_left_in_any_file(home: OrcaHome, made: Any, deleted: Any) -> None:
    def times() -> int:
        files = [each for each in home.path.rglob("*") if each.is_file()]
        return sum(each.read_bytes().lower().count(b"quokka") for each in files)

    add(home, TWIN)
    call = {"tool": "search", "input": "where quokkas live", "output": "by the sea", "call_id": "1"}
    for typed in made:
        assert home.orca(*typed, stdin=json.dumps([call]) if typed[0] == "tool" else "").status == 0
    assert times() > 0

    for typed in deleted:
        home.orca(*typed, "--yes", "--proof")

    assert times() == 0
