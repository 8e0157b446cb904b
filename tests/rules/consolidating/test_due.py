"""Which target is consolidated next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from orca_core.model.knowledge import DueTargets, Knowledge, TargetCount
from orca_core.model.learning import OpenRun, RunState
from orca_core.model.memories import State
from orca_core.rules.work.consolidation_rules import due_target, is_run_due, source_deleted, who_stands

NOW = datetime(2026, 11, 20, tzinfo=UTC)
DUE = DueTargets(NOW, min_episodes=3)
NAMED = replace(DUE, target="Order Service")
NEW = TargetCount("order-service", episodes=3, waiting=3, unread=3)


@pytest.mark.parametrize(
    ("target", "due", "is_due"),
    [
        (NEW, DUE, True),
        (replace(NEW, waiting=2, unread=2), DUE, False),
        (replace(NEW, waiting=2, unread=2), replace(DUE, min_episodes=2), True),
        # What was taken back is not made of the same episodes: one that was not read must be among them.
        (replace(NEW, unread=0), DUE, False),
        (replace(NEW, waiting=4, unread=1), DUE, True),
        # One further episode renews what is known, none does not.
        (replace(NEW, waiting=1, unread=1, knowledge=(7,)), DUE, True),
        (replace(NEW, waiting=1, unread=0, knowledge=(7,)), DUE, False),
        (replace(NEW, waiting=0, unread=0, knowledge=(7,)), DUE, False),
        # What a person pinned or edited stays as it is, unless a person asks.
        (replace(NEW, knowledge=(7,), is_kept_by_hand=True), DUE, False),
        (replace(NEW, knowledge=(7,), is_kept_by_hand=True), NAMED, True),
        (replace(NEW, is_held=True), DUE, False),
        (replace(NEW, is_held=True), NAMED, False),
        # A person who names it gets it of one episode, and of such as were read.
        (replace(NEW, waiting=1, unread=0), NAMED, True),
        (replace(NEW, waiting=0, unread=0), NAMED, False),
        (replace(NEW, target="payment"), NAMED, False),
        # A second run of the same asking is for what did not fit into the first.
        (replace(NEW, waiting=3, unread=0), replace(NAMED, besides=(1,)), False),
        (replace(NEW, waiting=3, unread=1), replace(NAMED, besides=(1,)), True),
    ],
)
def test_who_is_due(target: TargetCount, due: DueTargets, is_due: bool) -> None:
    assert due_target([target], due) == (target if is_due else None)


def test_the_one_that_waited_longest_comes_first() -> None:
    later, earlier = replace(NEW, first_unread=9), replace(NEW, target="payment", first_unread=2)

    assert due_target([later, earlier], DUE) is earlier
    assert due_target([], DUE) is None


FAILED = OpenRun(5, "", RunState.FAILED, 1, (), False, NOW, "order-service")


@pytest.mark.parametrize(
    ("run", "due", "is_due"),
    [
        (FAILED, DUE, True),
        (replace(FAILED, next_at=NOW + timedelta(seconds=1)), DUE, False),
        (replace(FAILED, next_at=NOW + timedelta(seconds=1)), replace(DUE, everything=True), True),
        (replace(FAILED, next_at=NOW + timedelta(seconds=1)), NAMED, True),
        (replace(FAILED, next_at=None), replace(DUE, everything=True), False),
        (replace(FAILED, next_at=None), NAMED, True),
        (replace(FAILED, state=RunState.RUNNING, next_at=None), DUE, True),
        (replace(FAILED, target="payment"), NAMED, False),
        (FAILED, replace(DUE, besides=(5,)), False),
        (replace(FAILED, state=RunState.RUNNING), replace(NAMED, besides=(5,)), False),
    ],
)
def test_which_run_goes_on(run: OpenRun, due: DueTargets, is_due: bool) -> None:
    assert is_run_due(run, due) is is_due


@pytest.mark.parametrize(
    ("state", "is_kept", "then"),
    [
        (State.LIVE, False, {"state": "candidate", "held_because": "source_deleted"}),
        (State.LIVE, True, {"held_because": "source_deleted"}),
        (State.CANDIDATE, False, {"held_because": "source_deleted"}),
        (State.ARCHIVED, False, {"held_because": "source_deleted"}),
        (State.REJECTED, True, {"held_because": "source_deleted"}),
    ],
)
def test_what_becomes_of_knowledge_whose_episode_was_deleted(state: State, is_kept: bool, then: dict[str, str]) -> None:
    known = Knowledge(1, "u", "text", "topic", "content", NOW, NOW, state=state)

    assert source_deleted(known, is_kept) == then


@pytest.mark.parametrize(
    ("chosen", "stands"),
    [
        ((), 2),  # knows the newest episode
        ((1,), 1),
        ((1, 3), 3),  # of two that were chosen, too
        ((9,), 2),
    ],
)
def test_who_stands_of_several_on_one_target(chosen: tuple[int, ...], stands: int) -> None:
    sources = {1: (1, 2), 2: (3, 9), 3: (4, 5), 4: ()}
    rivals = [Knowledge(number, "u", "t", "t", "c", NOW, NOW, source_episodes=of) for number, of in sources.items()]

    assert who_stands(rivals, chosen).id == stands


def test_of_two_that_know_the_same_what_was_made_last_stands() -> None:
    rivals = [Knowledge(number, "u", "t", "t", "c", NOW, NOW, source_episodes=(1, 2)) for number in (5, 4)]

    assert who_stands(rivals, ()).id == 5
