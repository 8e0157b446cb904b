"""The figures by which what acts show goes live."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fakes.memories import memory
from msgspec.structs import replace

from orca_core.model.feedback import Support, SupportedMemory, SupportKind
from orca_core.model.memories import (
    MEMORIES,
    ArchivedBecause,
    ConfirmedBy,
    MemoryType,
    Origin,
    OriginKind,
    State,
)
from orca_core.rules.feedback import promotion
from orca_core.rules.feedback.promotion import POOLS, pool_of

BY_ACTS = Origin(OriginKind.ACTION)
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def support(source: str = "round s 1", days: float = 0, number: int = 1) -> Support:
    return Support(number, 1, SupportKind.ACT, source, NOW - timedelta(days=days), act=number)


def on_days(*days: float) -> tuple[Support, ...]:
    return tuple(support(f"round s {number}", each, number) for number, each in enumerate(days, 1))


def of_session(source: str, days: float, session: str = "s") -> Support:
    return Support(1, 1, SupportKind.ACT, source, NOW - timedelta(days=days), act=1, session_id=session)


def candidate(number: int, *supports: Support, **fields: object) -> SupportedMemory:
    given = {"state": State.CANDIDATE, "held_because": promotion.UNPROVEN, "confirmed_by": None, **fields}
    return SupportedMemory(memory(id=number, uid=f"uid-{number}", **given), supports)


def by_rule(pool: list[SupportedMemory], temperature: float = 0.001, min_support: int = 3) -> int | None:
    found = promotion.best_ready(pool, NOW, temperature=temperature, min_support=min_support)
    return None if found is None else found.id


@pytest.mark.parametrize(
    ("hours", "visited", "expected"),
    [
        (0, 1, 0.857494),
        (0, 2, 0.86495),
        (0, 10, 0.919318),
        (693, 1, 0.507545),
        (0, 1000, 1.0),
        (-5, 1, 0.857494),
    ],
)
def test_a_score_is_freshness_and_visits(hours: float, visited: int, expected: float) -> None:
    assert promotion.score(promotion.freshness(hours, 0.001), visited) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("supports", "days"),
    [
        ((), 0),
        (on_days(0), 1),
        (on_days(0, 0, 0), 1),
        (on_days(0, 1, 2), 3),
        ((support("round s 1", 0), support("round s 1", 1), support("round s 1", 2)), 1),
        ((support("round s 1", 2), support("round s 1", 0), support("round s 2", 0)), 2),
    ],
    ids=["none", "one", "one day", "three days", "one source", "the first day of a source"],
)
def test_a_source_counts_on_its_first_day(supports: tuple[Support, ...], days: int) -> None:
    assert promotion.days_of(supports) == days


@pytest.mark.parametrize(
    ("supports", "days"),
    [
        ((of_session("session s", 0),), 1),
        ((of_session("session s", 0), of_session("round s 1", 1)), 1),
        ((of_session("session s", 2), of_session("round s 1", 1)), 1),
        ((of_session("session s", 0), of_session("round s 1", 1), of_session("round s 2", 2)), 2),
        ((of_session("session s", 0), of_session("message s m", 1)), 1),
        ((of_session("session s", 0), of_session("round t 1", 1, "t")), 2),
        ((of_session("session s", 0), of_session("session t", 1, "t")), 2),
        ((of_session("session s", 2), of_session("round s 1", 1), of_session("round t 1", 1, "t")), 2),
    ],
    ids=["alone", "behind", "before", "two rounds", "a message", "another", "two sessions", "by its own day"],
)
def test_a_session_speaks_by_its_rounds(supports: tuple[Support, ...], days: int) -> None:
    assert promotion.days_of(supports) == days


def test_only_what_is_supported_on_enough_days_goes_live() -> None:
    fresh, twice, thrice = candidate(1, *on_days(0)), candidate(2, *on_days(0, 1)), candidate(3, *on_days(0, 1, 2))

    assert by_rule([fresh, twice]) is None
    assert by_rule([fresh, twice, thrice]) == 3
    assert by_rule([fresh, twice], min_support=2) == 2


def test_of_several_the_best_goes_live() -> None:
    worn, often = candidate(1, *on_days(30, 31, 32)), candidate(2, *on_days(0, 1, 2, 3))

    assert by_rule([worn, often]) == 2


@pytest.mark.parametrize("reason", ["not_typed", "url", "secret", "contradicts_pinned", "unread", "imported"])
def test_no_support_lifts_what_waits_for_a_person(reason: str) -> None:
    held = candidate(1, *on_days(0, 1, 2, 3, 4), held_because=reason)

    assert by_rule([held]) is None
    standing = promotion.standings_of([held], NOW, temperature=0.001, min_support=3)[1]
    assert (standing.blocked_by, standing.is_ready) == (reason, False)


def test_an_old_pool_is_measured_by_its_freshest() -> None:
    old = candidate(1, *on_days(60, 61, 62))

    assert by_rule([old]) == 1
    assert by_rule([old, candidate(2, *on_days(0)), candidate(3, *on_days(0, 1, 2))]) == 3


@pytest.mark.parametrize(
    ("fields", "supports", "state"),
    [
        ({}, on_days(0), None),
        ({}, (), State.ARCHIVED),
        ({"held_because": "url", "origin": BY_ACTS}, (), State.ARCHIVED),
        ({"held_because": "url", "origin": BY_ACTS}, on_days(0), None),
        ({"state": State.LIVE, "held_because": None}, on_days(0, 1), State.CANDIDATE),
        ({"state": State.LIVE, "held_because": None}, (), State.ARCHIVED),
        ({"state": State.LIVE, "held_because": None, "confirmed_by": ConfirmedBy.TYPED}, (), None),
        ({"state": State.LIVE, "held_because": None, "pinned": True}, (), None),
        ({"pinned": True, "confirmed_by": ConfirmedBy.HAND}, (), State.ARCHIVED),
        ({"state": State.ARCHIVED, "archived_because": ArchivedBecause.WITHDRAWN}, on_days(0), State.CANDIDATE),
        ({"state": State.ARCHIVED, "archived_because": ArchivedBecause.UNDONE}, on_days(0), None),
        ({"state": State.REJECTED}, on_days(0, 1, 2), None),
    ],
)
def test_what_becomes_of_a_memory_whose_supports_changed(
    fields: dict[str, object], supports: tuple[Support, ...], state: State | None
) -> None:
    wanted = promotion.fields_by_supports(candidate(1, *supports, **fields), min_support=3)

    assert wanted.get("state") == (None if state is None else state.value)
    if state is State.CANDIDATE:
        assert wanted["held_because"] == promotion.UNPROVEN


def test_what_left_with_its_supports_waits_again_for_what_it_waited_for() -> None:
    held = candidate(1, held_because="url", origin=BY_ACTS).memory
    gone = MEMORIES.changed(held, promotion.fields_by_supports(SupportedMemory(held), min_support=3))
    back = MEMORIES.changed(gone, promotion.fields_by_supports(SupportedMemory(gone, on_days(0)), min_support=3))

    assert gone.archived_because is ArchivedBecause.WITHDRAWN
    assert (back.state, back.held_because, back.archived_because) == (State.CANDIDATE, "url", None)


@pytest.mark.parametrize(
    ("days", "undone", "blocked_by"), [((0, 1, 2), 3, ""), ((0, 1, 2), 0, "undone"), ((0, 1, 2), -1, "undone")]
)
def test_what_a_person_sent_back_needs_new_evidence(days: tuple[float, ...], undone: float, blocked_by: str) -> None:
    sent_back = replace(candidate(1, *on_days(*days)), undone_at=NOW - timedelta(days=undone) if undone else NOW)

    weighed = promotion.standings_of([sent_back], NOW, temperature=0.001, min_support=3)[1]
    assert (weighed.blocked_by, weighed.is_ready) == (blocked_by, not blocked_by)


@pytest.mark.parametrize(("undone", "state"), [(3, None), (0, "candidate"), (None, None)])
def test_what_a_person_sent_back_is_not_live_by_what_spoke_for_it_then(undone: float | None, state: str | None) -> None:
    at = None if undone is None else NOW - timedelta(days=undone)
    brought_back = replace(candidate(1, *on_days(0, 1, 2), state=State.LIVE, held_because=None), undone_at=at)

    assert promotion.fields_by_supports(brought_back, min_support=3).get("state") == state


def test_every_type_that_lives_is_in_one_pool() -> None:
    assert sorted(each for pool in POOLS.values() for each in pool.types) == sorted(MemoryType)


@pytest.mark.parametrize(("word", "status"), [("candidates", "candidate"), (" Info ", "live"), ("PROFILE", "live")])
def test_a_pool_is_found_by_its_name(word: str, status: str) -> None:
    assert pool_of(word).status == status
