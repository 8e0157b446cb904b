"""What is done while nobody waits, and how well all of it works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from orca_core.model.cleaning import Cleaned
    from orca_core.model.diagnosis import Diagnosis, Finding, Repair
    from orca_core.model.errors import StorageError
    from orca_core.model.events import (
        ActsRead,
        Consolidated,
        Embedded,
        EpisodesRead,
        Extraction,
        Folded,
        GuideMade,
        Promoted,
        Resting,
        Saved,
    )
    from orca_core.model.progress import Tell
    from orca_core.model.upkeep import UpkeepRun

Unsubscribe = Callable[[], None]


class Background(Protocol):
    """What is done while nobody waits. `rests_until` is when the tokens of the next day may be used, where today's are
    used up."""

    @property
    def rests_until(self) -> datetime | None: ...

    def wake(self) -> None: ...

    def inbox_opened(self) -> None:
        """Note that a person looks at what waits: what the verifier has not answered about is asked about again."""
        ...

    def subscribe(
        self,
        listener: Callable[
            [Extraction | Folded | EpisodesRead | ActsRead | Consolidated | GuideMade | Promoted | Resting | Embedded],
            None,
        ],
    ) -> Unsubscribe: ...

    async def learn_now(self) -> None: ...

    async def drain(self, timeout_s: float | None = None) -> None: ...

    async def tidy(self, timeout_s: float | None = None) -> None: ...

    async def embed(self, timeout_s: float | None = None) -> None: ...

    async def index_messages(self) -> None: ...

    async def finish(self, timeout_s: float = ...) -> None: ...


class Upkeep(Protocol):
    """What is done in the background where an Orca stays open, for who ends at once."""

    async def once_a_day(self, timeout_s: float) -> None:
        """Do what waits, for at most `timeout_s`, unless that was done within a day."""
        ...

    async def run(self) -> UpkeepRun:
        """Do all of it, now."""
        ...


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


class Cleanup(Protocol):
    """Cleaning: what is done once a day, now."""

    async def preview(self, tell: Tell = ...) -> Cleaned:
        """What it would do. Changes nothing."""
        ...

    async def run(self, tell: Tell = ...) -> Cleaned:
        """What it does to memories is one operation, and can be undone; what it drops is gone."""
        ...

    async def merge(self) -> Cleaned:
        """Of all of it that alone which merges memories that say just the same."""
        ...


class Doctor(Protocol):
    async def examine(
        self, before: Sequence[Finding] = (), asked: Sequence[Finding] = (), tell: Tell = ...
    ) -> Diagnosis:
        """Every check, those made `before` first. No endpoint is asked; what one was `asked` takes the place of what is
        said of it otherwise."""
        ...

    async def mend(self, *, is_dry: bool, may_ask: bool) -> Sequence[Repair]:
        """What may be mended unasked, and is; or would be, where it `is_dry`. Runs that were given up are tried again
        where the memory agent `may_ask`."""
        ...

    async def reindex(self, tell: Tell = ...) -> None:
        """Make the index of every kind anew from its records."""
        ...
