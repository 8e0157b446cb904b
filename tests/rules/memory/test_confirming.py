"""What a memory lives on, and what makes it live on something else."""

from __future__ import annotations

import pytest
from fakes.memories import memory

from orca_core.model.memories import (
    MEMORIES,
    ArchivedBecause,
    ConfirmedBy,
    Fields,
    Memory,
    NewMemory,
    Origin,
    OriginKind,
    State,
)
from orca_core.rules.memory import memory_curation
from orca_core.rules.memory import said_again as said_again_rules
from orca_core.rules.memory.said_again import born_by, said_again, speaks_by_hand

HAND, TYPED = ConfirmedBy.HAND, ConfirmedBy.TYPED
TEXT = "用户用 neovim"
LEARNT, ACTED, ADDED = Origin(OriginKind.EXTRACTION), Origin(OriginKind.ACTION), Origin(OriginKind.USER)


def new(origin: Origin, state: State = State.LIVE) -> NewMemory:
    return NewMemory(TEXT, origin=origin, state=state)


def lives(by: ConfirmedBy | None) -> Memory:
    return memory(confirmed_by=by)


def waits(held: str = "unproven") -> Memory:
    return memory(state=State.CANDIDATE, held_because=held)


def archived(because: ArchivedBecause, by: ConfirmedBy | None) -> Memory:
    return memory(state=State.ARCHIVED, archived_because=because, confirmed_by=by)


def expired(held: str) -> Memory:
    return MEMORIES.changed(waits(held), said_again_rules.expire(waits(held)))


@pytest.mark.parametrize(
    ("made", "by"),
    [
        (new(ADDED), HAND),
        (new(Origin(OriginKind.IMPORT)), HAND),
        (new(LEARNT), TYPED),
        (new(ACTED), TYPED),
        (new(LEARNT, State.CANDIDATE), None),
        (new(ACTED, State.CANDIDATE), None),
        (new(Origin(OriginKind.IMPORT), State.CANDIDATE), None),
    ],
)
def test_what_a_new_one_lives_on(made: NewMemory, by: ConfirmedBy | None) -> None:
    assert born_by(made) is by


@pytest.mark.parametrize(
    ("existing", "said", "by"),
    [
        (lives(None), new(LEARNT), TYPED),
        (lives(None), new(ACTED), TYPED),
        (lives(None), new(LEARNT, State.CANDIDATE), None),
        (lives(None), new(ACTED, State.CANDIDATE), None),
        (lives(None), new(ADDED), HAND),
        (lives(TYPED), new(LEARNT), TYPED),
        (lives(TYPED), new(LEARNT, State.CANDIDATE), TYPED),
        (lives(TYPED), new(ADDED), HAND),
        (lives(HAND), new(LEARNT), HAND),
        (lives(HAND), new(LEARNT, State.CANDIDATE), HAND),
        (waits(), new(LEARNT), TYPED),
        (waits("unread"), new(LEARNT), TYPED),
        (waits("secret"), new(LEARNT), None),
        (waits("secret"), new(ADDED), HAND),
        (waits(), new(LEARNT, State.CANDIDATE), None),
        (archived(ArchivedBecause.WEIGHT, None), new(LEARNT), TYPED),
        (archived(ArchivedBecause.WITHDRAWN, None), new(LEARNT), TYPED),
        (archived(ArchivedBecause.WITHDRAWN, None), new(ACTED, State.CANDIDATE), None),
        (archived(ArchivedBecause.WEIGHT, HAND), new(LEARNT), HAND),
        (archived(ArchivedBecause.WEIGHT, HAND), new(LEARNT, State.CANDIDATE), None),
        (archived(ArchivedBecause.HAND, TYPED), new(ADDED), HAND),
        (expired("unread"), new(LEARNT), TYPED),
        (expired("secret"), new(LEARNT), None),
    ],
)
def test_what_it_lives_on_once_it_is_said_again(existing: Memory, said: NewMemory, by: ConfirmedBy | None) -> None:
    assert MEMORIES.changed(existing, said_again(existing, said).changes).confirmed_by is by


def accepted(candidate: Memory) -> Fields:
    return memory_curation.accept({candidate.id: candidate.content})([candidate])[candidate.id]


def merged(kept: Memory) -> Fields:
    return memory_curation.merge(kept.id, content=None, max_weight=10)([kept, memory(id=99)])[kept.id]


def edit(**changes: object) -> memory_curation.OfOne:
    return memory_curation.edit(**changes, max_weight=10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("existing", "change", "by"),
    [
        (waits(), accepted, HAND),
        (lives(TYPED), merged, HAND),
        (lives(TYPED), edit(content="用户用 helix"), HAND),
        (lives(None), edit(type_word="preference"), HAND),
        (lives(None), edit(tags=["x"]), HAND),
        (lives(TYPED), edit(content=TEXT), TYPED),
        (lives(TYPED), edit(weight=2.0), TYPED),
        (lives(TYPED), edit(confidence=0.5), TYPED),
        (waits(), edit(content="用户用 helix"), None),
        (lives(None), memory_curation.pin, HAND),
        (lives(TYPED), memory_curation.pin, TYPED),
        (lives(TYPED), memory_curation.archive, TYPED),
        (
            archived(ArchivedBecause.WITHDRAWN, None),
            lambda it: memory_curation.restore(it, archive_threshold=0.3),
            HAND,
        ),
        (waits(), memory_curation.reject, None),
    ],
)
def test_what_it_lives_on_after_a_hand(existing: Memory, change: memory_curation.OfOne, by: ConfirmedBy | None) -> None:
    assert MEMORIES.changed(existing, change(existing)).confirmed_by is by


def test_accepting_what_is_remembered_already_confirms_that() -> None:
    known, candidate = memory(id=1, confirmed_by=TYPED), memory(id=2, state=State.CANDIDATE)
    decide = memory_curation.accept({2: candidate.content}, same=lambda *_: known)

    assert decide([known, candidate])[1]["confirmed_by"] == HAND


@pytest.mark.parametrize(
    ("after", "was", "speaks"),
    [
        ({"content": "x"}, "typed", True),
        ({"tags": []}, None, True),
        ({"seen": 2}, "typed", True),
        ({"state": "live"}, None, True),
        ({"state": "archived"}, None, False),
        ({"pinned": True}, None, True),
        ({"pinned": True}, "typed", False),
        ({"pinned": False}, None, False),
        ({"weight": 3.0, "confidence": 1.0}, None, False),
    ],
)
def test_a_hand_gives_its_word_by_words_and_by_letting_live(after: Fields, was: str | None, speaks: bool) -> None:
    assert speaks_by_hand(after, was) is speaks
