"""A candidate that stands on acts, read against the latest acts: also those that speak against it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from orca_core.domain.claims import OpenRun
from orca_core.domain.growth.actions import Action, ActionType
from orca_core.domain.growth.supports import Support, Supported
from orca_core.domain.learning import Batch
from orca_core.domain.memories import Fields, Memory
from orca_core.domain.work.tasks import TaskWithSteps


class Shows(StrEnum):
    """What one act shows of what a candidate says."""

    FOR = "for"
    AGAINST = "against"
    NEITHER = "neither"
    """It could not show there."""


class ActToRead(Struct, frozen=True):
    """An act that the reader is shown, and when and as what it would speak for the candidate."""

    act: Action
    speaks: Support


class ContrastBatch(Batch, frozen=True):
    """A candidate with what supports it, and the acts that it is read against, oldest first, with what they refer to:
    rounds of any session, and tasks."""

    candidate: Supported | None = None
    acts: tuple[ActToRead, ...] = ()
    tasks: tuple[TaskWithSteps, ...] = ()


class DueCandidates(Struct, frozen=True):
    """Which candidates are read now: one whose reading failed waits for its time, unless a further act speaks since;
    with `everything` also those that failed a moment ago or too often. None of a run in `besides`."""

    at: datetime
    everything: bool = False
    besides: tuple[int, ...] = ()


ChooseCandidate = Callable[[Sequence[Supported], datetime, Collection[int]], Memory | None]
"""The candidate that is to be read next, of all that wait, but for those with these numbers
(`rules.growing.promoting.to_read`)."""


class ContrastRules(Struct, frozen=True):
    """The rules by which a store claims and ends such runs (`rules.growing.contrast`)."""

    types_read: Callable[[Supported, Sequence[Action]], Collection[ActionType]]
    """The types of acts that a candidate is read against, by those that support it."""
    read_against: Callable[[Supported, Sequence[Action]], Sequence[Action]]
    """Which of such acts, oldest first."""
    is_run_due: Callable[[OpenRun, DueCandidates, Sequence[int]], bool]
    """Whether a run goes on now, by the acts that its candidate would be read against by now."""
    is_same: Callable[[Supported, Supported | None], bool]
    """Whether a candidate stands as it stood when it was read."""
    doubted: Fields
    """What becomes of one that they do not bear out."""
    most: int
