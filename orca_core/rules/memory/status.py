"""What a memory's status is, in one place, and what a store looks for to list one."""

from __future__ import annotations

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import Memory, State, Status
from orca_core.model.views import StatusCriteria

LIVE = "live"
ALL = "all"

_WITHOUT_WEIGHT = {
    State.CANDIDATE: Status.CANDIDATE,
    State.REJECTED: Status.REJECTED,
    State.ARCHIVED: Status.ARCHIVED,
}


def status_of(memory: Memory, core_threshold: float) -> Status:
    """The status of a memory. It is the stored state, except that a live memory above the threshold is core."""
    return status_by(memory.state, memory.weight, core_threshold)


def status_by(state: State, weight: float, core_threshold: float) -> Status:
    """The status of a memory in this state that weighs so much."""
    if state is not State.LIVE:
        return _WITHOUT_WEIGHT[state]
    return Status.CORE if weight > core_threshold else Status.ACTIVE


def status_of_work(state: State) -> Status:
    """The status of an episode or of knowledge, which have no weight."""
    return _WITHOUT_WEIGHT.get(state, Status.ACTIVE)


def criteria(status_word: str, core_threshold: float) -> StatusCriteria:
    """What a store looks for: a status, `live` (active and core) or `all`. Raises InvalidInput."""
    if status_word == ALL:
        return StatusCriteria(tuple(State))
    if status_word in (LIVE, Status.CORE, Status.ACTIVE):
        return StatusCriteria(
            (State.LIVE,),
            weight_above=core_threshold if status_word == Status.CORE else None,
            weight_at_most=core_threshold if status_word == Status.ACTIVE else None,
        )
    for state, status in _WITHOUT_WEIGHT.items():
        if status_word == status:
            return StatusCriteria((state,))
    raise InvalidInput(
        template="no such status: {found}",
        hint="one of {known}",
        found=status_word,
        known=", ".join([LIVE, ALL, *Status]),
    )
