"""Changes to records of any kind in words: who is meant, and what became of it."""

from __future__ import annotations

import pytest
from fakes.memories import AT

from orca_core.model.memories import Fields
from orca_core.model.operations import Actor, Change, Conflict, Operation, OperationHeader, UndoOutcome
from orca_core.model.record_types import KNOWLEDGE, TASK, Kind, Ref, memory_ref
from orca_core.model.tasks import STEP
from orca_tui.app.records.details import operation_content
from orca_tui.marks import UNICODE_MARKS
from orca_tui.words.history_words import change_detail, operation_text, undone_lines, undone_words

EPISODE = Ref(Kind("episode", "e"), 7)
KNOWN, TASK_7, STEP_7 = Ref(KNOWLEDGE, 7), Ref(TASK, 7), Ref(STEP, 7)
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


def test_a_merge_keeps_apart_what_shares_a_number() -> None:
    gone = changed(memory_ref(5), {"superseded_by": None}, {"superseded_by": 7}, "merge")
    merge = [gone, changed(MEMORY, {"tags": []}, {"tags": ["a"]}, "merge")]

    assert operation_text(operation("merge"), merge, UNICODE_MARKS, {EPISODE: "another", MEMORY: "cats"}) == (
        "merged #5 into #7  cats"
    )


def test_an_undo_names_records_of_any_kind() -> None:
    undone = UndoOutcome(4, operation("edit"), (EPISODE,), (), (Conflict(EPISODE, "importance", 0.5, 0.7),))

    assert undone_words(undone).startswith("took back [3]: edited #e7 ")
    assert undone_lines(undone)[0] == "took back [3]: edited #e7"
    assert undone_lines(undone)[1] == "left alone, changed later: #e7 importance"


def test_an_undo_that_had_to_leave_all_of_it_took_nothing_back() -> None:
    undone = UndoOutcome(4, operation("add"), (), (), (Conflict(MEMORY, "state", "live", "archived"),))

    assert undone_lines(undone) == ["nothing of [3] was taken back: added", "left alone, changed later: #7 state"]
    assert undone_words(undone).startswith("nothing of [3] was taken back: added · ")


@pytest.mark.parametrize(
    ("action", "ref", "after", "words"),
    [
        (
            "episodes",
            EPISODE,
            {"trigger_summary": "nginx 502", "outcome": "success"},
            "noted what was done #e7  nginx 502",
        ),
        ("consolidate", KNOWN, {"topic": "nginx", "content": "restart it"}, "learnt from episodes #k7  nginx"),
        ("start_task", TASK_7, {"request": "mend the proxy"}, "started a task #w7  mend the proxy"),
        ("add_step", STEP_7, {"description": "read the log"}, "added a step #p7  read the log"),
    ],
)
def test_what_was_made_says_what_it_is_about(action: str, ref: Ref, after: Fields, words: str) -> None:
    made = changed(ref, None, after, action)

    assert operation_text(operation(action), [made], UNICODE_MARKS) == words


def test_forgetting_says_how_many() -> None:
    faded = [changed(Ref(EPISODE.kind, each), {"state": "live"}, {"state": "archived"}, "fade") for each in (1, 2)]

    assert operation_text(operation("fade"), faded, UNICODE_MARKS) == "2 episodes forgotten"
    assert operation_text(operation("fade"), [], UNICODE_MARKS) == "deleted for good what was forgotten long ago"


def test_of_what_waited_too_long_some_may_live_by_now() -> None:
    expired = changed(EPISODE, {"state": "candidate"}, {"state": "rejected"}, "expire")
    lives = changed(KNOWN, {"state": "candidate"}, {"state": "live"}, "expire")

    assert operation_text(operation("expire"), [expired], UNICODE_MARKS) == "1 candidate expired"
    both = operation_text(operation("expire"), [expired, lives], UNICODE_MARKS)
    assert both == "1 candidate expired · 1 lives by now"


def test_the_end_of_a_task_is_said_in_words_and_without_its_times() -> None:
    ended = changed(
        TASK_7,
        {"status": "in_progress", "outcome": None, "ended_at": None},
        {"status": "completed", "outcome": "partial", "ended_at": "2026-11-20T12:00:00Z"},
    )

    assert change_detail(ended, UNICODE_MARKS) == "status in progress→completed, outcome -→partial success"
