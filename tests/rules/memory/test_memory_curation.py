"""What a hand may do to a memory."""

from __future__ import annotations

import pytest
from fakes.memories import memory

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import (
    MEMORIES,
    ArchivedBecause,
    MemoryType,
    State,
    Status,
)
from orca_core.model.views import StatusCriteria
from orca_core.rules.memory import memory_curation
from orca_core.rules.memory.memory_curation import criteria, status_of


@pytest.mark.parametrize("action", [memory_curation.pin, memory_curation.unpin, memory_curation.archive])
def test_a_hand_action_twice_is_as_good_as_once(action) -> None:
    once = MEMORIES.changed(memory(), action(memory()))

    assert MEMORIES.changed(once, action(once)) == once


@pytest.mark.parametrize("state", [State.ARCHIVED, State.CANDIDATE, State.REJECTED])
def test_only_a_living_memory_can_be_pinned(state: State) -> None:
    with pytest.raises(InvalidInput, match="orca memory restore 7"):
        memory_curation.pin(memory(state=state))


def test_archiving_unpins() -> None:
    put_aside = MEMORIES.changed(memory(pinned=True), memory_curation.archive(memory(pinned=True)))

    assert (put_aside.state, put_aside.archived_because, put_aside.pinned) == (
        State.ARCHIVED,
        ArchivedBecause.HAND,
        False,
    )


def test_a_restored_memory_is_held_for_nothing() -> None:
    refused = memory(state=State.REJECTED, held_because="never", would_replace=3)
    back = MEMORIES.changed(refused, memory_curation.restore(refused, archive_threshold=0.3))

    assert (back.state, back.held_because, back.would_replace) == (State.LIVE, None, None)


def test_a_candidate_is_not_restored_but_accepted() -> None:
    with pytest.raises(InvalidInput, match="is a candidate"):
        memory_curation.restore(memory(state=State.CANDIDATE), archive_threshold=0.3)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"content": "x"}, "2"),
        ({"content": "x" * 2001}, "2000"),
        ({"content": "\u200b\u202e"}, "2"),
        ({"type_word": "prefernce"}, "no such memory type: prefernce"),
        ({"confidence": 1.1}, "confidence must lie between 0 and 1"),
        ({"confidence": float("nan")}, "confidence must lie"),
        ({"weight": -1.0}, "weight must lie between 0 and 10"),
        ({"weight": float("inf")}, "weight must lie"),
        ({"tags": [str(number) for number in range(21)]}, "21 tags, at most 20"),
        ({"tags": ["x" * 41]}, "a tag of 41 characters"),
        ({}, "nothing to change"),
    ],
)
def test_an_edit_that_can_not_be_says_why(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory_curation.edit(max_weight=10.0, **changes)  # type: ignore[arg-type]
    assert sentence in str(caught.value)


def test_an_edit_changes_what_it_names_cleaned() -> None:
    decide = memory_curation.edit(
        content="  用户\u202e用  emacs\n",
        type_word="Preference",
        tags=["技术", "技术", " "],
        confidence=0.5,
        weight=2,
        max_weight=10,
    )
    edited = MEMORIES.changed(memory(), decide(memory()))

    assert (edited.content, edited.type, edited.tags) == ("用户用 emacs", MemoryType.PREFERENCE, ("技术",))
    assert (edited.confidence, edited.weight) == (0.5, 2.0)


def test_fields_survive_their_way_through_json() -> None:
    full = memory(
        tags=("a",), pinned=True, archived_because=ArchivedBecause.WEIGHT, state=State.ARCHIVED, superseded_by=3
    )

    assert MEMORIES.changed(full, MEMORIES.changeable_fields(full)) == full


@pytest.mark.parametrize("instead_of", [None, 1])
@pytest.mark.parametrize(
    ("fields", "is_replaced"),
    [({}, True), ({"pinned": True}, False), ({"state": State.ARCHIVED}, False), ({"state": State.REJECTED}, False)],
)
def test_accepting_puts_aside_what_lives_and_is_not_pinned(
    fields: dict[str, object], is_replaced: bool, instead_of: int | None
) -> None:
    old = memory(id=1, content="用户住在上海", **fields)
    candidate = memory(id=2, content="用户住在杭州", state=State.CANDIDATE, would_replace=1)
    wanted = memory_curation.accept({2: candidate.content}, instead_of=instead_of)([candidate, old])

    assert MEMORIES.changed(candidate, wanted[2]).state is State.LIVE
    assert (1 in wanted) is is_replaced


def test_accepting_what_is_remembered_already_confirms_that_and_gives_way_to_it() -> None:
    known = memory(id=1, content="用户住在杭州。", confidence=0.7, seen=2)
    old = memory(id=3, content="用户住在上海")
    candidate = memory(id=2, content="用户住在杭州", state=State.CANDIDATE, held_because="url", would_replace=3)
    wanted = memory_curation.accept({2: candidate.content}, same=lambda *_: known)([candidate, known, old])

    left, gone, aside = (MEMORIES.changed(each, wanted[each.id]) for each in (known, candidate, old))
    assert (left.state, left.confidence, left.seen) == (State.LIVE, 0.8, 3)
    assert (gone.state, gone.superseded_by, gone.held_because) == (State.ARCHIVED, 1, None)
    assert (aside.state, aside.superseded_by) == (State.ARCHIVED, 1)


@pytest.mark.parametrize(
    ("state", "weight", "status"),
    [
        (State.LIVE, 1.0, Status.ACTIVE),
        (State.LIVE, 5.0, Status.ACTIVE),
        (State.LIVE, 5.000001, Status.CORE),
        (State.LIVE, 0.0, Status.ACTIVE),
        (State.CANDIDATE, 9.0, Status.CANDIDATE),
        (State.REJECTED, 9.0, Status.REJECTED),
        (State.ARCHIVED, 9.0, Status.ARCHIVED),
    ],
)
def test_a_status_is_its_state_and_its_weight(state: State, weight: float, status: Status) -> None:
    assert status_of(memory(state=state, weight=weight), 5.0) is status


@pytest.mark.parametrize("word", [*Status, "live", "all"])
def test_a_list_shows_just_the_memories_of_its_status(word: str) -> None:
    wanted = criteria(word, 5.0)
    for state in State:
        for weight in (0.0, 5.0, 5.1):
            shown = (
                state in wanted.states
                and (wanted.weight_above is None or weight > wanted.weight_above)
                and (wanted.weight_at_most is None or weight <= wanted.weight_at_most)
            )
            status = status_of(memory(state=state, weight=weight), 5.0)
            assert shown == (word == "all" or status == word or (word == "live" and status in ("core", "active")))


def test_an_unknown_status_names_those_there_are() -> None:
    with pytest.raises(InvalidInput, match="no such status: aktive — one of live, all, candidate"):
        criteria("aktive", 5.0)
    assert criteria("archived", 5.0) == StatusCriteria((State.ARCHIVED,))
