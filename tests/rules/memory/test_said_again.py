"""What saying a memory again does."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from msgspec.structs import replace

from orca_core.model.memories import (
    MEMORIES,
    Added,
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
from orca_core.rules.memory.said_again import (
    confirmed_at_birth,
    is_confirmed_by_hand,
    refusal_reason,
    said_again,
    with_last_successors,
)


def archived(because: ArchivedBecause) -> Memory:
    return memory(state=State.ARCHIVED, archived_because=because, weight=0.1)


def expired(held: str) -> Memory:
    waited = memory(state=State.CANDIDATE, held_because=held, would_replace=9)
    return MEMORIES.changed(waited, said_again_rules.expire(waited))


BY_HAND, EXTRACTED, IMPORTED = (Origin(kind) for kind in (OriginKind.USER, OriginKind.EXTRACTION, OriginKind.IMPORT))


@pytest.mark.parametrize(
    ("existing", "origin", "new_state", "outcome", "state"),
    [
        (memory(), BY_HAND, State.LIVE, Added.CONFIRMED, State.LIVE),
        (memory(), EXTRACTED, State.CANDIDATE, Added.CONFIRMED, State.LIVE),
        (
            memory(state=State.CANDIDATE, held_because="unread"),
            EXTRACTED,
            State.LIVE,
            Added.PROMOTED,
            State.LIVE,
        ),
        (memory(state=State.CANDIDATE), BY_HAND, State.LIVE, Added.PROMOTED, State.LIVE),
        (archived(ArchivedBecause.WEIGHT), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (archived(ArchivedBecause.SUPERSEDED), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (archived(ArchivedBecause.RETRACTED), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (archived(ArchivedBecause.RETRACTED), EXTRACTED, State.CANDIDATE, Added.RESTORED, State.CANDIDATE),
        (archived(ArchivedBecause.HAND), IMPORTED, State.LIVE, Added.DROPPED, State.ARCHIVED),
        (archived(ArchivedBecause.UNDONE), EXTRACTED, State.LIVE, Added.DROPPED, State.ARCHIVED),
        (memory(state=State.REJECTED), EXTRACTED, State.LIVE, Added.DROPPED, State.REJECTED),
        (expired("unread"), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (expired("unread"), EXTRACTED, State.CANDIDATE, Added.RESTORED, State.CANDIDATE),
        (expired("secret"), EXTRACTED, State.LIVE, Added.RESTORED, State.CANDIDATE),
        (expired("kept_by_hand"), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (expired("secret"), BY_HAND, State.LIVE, Added.RESTORED, State.LIVE),
    ],
)
def test_what_is_said_again(existing: Memory, origin: Origin, new_state: State, outcome: Added, state: State) -> None:
    decided = said_again(existing, NewMemory(existing.content, origin=origin, state=new_state))
    now = MEMORIES.changed(existing, decided.changes)

    assert (decided.outcome, now.state) == (outcome, state)
    assert (outcome is Added.DROPPED) == bool(decided.reason)
    if outcome is Added.RESTORED:
        assert (now.weight, now.archived_because) == (1.0, None)
    if state is State.LIVE:
        assert now.held_because is None


@pytest.mark.parametrize("origin", [EXTRACTED, IMPORTED])
@pytest.mark.parametrize(
    ("held", "lifts"),
    [
        ("contradicts_pinned", True), ("kept_by_hand", True), ("hidden", True), ("ask", True), ("url", True),
        ("not_typed", True), ("imported", True),
        ("secret", False), ("account_number", False), ("risky_instruction", False), (None, False),
    ],
)  # fmt: skip
def test_what_lives_once_it_is_typed_and_verified(held: str | None, lifts: bool, origin: Origin) -> None:
    waits = memory(state=State.CANDIDATE, held_because=held)
    outcome = said_again(waits, NewMemory(waits.content, origin=origin)).outcome
    assert (outcome is Added.PROMOTED) == (lifts and origin is EXTRACTED)
    asked = NewMemory(waits.content, origin=origin, state=State.CANDIDATE, held_because="ask")
    assert said_again(waits, asked).outcome is Added.CONFIRMED


@pytest.mark.parametrize("because", [ArchivedBecause.WEIGHT, ArchivedBecause.SUPERSEDED])
def test_what_is_not_trusted_brings_nothing_alive(because: ArchivedBecause) -> None:
    held = NewMemory("用户用 neovim", origin=EXTRACTED, state=State.CANDIDATE, held_because="not_typed")
    existing = replace(archived(because), superseded_by=9)
    decided = said_again(existing, held)
    now = MEMORIES.changed(existing, decided.changes)

    assert (now.state, now.held_because, now.archived_because) == (State.CANDIDATE, "not_typed", None)
    assert (now.would_replace, decided.archives) == (9, ())
    assert said_again(archived(ArchivedBecause.HAND), held).outcome is Added.DROPPED


def test_what_expired_stands_again_as_the_candidate_that_it_was() -> None:
    for held, would_replace in (("unread", None), ("secret", 9)):
        decided = said_again(expired(held), NewMemory("x", origin=EXTRACTED))
        now = MEMORIES.changed(expired(held), decided.changes)

        assert (decided.archives, now.would_replace) == ((), would_replace)
        assert now.held_because == (None if now.state is State.LIVE else held)


@pytest.mark.parametrize(
    ("links", "archives", "ends"),
    [
        ({2: 3}, (2,), (3,)),
        ({2: 3, 3: 4}, (2,), (4,)),
        ({2: None}, (2,), (2,)),
        ({2: 3, 3: 2}, (2,), (2,)),
        ({2: 3, 5: 6}, (2, 5), (3, 5)),
        ({}, (2,), (2,)),
        ({2: 3}, (), ()),
    ],
)
def test_what_stands_at_the_end_of_a_chain_gives_way(
    links: dict[int, int | None], archives: tuple[int, ...], ends: tuple[int, ...]
) -> None:
    said = memory(id=1, state=State.ARCHIVED, archived_because=ArchivedBecause.SUPERSEDED, superseded_by=2)
    known = [
        memory(id=each, state=State.ARCHIVED, archived_because=ArchivedBecause.SUPERSEDED, superseded_by=successor)
        for each, successor in links.items()
    ]
    assert with_last_successors(archives, said, [said, *known]) == ends


HAND, TYPED = ConfirmedBy.HAND, ConfirmedBy.TYPED
TEXT = "用户用 neovim"
LEARNT, ACTED, ADDED = Origin(OriginKind.EXTRACTION), Origin(OriginKind.ACTION), Origin(OriginKind.USER)


def new(origin: Origin, state: State = State.LIVE) -> NewMemory:
    return NewMemory(TEXT, origin=origin, state=state)


def lives(by: ConfirmedBy | None) -> Memory:
    return memory(confirmed_by=by)


def waits(held: str = "unproven") -> Memory:
    return memory(state=State.CANDIDATE, held_because=held)


def archived_confirming(because: ArchivedBecause, by: ConfirmedBy | None) -> Memory:
    return memory(state=State.ARCHIVED, archived_because=because, confirmed_by=by)


def expired_confirming(held: str) -> Memory:
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
    assert confirmed_at_birth(made) is by


@pytest.mark.parametrize(
    ("existing", "said", "by"),
    [
        (lives(None), new(LEARNT), TYPED),
        (lives(None), new(LEARNT, State.CANDIDATE), None),
        (lives(None), new(ADDED), HAND),
        (lives(TYPED), new(LEARNT, State.CANDIDATE), TYPED),
        (lives(HAND), new(LEARNT), HAND),
        (waits(), new(LEARNT), TYPED),
        (waits("secret"), new(LEARNT), None),
        (waits(), new(LEARNT, State.CANDIDATE), None),
        (archived_confirming(ArchivedBecause.WITHDRAWN, None), new(LEARNT), TYPED),
        (archived_confirming(ArchivedBecause.WEIGHT, HAND), new(LEARNT), HAND),
        (archived_confirming(ArchivedBecause.HAND, TYPED), new(ADDED), HAND),
        (expired_confirming("secret"), new(LEARNT), None),
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
        (lives(None), edit(tags=["x"]), HAND),
        (lives(TYPED), edit(content=TEXT), TYPED),
        (lives(TYPED), edit(weight=2.0), TYPED),
        (lives(TYPED), edit(confidence=0.5), TYPED),
        (waits(), edit(content="用户用 helix"), None),
        (lives(None), memory_curation.pin, HAND),
        (lives(TYPED), memory_curation.archive, TYPED),
        (
            archived_confirming(ArchivedBecause.WITHDRAWN, None),
            lambda it: memory_curation.restore(it, archive_threshold=0.3),
            HAND,
        ),
        (waits(), memory_curation.reject, None),
    ],
)
def test_what_it_lives_on_after_a_hand(existing: Memory, change: memory_curation.OfOne, by: ConfirmedBy | None) -> None:
    assert MEMORIES.changed(existing, change(existing)).confirmed_by is by


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
    assert is_confirmed_by_hand(after, was) is speaks


def candidate(**fields: object) -> Memory:
    return memory(state=State.CANDIDATE, held_because="url", **fields)


@pytest.mark.parametrize(
    ("before", "after", "held"),
    [
        ("url", "expired: url", "url"),
        ("unread", "expired: unread", "unread"),
        (None, "expired", None),
    ],
)
def test_what_expired_is_rejected_and_keeps_what_it_was_held_for(
    before: str | None, after: str, held: str | None
) -> None:
    waited = memory(state=State.CANDIDATE, held_because=before)
    now = MEMORIES.changed(waited, said_again_rules.expire(waited))

    assert (now.state, now.held_because) == (State.REJECTED, after)
    assert (said_again_rules.is_expired(now), said_again_rules.held_before(now), refusal_reason(now)) == (
        True,
        held,
        "",
    )
