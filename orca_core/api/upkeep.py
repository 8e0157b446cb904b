"""What is done while nobody waits, and how well all of it works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from orca_core.domain.diagnosis import Check, Diagnosis
from orca_core.domain.errors import StorageError
from orca_core.domain.events import (
    Consolidated,
    CuesWritten,
    Embedded,
    EpisodesRead,
    Extraction,
    Folded,
    Promoted,
    Resting,
    Saved,
)
from orca_core.domain.growth.events import ActsRead, GuideMade

Unsubscribe = Callable[[], None]


class Background(Protocol):
    """What is done while nobody waits. `rests_until` is when the tokens of the next day may be used, where today's are
    used up."""

    @property
    def rests_until(self) -> datetime | None: ...

    def wake(self) -> None: ...

    def subscribe(
        self,
        listener: Callable[
            [
                Extraction
                | Folded
                | CuesWritten
                | EpisodesRead
                | ActsRead
                | Consolidated
                | GuideMade
                | Promoted
                | Resting
                | Embedded
            ],
            None,
        ],
    ) -> Unsubscribe: ...

    async def learn_now(self) -> None: ...

    async def drain(self, timeout_s: float | None = None) -> None: ...

    async def tidy(self, timeout_s: float | None = None) -> None: ...

    async def finish(self, timeout_s: float = ...) -> None: ...


class Saving(Protocol):
    """What turns have to say to the database. `failure` is why something still waits."""

    @property
    def failure(self) -> StorageError | None: ...

    def subscribe(self, listener: Callable[[Saved], None]) -> Unsubscribe: ...

    async def drain(self, timeout_s: float | None = None) -> None: ...


class Levels(Protocol):
    """How much of the memory works. `store_failure` is why the database can't be used at all."""

    @property
    def store_failure(self) -> StorageError | None: ...


class Doctor(Protocol):
    async def examine(self, before: Sequence[Check] = (), asked: Sequence[Check] = ()) -> Diagnosis:
        """Every check, those made `before` first. No endpoint is asked; what one was `asked` takes the place of what is
        said of it otherwise."""
        ...

    async def reindex(self) -> None:
        """Make the index of every kind anew from its records."""
        ...
