"""A task with an owner, which starts it, waits for it and cancels it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from orca_core.unattended import log_failure, make_task


class OwnedTask:
    """At most one task at a time. Its owner closes it, and no task outlives the owner."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Start the work, unless it still runs."""
        if not self.is_busy:
            self._task = make_task(work())

    async def wait(self, timeout_s: float | None = None) -> None:
        """Wait until the task ends, at most `timeout_s`; a timeout does not cancel it."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=timeout_s)

    async def aclose(self) -> None:
        """Cancel the task and wait for its end. An exception of it goes to the log."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.wait({self._task})
        log_failure(self._task)
