"""Candidates of every kind, as they wait for a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from msgspec import Struct

from orca_core.model.memories import Fields, Origin, State
from orca_core.model.refs import Ref


class Candidate(Protocol):
    """A record of a kind that may have to wait: a memory, an episode, knowledge, a guide."""

    @property
    def id(self) -> int: ...
    @property
    def state(self) -> State: ...
    @property
    def held_because(self) -> str | None: ...
    @property
    def updated_at(self) -> datetime: ...
    @property
    def origin(self) -> Origin: ...


DecideWaiting = Callable[[Sequence[Any], Mapping[int, State]], Mapping[int, Fields]]
"""What becomes of candidates of one kind, by their numbers. The second are the states of the episodes that they were
made of, as far as those are there (`rules.working.waiting.expire`)."""


class Waits(Struct, frozen=True):
    """A candidate in the inbox: what it says in a line, since when it waits, why it was held back when it was found
    and why at present (None where today's rules would let it live)."""

    ref: Ref
    text: str
    since: datetime
    held_because: str | None
    held_now: str | None
    origin: Origin
    record: Any
