"""Tasks that start when somebody holds them, and work that a cancelled caller does not cut."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from concurrent.futures import Future
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
