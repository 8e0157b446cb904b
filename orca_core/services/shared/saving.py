"""Saves beside the stream: writes in order, each retried until the database takes or refuses it; no turn has to
wait."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

from orca_core.model.errors import OrcaError, StorageError, StoreBusy, StoreOutOfReach
from orca_core.model.events import Saved
from orca_core.owned_tasks import OwnedTask
from orca_core.services.shared.event_stream import Listeners

T = TypeVar("T")

PATIENCE_S = 2.0
"""How long a turn waits for a write before it goes on without it. The write itself goes on. docs/decisions/0009."""
CLOSE_S = 5.0
"""How long closing waits for what is still unwritten. Chosen by hand."""
RETRY_S = (0.2, 0.5, 1.0, 2.0, 5.0)
"""The pauses between the tries of a write; the last one for ever. Chosen by hand."""


class Write(Generic[T]):
    """One write that waits for the database or is being tried."""

    def __init__(self, work: Callable[[], Awaitable[T]], on_written: Callable[[T], None] | None = None) -> None:
        self.failure: StorageError | None = None
        self._work = work
        self._on_written = on_written
        self._tried = asyncio.Event()
        self._results: list[T] = []
        self._refusal: Exception | None = None

    @property
    def is_over(self) -> bool:
        """Whether it is written, or refused for good."""
        return self.is_written or self.is_refused

    @property
    def is_written(self) -> bool:
        return bool(self._results)

    @property
    def is_refused(self) -> bool:
        return self._refusal is not None

    def result(self) -> T:
        """Its result, once it is over. Raises the refusal."""
        if self._refusal is not None:
            raise self._refusal
        [result] = self._results
        return result

    async def outcome(self, patience_s: float) -> T:
        """Wait for its result. Raises the refusal; or a StorageError where the first try failed or outlasts the
        patience: the write is then retried in the background."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                await self._tried.wait()
        if self.is_over:
            return self.result()
        raise self.failure or _unanswered(patience_s)

    def refused_for_now(self, failure: StorageError) -> None:
        """Record that a try failed: its own, or that of the write before it."""
        self.failure = failure
        self._tried.set()

    async def attempt(self) -> None:
        """Try once."""
        try:
            result = await self._work()
            self._results.append(result)
            self.failure = None
            if self._on_written is not None:
                self._on_written(result)
        except StoreOutOfReach as error:
            self._refusal = error
        except StorageError as error:
            self.failure = error
        except Exception as error:  # noqa: BLE001  # a mistake in one write must not stop the next
            self._refusal = error
            if not isinstance(error, OrcaError):
                report = {"message": "a write failed for a mistake in Orca", "exception": error}
                asyncio.get_running_loop().call_exception_handler(report)
        finally:
            self._tried.set()


def _unanswered(seconds: float) -> StorageError:
    return StorageError(
        template="the database has not answered within {seconds:g} s",
        hint="what waits is kept, and tried again until Orca ends",
        seconds=seconds,
    )


class Saves:
    """The queue of the turns' writes, in their order. One task carries them out, as long as there are any; a write
    that the database refuses for now delays those behind it, and nothing else."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self.patience_s = patience_s
        self._waiting: deque[Write[object]] = deque()
        self._task = OwnedTask()
        self._hurry = asyncio.Event()
        self._is_closing = False
        self._is_closed = False
        self._listeners: Listeners[Saved] = Listeners()

    @property
    def unwritten(self) -> int:
        """How many writes wait."""
        return len(self._waiting)

    @property
    def failure(self) -> StorageError | None:
        """Why a write still waits; None where none does. After closing: why it was lost."""
        return (self._waiting[0].failure or _unanswered(self.patience_s)) if self._waiting else None

    def put(self, work: Callable[[], Awaitable[T]], on_written: Callable[[T], None] | None = None) -> Write[T]:
        """Queue a write. Writes before it are retried at once, for the caller wants to know the outcome."""
        write = Write(work, on_written)
        if self._waiting:
            self._hurry.set()
            first = self._waiting[0].failure
            if isinstance(first, StoreBusy):  # a try takes long, and tells no more than this one did
                write.refused_for_now(first)
        self._waiting.append(write)  # type: ignore[arg-type]  # the queue never looks at results
        if self._is_closed:  # so is the database
            write.refused_for_now(_unanswered(self.patience_s))
        else:
            self._task.start(self._work)
        return write

    def subscribe(self, listener: Callable[[Saved], None]) -> Callable[[], None]:
        """Call the listener for every round that is saved after a failed save was reported; returns a function that
        unsubscribes it."""
        return self._listeners.add(listener)

    def tell(self, event: Saved) -> None:
        self._listeners.tell(event)

    async def drain(self, timeout_s: float | None = None) -> None:
        """Wait until every write is done, at most `timeout_s`."""
        self._hurry.set()
        await self._task.wait(timeout_s)

    async def aclose(self) -> None:
        """Try what waits once more, until the timeout, then give it up: a lock may be released, a full disk stays
        full."""
        self._is_closing = True
        await self.drain(CLOSE_S)
        self._is_closed = True
        await self._task.aclose()

    async def _work(self) -> None:
        tries = 0
        while self._waiting:
            write = self._waiting[0]
            await write.attempt()
            if write.is_over:
                self._waiting.popleft()
                tries = 0
                continue
            assert write.failure is not None
            for behind in self._waiting:  # what blocks the first blocks all of them
                behind.refused_for_now(write.failure)
            if self._is_closing and not isinstance(write.failure, StoreBusy):
                return
            await self._pause(RETRY_S[0 if self._is_closing else min(tries, len(RETRY_S) - 1)])
            tries += 1

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
        self._hurry.clear()
