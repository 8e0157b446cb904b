"""Acts, and what supports memories, as ports; the rules come in as arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from orca_core.model.feedback import (
    ActBatch,
    Action,
    ActionRecorded,
    ActionType,
    ChooseActs,
    ChoosePromoted,
    Grown,
    Promotion,
    Shown,
    Support,
    Supported,
    Visited,
)
from orca_core.model.learning import DroppedFact, Due, RunEnd, Settle
from orca_core.model.operations import OperationHeader


class ActionStore(Protocol):
    """Acts. Recording one is an operation, which can be undone; a delete (`records[ACTION]`) can not."""

    async def record(self, action: Action, header: OperationHeader) -> ActionRecorded:
        """The act, those that it takes back, and what follows for the memories that these supported, in one
        transaction. An act that stands already is not recorded twice."""
        ...

    async def standing(self, session_id: str, types: Sequence[ActionType]) -> list[Action]:
        """The acts of these types that stand in a session, oldest first; none on an attempt that was replaced."""
        ...

    async def speaks_for(self, action_ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        """The memories that each of these acts supports, as far as both stand; only acts that support some."""
        ...


class ActReadings(Protocol):
    """Runs that read what acts show. They fail, wait and are given back as those of the learning queue."""

    async def waiting(self) -> int: ...

    async def claim(self, due: Due, choose: ChooseActs) -> ActBatch | None:
        """Acts that are due: of a run that was cut short or failed, else of a new one. Acts that no longer stand are
        left out; the try counts from here on."""
        ...

    async def finish(
        self, batch: ActBatch, shown: Sequence[Shown], dropped: Sequence[DroppedFact], settle: Settle, ended: RunEnd
    ) -> Grown | None:
        """What was shown, settled beside what is known, its supports, and the end of the run, in one transaction. What
        only acts that were taken back meanwhile show is left out. None where the batch is void."""
        ...


class SupportStore(Protocol):
    """What speaks for memories."""

    async def of(self, memory_ids: Sequence[int]) -> Mapping[int, tuple[Support, ...]]:
        """The supports that stand, oldest first; only memories that have some."""
        ...

    async def pool(self) -> list[Supported]:
        """Every candidate of its own scope, with what supports it."""
        ...

    async def pool_about(self, held_because: str, ids: Sequence[int]) -> tuple[list[Supported], list[Visited]]:
        """Of the candidates of its own scope those that are held for this, and these, with what supports them; of all
        others when they were visited."""
        ...

    async def searched(self, memory_ids: Sequence[int], at: datetime) -> None:
        """A program's search returned these; candidates among them are visited by that."""
        ...


class PromotionStore(Protocol):
    """Runs in which the verifier reads the acts that a candidate is to go live by. They fail, wait and are given back
    as those of the learning queue."""

    async def claim(self, due: Due, choose: ChoosePromoted) -> ActBatch | None:
        """The candidate that is due, with the acts that are shown of it: of a run that was cut short or failed, else of
        a new one. The try counts from here on."""
        ...

    async def finish(self, batch: ActBatch, ended: RunEnd, *, lives: bool) -> Promotion | None:
        """It goes live, or waits for a person, in one operation, and the run ends, in one transaction. None where the
        batch is void: the candidate, what supports it, or what was read changed."""
        ...

    async def next_at(self) -> datetime | None:
        """When the first of those that failed is tried again."""
        ...
