"""A thread for what blocks: one thing after the other, and an end that waits for what is under way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

from orca_core.unattended import carried_through

T = TypeVar("T")


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
