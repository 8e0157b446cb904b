"""The event loop in a thread of its own: the main thread reads lines and takes signals while background work goes
on."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from types import TracebackType
from typing import Any, TypeVar, cast

from orca_tui.exit_on_signal import ENDING_SIGNALS
from orca_tui.log import log_what_a_loop_reports

T = TypeVar("T")
R = TypeVar("R")

StartStream = Callable[[asyncio.Event], AsyncIterator[T]]
"""Begins a stream that ends early when the event is set."""


class _End:
    """The end of a stream, with what it raised."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class LoopThread:
    """Runs coroutines for a synchronous caller."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        log_what_a_loop_reports(self._loop)
        self._thread = threading.Thread(target=self._run, name="orca-loop", daemon=True)

    def __enter__(self) -> LoopThread:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.run(_cancel_leftovers())
        self.run(self._loop.shutdown_asyncgens())
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        # Signals are for the main thread alone: only there do they interrupt a wait for the next line. Threads that
        # this one starts inherit the mask.
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)
        self._loop.run_forever()

    def run(self, work: Awaitable[T]) -> T:
        """The outcome of `work`. A signal that interrupts the wait cancels the work and lets it end first."""
        started: list[asyncio.Task[Any]] = []
        try:
            return asyncio.run_coroutine_threadsafe(_watched(work, started), self._loop).result()
        except BaseException:
            self._end(started)
            raise

    @contextmanager
    def stream(self, start: StartStream[T]) -> Iterator[tuple[Iterator[T], Callable[[], None]]]:
        """The items of a stream as they come, and how to stop it. Leaving early stops it and waits for its end; an
        error does not wait for it to stop by itself."""
        stop = asyncio.Event()
        arrived: SimpleQueue[T | _End] = SimpleQueue()
        started: list[asyncio.Task[Any]] = []

        def stop_now() -> None:
            self._loop.call_soon_threadsafe(stop.set)

        try:
            pumping = asyncio.run_coroutine_threadsafe(_watched(_pump(start, stop, arrived), started), self._loop)
            yield _items(arrived), stop_now
        except BaseException:
            self._end(started)
            raise
        stop_now()
        pumping.result()

    def follow(self, steps: AsyncIterator[T | R], result: type[R], tell: Callable[[T], None]) -> R | None:
        """Carry out work that tells its steps and ends with its result, if it has one."""
        with self.stream(lambda _stop: steps) as (arriving, _stop_now):
            for step in arriving:
                if isinstance(step, result):
                    return step
                tell(cast("T", step))
        return None

    def _end(self, tasks: list[asyncio.Task[Any]]) -> None:
        asyncio.run_coroutine_threadsafe(_end(tasks), self._loop).result()


async def _pump(start: StartStream[T], stop: asyncio.Event, arrived: SimpleQueue[T | _End]) -> None:
    try:
        async for item in start(stop):
            arrived.put(item)
    except BaseException as error:  # noqa: BLE001  # raised again where the items are taken
        arrived.put(_End(error))
    else:
        arrived.put(_End(None))


def _items(arrived: SimpleQueue[T | _End]) -> Iterator[T]:
    while not isinstance(item := arrived.get(), _End):
        yield item
    if item.error is not None:
        raise item.error


async def _watched(work: Awaitable[T], started: list[asyncio.Task[Any]]) -> T:
    task = asyncio.current_task()
    assert task is not None
    started.append(task)
    return await work


async def _end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _cancel_leftovers() -> None:
    me = asyncio.current_task()
    await _end([task for task in asyncio.all_tasks() if task is not me])
