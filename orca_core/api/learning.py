"""Learning: what it did, what waits for it, and asking for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from orca_core.model.events import Extraction
    from orca_core.model.learning import Lesson, Queue, Run, Wanted
    from orca_core.model.spending import Allowance, Spent


class Runs(Protocol):
    """The memory agent's runs, what waits for them, and what they cost."""

    async def queue(self) -> Queue: ...

    async def runs(self, limit: int) -> list[Run]: ...

    async def show(self, run_id: int) -> Lesson: ...

    async def retry(self, session_id: str | None = None) -> int: ...

    async def allowance(self) -> Allowance: ...

    async def spent(self) -> Sequence[Spent]: ...


class Learning(Protocol):
    """Learning that is asked for and watched, run by run."""

    @property
    def is_on(self) -> bool: ...

    def run(self, wanted: Wanted) -> AsyncIterator[Extraction]: ...

    def run_again(self, session_id: str) -> AsyncIterator[Extraction]: ...
