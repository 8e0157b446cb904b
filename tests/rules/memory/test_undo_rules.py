"""An undo restores what still stands as the operation left it, and names the rest."""

from __future__ import annotations

import pytest
from fakes.memories import AT, memory
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.memories import MEMORIES, Fields, Memory, State
from orca_core.model.operations import Actor, Change, UndoPlan
from orca_core.model.record_types import EPISODE, TASK, Kind, Ref, memory_ref
from orca_core.operations.records import RecordTypes
from orca_core.rules.memory import undo_rules
from orca_core.rules.memory.undo_rules import plan_retried


def change(before: dict[str, object] | None, after: dict[str, object]) -> Change:
    return Change(1, memory_ref(7), AT, Actor.USER, "edit", before, after)


def plan(changes: list[Change], current: dict[Ref, Fields]) -> UndoPlan:
    return undo_rules.plan(changes, current, RecordTypes().unmade)


def made(start: Memory, after: dict[str, object]) -> tuple[Change, Memory]:
    """An operation and the memory after it."""
    held = MEMORIES.changeable_fields(start)
    return change({field: held[field] for field in after}, after), MEMORIES.changed(start, after)


@pytest.mark.parametrize(
    ("before", "after", "now", "restored", "conflicts"),
    [
        ({"weight": 1.0}, {"weight": 2.0}, {"weight": 2.0}, {"weight": 1.0}, []),
        ({"weight": 1.0}, {"weight": 2.0}, {"weight": 3.0}, {}, ["weight"]),
        ({"pinned": False}, {"pinned": True}, {"pinned": True}, {"pinned": False}, []),
        ({"content": "old"}, {"content": "new"}, {"content": "newer"}, {}, ["content"]),
        ({"tags": []}, {"tags": ["a"]}, {"tags": ["a"]}, {"tags": []}, []),
        ({"weight": 1.0, "type": "fact"}, {"weight": 2.0, "type": "event"}, {"weight": 9.0, "type": "event"}, {"type": "fact"}, ["weight"]),
        ({"access_count": 0}, {"access_count": 1}, {"access_count": 4}, {"access_count": 3}, []),
        ({"used": 0, "weight": 1.0}, {"used": 1, "weight": 1.5}, {"used": 2, "weight": 2.0}, {"used": 1}, ["weight"]),
        ({"seen": 1}, {"seen": 2}, {"seen": 2}, {"seen": 1}, []),
        ({"state": "live"}, {"state": "archived"}, {"state": "live"}, {}, ["state"]),
    ],
)  # fmt: skip
def test_fields_that_nothing_touched_are_restored(before, after, now, restored, conflicts) -> None:
    planned = plan(
        [change(before, after)], {memory_ref(7): MEMORIES.changeable_fields(MEMORIES.changed(memory(), now))}
    )

    assert planned.restore.get(memory_ref(7), {}) == restored
    assert [each.field for each in planned.conflicts] == conflicts


NOTE = Ref(Kind("note", "n"), 3)
NOTED = {"text": "a giraffe", "shelf": "desk", "used": 0}


@pytest.mark.parametrize(
    ("now", "restored", "conflicts"),
    [
        ({}, {"shelf": "bin"}, []),
        ({"text": "a zebra"}, {"shelf": "bin"}, []),  # as with a memory: it goes, whatever it says by now
        ({"shelf": "attic"}, {}, ["shelf"]),
    ],
)  # fmt: skip
def test_what_an_operation_made_is_put_away_as_its_kind_says(now, restored, conflicts) -> None:
    making = Change(1, NOTE, AT, Actor.USER, "add", None, NOTED)

    planned = undo_rules.plan([making], {NOTE: {**NOTED, **now}}, {NOTE.kind: {"shelf": "bin"}})

    assert planned.restore.get(NOTE, {}) == restored
    assert [each.field for each in planned.conflicts] == conflicts


def test_a_memory_that_is_gone_is_named() -> None:
    [conflict] = plan([change({"weight": 1.0}, {"weight": 2.0})], {}).conflicts

    assert (conflict.ref.id, conflict.field, conflict.found) == (7, "memory", "deleted")


some_fields = st.fixed_dictionaries(
    {},
    optional={
        "content": st.text(min_size=2, max_size=9),
        "weight": st.floats(0, 10).map(lambda value: round(value, 6)),
        "pinned": st.booleans(),
        "tags": st.lists(st.text(max_size=3), max_size=3),
        "state": st.sampled_from([state.value for state in State]),
        "seen": st.integers(0, 9),
        "last_accessed": st.just("2026-11-20T12:00:00.000000Z"),
    },
)


@given(some_fields)
def test_undo_then_redo_is_as_if_nothing_had_been(after: dict[str, object]) -> None:
    start = memory()
    operation, done = made(start, after)
    undoing, undone = made(
        done, dict(plan([operation], {memory_ref(7): MEMORIES.changeable_fields(done)}).restore.get(memory_ref(7), {}))
    )
    redone = MEMORIES.changed(
        undone, plan([undoing], {memory_ref(7): MEMORIES.changeable_fields(undone)}).restore.get(memory_ref(7), {})
    )

    assert undone == start
    assert redone == done


@pytest.mark.parametrize(
    ("before", "after", "now", "by_hand", "weight", "conflicts"),
    [
        (1.0, 1.5, {"weight": 1.5}, False, 1.0, []),  # nothing moved it since
        (1.0, 1.5, {"weight": 2.0}, False, 1.5, []),  # another chat used it: its share stays
        (1.0, 0.7, {"weight": 0.4}, False, 0.7, []),  # another chat did not: its share stays
        (0.9, 0.6, {"weight": 1.1}, False, 1.4, []),
        (0.1, 0.6, {"weight": 0.3}, False, 0.0, []),  # no weight is below 0
        (1.1, 1.6, {"weight": 1.3}, False, 0.8, []),  # rounded
        (1.0, 1.5, {"weight": 4.0}, True, None, ["weight"]),  # a person set it
        (1.0, 1.5, {"weight": 2.0, "pinned": True}, False, None, ["weight"]),  # no machine lowers a pinned one
        (1.0, 0.7, {"weight": 1.2, "pinned": True}, False, 1.5, []),
        (1.0, 1.5, {"weight": 0.2, "state": "archived"}, False, None, ["weight"]),  # what is archived keeps its weight
    ],
)  # fmt: skip
def test_a_turn_tried_again_gives_back_its_own_share(before, after, now, by_hand, weight, conflicts) -> None:
    turn = Change(
        1, memory_ref(7), AT, Actor.TURN, "weights", {"weight": before, "used": 1}, {"weight": after, "used": 2}
    )
    held = MEMORIES.changed(memory(id=7, used=2), now)
    planned = plan_retried(
        [turn], {memory_ref(7): MEMORIES.changeable_fields(held)}, [memory_ref(7)] if by_hand else []
    )

    assert planned.restore[memory_ref(7)]["used"] == 1
    assert planned.restore[memory_ref(7)].get("weight") == weight
    assert [each.field for each in planned.conflicts] == conflicts


@pytest.mark.parametrize(
    ("held", "restored"),
    [
        ({"status": "completed", "outcome": "success"}, {TASK, EPISODE}),
        ({"status": "in_progress", "outcome": "success"}, set()),
        ({"status": "dropped", "outcome": "success"}, set()),
        (None, set()),
    ],
)
def test_the_end_of_a_task_and_its_episode_are_taken_back_together_or_not(
    held: Fields | None, restored: set[Kind]
) -> None:
    task, episode = Ref(TASK, 1), Ref(EPISODE, 1)
    before, after = {"status": "in_progress", "outcome": None}, {"status": "completed", "outcome": "success"}
    ended = [
        Change(1, task, AT, Actor.USER, "end_task", before, after),
        Change(1, episode, AT, Actor.USER, "end_task", None, {"state": "live", "archived_because": None}),
    ]
    now: dict[Ref, Fields] = {episode: {"state": "live", "archived_because": None}}

    planned = plan(ended, now if held is None else {task: held, **now})

    assert {ref.kind for ref in planned.restore} == restored
    assert bool(planned.conflicts) == (not restored)


@pytest.mark.parametrize(
    ("now", "restored", "conflicts"),
    [
        ({}, {"content": "one", "version": 1, "state": "candidate"}, []),
        ({"pinned": True}, {"content": "one", "version": 1, "state": "candidate"}, []),
        ({"content": "by hand"}, {}, ["version"]),
        ({"version": 3, "content": "three"}, {}, ["version"]),
        ({"state": "archived"}, {"content": "one", "version": 1}, ["state"]),
    ],
)
def test_a_version_of_knowledge_goes_back_as_a_whole(now, restored, conflicts) -> None:
    start = Knowledge(7, "u", "text", "topic", "one", AT, AT, state=State.CANDIDATE)
    after = {"content": "two", "version": 2, "state": "live"}
    ref = KNOWLEDGES.ref(start)
    held = KNOWLEDGES.changeable_fields(KNOWLEDGES.changed(start, {**after, **now}))
    before = {"content": "one", "version": 1, "state": "candidate"}

    planned = plan([Change(1, ref, AT, Actor.CONSOLIDATION, "consolidate", before, after)], {ref: held})

    assert planned.restore.get(ref, {}) == restored
    assert [each.field for each in planned.conflicts] == conflicts


@pytest.mark.parametrize(
    ("now", "restored", "conflicts"),
    [
        ({}, {"state": "archived", "archived_because": "undone"}, []),
        ({"content": "by hand"}, {"state": "archived", "archived_because": "undone"}, []),
        ({"version": 2, "content": "two"}, {}, ["version"]),
        ({"state": "archived"}, {}, ["state"]),
    ],
)
def test_the_first_version_is_unmade_unless_a_newer_one_stands(now, restored, conflicts) -> None:
    made = Knowledge(7, "u", "text", "topic", "one", AT, AT)
    ref, after = KNOWLEDGES.ref(made), KNOWLEDGES.changeable_fields(made)
    held = KNOWLEDGES.changeable_fields(KNOWLEDGES.changed(made, now))
    change = Change(1, ref, AT, Actor.CONSOLIDATION, "consolidate", None, after)

    planned = plan([change], {ref: held})

    assert planned.restore.get(ref, {}) == restored
    assert [each.field for each in planned.conflicts] == conflicts
