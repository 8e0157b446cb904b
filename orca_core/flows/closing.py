"""How an engine ends: first what works, then what it works with, then the database; each whatever the others raise."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

from orca_core.domain.ports import ChatModel, Embedder
from orca_core.domain.stores import Housekeeping
from orca_core.flows.jobs.worker import Worker
from orca_core.flows.shared.lazy import Lazy
from orca_core.flows.shared.saves import Saves
from orca_core.flows.shared.stream import Stream
from orca_core.flows.turn.chat import Chat


def closing(
    workers: Sequence[Stream | Chat | Saves | Worker],
    adapters: Sequence[Lazy[ChatModel] | Lazy[Embedder]],
    housekeeping: Housekeeping,
) -> Callable[[], Awaitable[None]]:
    """What an engine calls to end."""

    async def aclose() -> None:
        async with AsyncExitStack() as ends:  # what is pushed last ends first
            ends.push_async_callback(housekeeping.aclose)
            for adapter in reversed(adapters):
                if adapter.made is not None:
                    ends.push_async_callback(adapter.made.aclose)
            for worker in reversed(workers):
                ends.push_async_callback(worker.aclose)

    return aclose
