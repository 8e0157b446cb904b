"""How long candidates wait."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes.memories import AT, memory

from orca_core.model.memories import MEMORIES, Memory, State
from orca_core.model.views import Waiting
from orca_core.rules.memory import said_again
from orca_core.rules.memory.said_again import standing_refusal

DAY = timedelta(days=1)


def candidate(**fields: object) -> Memory:
    return memory(state=State.CANDIDATE, held_because="url", **fields)


def test_the_oldest_waits_since_something_happened_to_it_last() -> None:
    confirmed = candidate(created_at=AT - 80 * DAY, updated_at=AT - 2 * DAY)
    other = candidate(created_at=AT - 5 * DAY, updated_at=AT - 5 * DAY)

    assert said_again.waiting([]) == Waiting(0, None)
    assert said_again.waiting([confirmed]) == Waiting(1, AT - 2 * DAY)
    assert said_again.waiting([confirmed, other]) == Waiting(2, AT - 5 * DAY)


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
    now = MEMORIES.changed(waited, said_again.expire(waited))

    assert (now.state, now.held_because) == (State.REJECTED, after)
    assert (said_again.is_expired(now), said_again.held_before(now), standing_refusal(now)) == (True, held, "")


@pytest.mark.parametrize("state", [each for each in State if each is not State.CANDIDATE])
def test_nothing_but_a_candidate_expires(state: State) -> None:
    assert said_again.expire(memory(state=state)) == {}


@pytest.mark.parametrize("held", ["url", "never", None])
def test_what_a_person_rejected_did_not_expire(held: str | None) -> None:
    refused = memory(state=State.REJECTED, held_because=held)

    assert not said_again.is_expired(refused)
    assert standing_refusal(refused) in ("rejected", "never")
