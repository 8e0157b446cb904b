"""Tasks with an owner, work that a cancelled caller does not cut, and a thread for what blocks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

T = TypeVar("T")

LOG = logging.getLogger("orca_core")
LOG.addHandler(logging.NullHandler())  # a library prints nothing by itself: who starts Orca says where its log goes


async def carried_through(work: Awaitable[T]) -> T:
    """The outcome of work that a cancelled caller does not cut. Then its failure has nobody to go to, and is logged."""
    future = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        future.add_done_callback(log_failure)
        raise


def log_failure(done: asyncio.Future[Any] | Future[Any]) -> None:
    """For a task or future that nobody awaits: its failure goes to the log."""
    if not done.cancelled() and (error := done.exception()) is not None:
        LOG.warning("%s, when nobody waited for it any more", error, exc_info=error)


def make_task(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task that starts when its owner holds it. A loop may start those that it makes at once, inside of the call:
    Textual's does from Python 3.12 on."""
    return asyncio.Task(work, loop=asyncio.get_running_loop())


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


class OneThread:
    """Runs calls in the order in which they were given. A caller that is cancelled does not cut the one under way."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def __aenter__(self) -> OneThread:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await carried_through(asyncio.to_thread(self._executor.shutdown))

    async def run(self, work: Callable[[], T]) -> T:
        return await carried_through(asyncio.get_running_loop().run_in_executor(self._executor, work))
