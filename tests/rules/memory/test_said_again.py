"""What saying a memory again does."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from msgspec.structs import replace

from orca_core.model.memories import (
    MEMORIES,
    Added,
    ArchivedBecause,
    Memory,
    NewMemory,
    Origin,
    OriginKind,
    State,
)
from orca_core.rules.memory import said_again as said_again_rules
from orca_core.rules.memory.said_again import said_again, with_living_ends


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
        (memory(), EXTRACTED, State.LIVE, Added.CONFIRMED, State.LIVE),
        (memory(), EXTRACTED, State.CANDIDATE, Added.CONFIRMED, State.LIVE),
        (
            memory(state=State.CANDIDATE, held_because="unread"),
            EXTRACTED,
            State.LIVE,
            Added.PROMOTED,
            State.LIVE,
        ),
        (
            memory(state=State.CANDIDATE, held_because="not_said"),
            EXTRACTED,
            State.LIVE,
            Added.PROMOTED,
            State.LIVE,
        ),
        (memory(state=State.CANDIDATE), BY_HAND, State.LIVE, Added.PROMOTED, State.LIVE),
        (memory(state=State.CANDIDATE), EXTRACTED, State.CANDIDATE, Added.CONFIRMED, State.CANDIDATE),
        (archived(ArchivedBecause.WEIGHT), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (archived(ArchivedBecause.WEIGHT), BY_HAND, State.LIVE, Added.RESTORED, State.LIVE),
        (archived(ArchivedBecause.SUPERSEDED), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (archived(ArchivedBecause.RETRACTED), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (archived(ArchivedBecause.RETRACTED), BY_HAND, State.LIVE, Added.RESTORED, State.LIVE),
        (archived(ArchivedBecause.RETRACTED), EXTRACTED, State.CANDIDATE, Added.RESTORED, State.CANDIDATE),
        (archived(ArchivedBecause.HAND), EXTRACTED, State.LIVE, Added.DROPPED, State.ARCHIVED),
        (archived(ArchivedBecause.HAND), IMPORTED, State.LIVE, Added.DROPPED, State.ARCHIVED),
        (archived(ArchivedBecause.HAND), BY_HAND, State.LIVE, Added.RESTORED, State.LIVE),
        (archived(ArchivedBecause.UNDONE), EXTRACTED, State.LIVE, Added.DROPPED, State.ARCHIVED),
        (memory(state=State.REJECTED), EXTRACTED, State.LIVE, Added.DROPPED, State.REJECTED),
        (memory(state=State.REJECTED), BY_HAND, State.LIVE, Added.RESTORED, State.LIVE),
        (expired("unread"), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (expired("not_said"), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (expired("unread"), EXTRACTED, State.CANDIDATE, Added.RESTORED, State.CANDIDATE),
        (expired("not_typed"), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (expired("secret"), EXTRACTED, State.LIVE, Added.RESTORED, State.CANDIDATE),
        (expired("kept_by_hand"), EXTRACTED, State.LIVE, Added.RESTORED, State.LIVE),
        (expired("not_typed"), IMPORTED, State.LIVE, Added.RESTORED, State.CANDIDATE),
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


@pytest.mark.parametrize(
    ("existing", "new_state", "reason", "archives"),
    [
        (archived(ArchivedBecause.WEIGHT), State.LIVE, "", ()),
        (replace(archived(ArchivedBecause.SUPERSEDED), superseded_by=9), State.LIVE, "", (9,)),
        (replace(archived(ArchivedBecause.SUPERSEDED), superseded_by=9), State.CANDIDATE, "", ()),
        (archived(ArchivedBecause.RETRACTED), State.LIVE, "", ()),
        (archived(ArchivedBecause.HAND), State.LIVE, "archived: hand", ()),
        (archived(ArchivedBecause.HAND), State.CANDIDATE, "archived: hand", ()),
        (archived(ArchivedBecause.UNDONE), State.LIVE, "archived: undone", ()),
        (memory(state=State.REJECTED), State.LIVE, "rejected", ()),
        (memory(state=State.REJECTED, held_because="never"), State.LIVE, "never", ()),
        (memory(state=State.CANDIDATE, held_because="unread", would_replace=9), State.LIVE, "", ()),
        (memory(state=State.CANDIDATE, held_because="unread", would_replace=9), State.CANDIDATE, "", ()),
        (memory(state=State.CANDIDATE, held_because="not_typed", would_replace=9), State.LIVE, "", ()),
        (memory(), State.LIVE, "", ()),
    ],
)
def test_why_it_is_dropped_and_whom_it_puts_aside(
    existing: Memory, new_state: State, reason: str, archives: tuple[int, ...]
) -> None:
    decided = said_again(existing, NewMemory(existing.content, origin=EXTRACTED, state=new_state))

    assert (decided.reason, decided.archives) == (reason, archives)


@pytest.mark.parametrize("because", [ArchivedBecause.WEIGHT, ArchivedBecause.SUPERSEDED])
def test_what_is_not_trusted_brings_nothing_alive(because: ArchivedBecause) -> None:
    held = NewMemory("用户用 neovim", origin=EXTRACTED, state=State.CANDIDATE, held_because="not_typed")
    existing = replace(archived(because), superseded_by=9)
    decided = said_again(existing, held)
    now = MEMORIES.changed(existing, decided.changes)

    assert (now.state, now.held_because, now.archived_because) == (State.CANDIDATE, "not_typed", None)
    assert (now.would_replace, decided.archives) == (9, ())
    assert said_again(archived(ArchivedBecause.HAND), held).outcome is Added.DROPPED


def test_confirmation_keeps_the_higher_confidence_and_counts() -> None:
    decided = said_again(memory(confidence=0.9, seen=2), NewMemory("x", confidence=0.6))

    assert decided.changes == {"confidence": 0.9, "seen": 3, "confirmed_by": "hand"}
    assert said_again(memory(), NewMemory("x", pinned=True)).changes["pinned"] is True


@pytest.mark.parametrize("was", [State.CANDIDATE, State.REJECTED])
def test_what_comes_alive_stands_on_the_words_that_made_it_live(was: State) -> None:
    typed = Origin(OriginKind.EXTRACTION, "later", (4,), "I write code with Emacs", "m2")
    waited = memory(state=State.CANDIDATE, held_because="unread", origin=replace(EXTRACTED, session_id="s"))
    known = waited if was is State.CANDIDATE else MEMORIES.changed(waited, said_again_rules.expire(waited))

    lives = MEMORIES.changed(known, said_again(known, NewMemory("x", origin=typed)).changes)
    waits = MEMORIES.changed(known, said_again(known, NewMemory("x", origin=typed, state=State.CANDIDATE)).changes)
    assert (lives.state, lives.origin) == (State.LIVE, typed)
    assert (waits.state, waits.origin) == (State.CANDIDATE, known.origin)


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
    assert with_living_ends(archives, said, [said, *known]) == ends
