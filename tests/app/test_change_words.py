"""Changes to records of any kind in words: who is meant, and what became of it."""

from __future__ import annotations

from fakes.memories import AT

from orca_core.domain.journal import Actor, Change, Conflict, Operation, OperationHeader, Undone
from orca_core.domain.memories import Fields
from orca_core.domain.refs import Kind, Ref, memory_ref
from orca_tui.app.memory.memory_details import operation_content
from orca_tui.cli.views import undone_lines
from orca_tui.marks import UNICODE_MARKS
from orca_tui.words.changes import change_detail, operation_text, undone_words

EPISODE = Ref(Kind("episode", "e"), 7)
MEMORY = memory_ref(7)


def changed(ref: Ref, before: Fields | None, after: Fields, action: str = "edit") -> Change:
    return Change(3, ref, AT, Actor.USER, action, before, after)


def operation(action: str) -> Operation:
    return Operation(3, OperationHeader(Actor.USER, action, AT))


def test_a_record_of_a_further_kind_is_not_taken_for_the_memory_of_its_number() -> None:
    edits = [changed(ref, {"pinned": False}, {"pinned": True}) for ref in (EPISODE, MEMORY)]

    assert operation_text(operation("pin"), edits, UNICODE_MARKS) == "pinned #e7 #7"
    assert operation_text(operation("edit"), edits[:1], UNICODE_MARKS).startswith("edited #e7  ")
    assert [line[:4].strip() for line in operation_content(operation("pin"), edits, UNICODE_MARKS).plain.splitlines()][
        2:4
    ] == ["#e7", "#7"]


def test_a_weight_step_names_the_record() -> None:
    step = changed(EPISODE, {"weight": 1.0, "used": 0}, {"weight": 1.5, "used": 1}, "weights")

    assert operation_text(operation("weights"), [step], UNICODE_MARKS) == "#e7 used 1.0→1.5"


def test_a_merge_keeps_apart_what_shares_a_number() -> None:
    gone = changed(memory_ref(5), {"superseded_by": None}, {"superseded_by": 7}, "merge")
    merge = [gone, changed(MEMORY, {"tags": []}, {"tags": ["a"]}, "merge")]

    assert operation_text(operation("merge"), merge, UNICODE_MARKS, {EPISODE: "another", MEMORY: "cats"}) == (
        "merged #5 into #7  cats"
    )


def test_an_undo_names_records_of_any_kind() -> None:
    undone = Undone(4, operation("edit"), (EPISODE,), (), (Conflict(EPISODE, "importance", 0.5, 0.7),))

    assert undone_words(undone).startswith("took back edited #e7 ")
    assert undone_lines(undone)[0] == "took back edit [3] of #e7"
    assert undone_lines(undone)[1] == "left alone, changed later: #e7 importance"


def test_a_state_is_shown_as_the_status_that_people_know() -> None:
    archived = changed(MEMORY, {"state": "live"}, {"state": "archived"}, "archive")
    forgotten = changed(EPISODE, {"state": "live"}, {"state": "forgotten"}, "forget")

    assert change_detail(archived, UNICODE_MARKS) == "status active→archived"
    assert change_detail(forgotten, UNICODE_MARKS) == "status active→forgotten"
