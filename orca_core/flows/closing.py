"""Closes an engine: first what works, then what it works with, then the database; each even if another raises."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

from orca_core.domain.ports import ChatModel, Embedder, Reranker
from orca_core.domain.stores import Housekeeping
from orca_core.flows.jobs.worker import Worker
from orca_core.flows.shared.lazy import Lazy
from orca_core.flows.shared.saves import Saves
from orca_core.flows.shared.stream import Stream
from orca_core.flows.turn.chat import Chat


def closing(
    workers: Sequence[Stream | Chat | Saves | Worker],
    adapters: Sequence[Lazy[ChatModel] | Lazy[Embedder] | Lazy[Reranker] | None],
    housekeeping: Housekeeping,
) -> Callable[[], Awaitable[None]]:
    """Returns the function that closes the engine."""

    async def aclose() -> None:
        async with AsyncExitStack() as ends:  # pushed last, closed first
            ends.push_async_callback(housekeeping.aclose)
            for adapter in reversed(adapters):
                if adapter is not None and adapter.made is not None:
                    ends.push_async_callback(adapter.made.aclose)
            for worker in reversed(workers):
                ends.push_async_callback(worker.aclose)

    return aclose
