"""What a memory's status is."""

from __future__ import annotations

import pytest
from fakes.memories import memory

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import (
    State,
    Status,
)
from orca_core.model.views import StatusCriteria
from orca_core.rules.memory.memory_curation import criteria, status_of


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
