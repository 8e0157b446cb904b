"""A task that belongs to somebody: started once at a time, waited for, cancelled with its owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from orca_core.unattended import log_failure


class OwnedTask:
    """At most one task at a time. Whoever holds this closes it, and no task outlives that."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Begin the work, unless the last one is still under way."""
        if not self.is_busy:
            self._task = asyncio.get_running_loop().create_task(work())

    async def wait(self, timeout_s: float | None = None) -> None:
        """Wait for what is under way, so long at most. It goes on where the time is up."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=timeout_s)

    async def aclose(self) -> None:
        """Cancel what is under way, and wait for its end. What it raised goes to the log."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.wait({self._task})
        log_failure(self._task)
