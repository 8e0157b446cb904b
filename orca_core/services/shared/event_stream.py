"""Tells listeners what happens: one stream of live events as services report them, and of stored changes as they are
found."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from functools import partial
from typing import Generic, TypeVar

from orca_core.model.errors import StorageError
from orca_core.model.events import (
    MOST_CHANGES,
    ChangedElsewhere,
    Delta,
    Event,
    Missed,
    OperationMade,
    Reasoning,
    StreamNotice,
)
from orca_core.model.operations import Operation
from orca_core.operations.undo import HistoryStore
from orca_core.owned_tasks import LOG, OwnedTask
from orca_core.services.shared.degradation import failed

E = TypeVar("E")


class Listeners(Generic[E]):
    """The listeners of one kind of event. A listener that raises stops neither the work nor the other listeners."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[E], None]] = []

    def add(self, listener: Callable[[E], None]) -> Callable[[], None]:
        """Call the listener for each event from now on; returns a function that unsubscribes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event: E) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception as error:  # noqa: BLE001  # a listener that raises must not stop the work
                LOG.error("a listener broke", exc_info=error)


POLL_S = 1.0
"""How often other processes' changes are looked for. Chosen by hand."""
OPERATIONS_AT_ONCE = 200
"""How many operations one read fetches. Chosen by hand."""
MOST_WAITING = 10_000
"""How many live events wait for a slow listener; further ones are counted, and dropped. Chosen by hand."""

Sleep = Callable[[float], Awaitable[None]]


class Stream:
    """Sends every listener the events of turns, learning and saving, and every operation in the database."""

    def __init__(self, feed: HistoryStore, history: HistoryStore, sleep: Sleep = asyncio.sleep) -> None:
        self._feed = feed
        self._history = history
        self._sleep = sleep
        self._listeners: set[_Listener] = set()
        self._is_closed = False

    def tell(self, event: Event, session_id: str = "") -> None:
        """Send an event that happened in this process; most of them change what is stored."""
        for listener in self._listeners:
            listener.put(event, session_id)
        if not isinstance(event, Delta | Reasoning):
            self.changed()

    async def reached(self) -> int | None:
        """The newest operation; None where it can not be read, which `events` then reports."""
        try:
            return await self._feed.last_operation()
        except StorageError:
            return None

    def changed(self) -> None:
        """Let every listener read the database now: something was stored."""
        for listener in self._listeners:
            listener.look()

    async def events(self, after: int | None = None) -> AsyncGenerator[StreamNotice, None]:
        """All that happens from now on; with `after` first every operation that is newer. Ends with Orca. An
        `after` that was never reached, as of a database that a backup has replaced, is now."""
        listener = _Listener(after)
        self._listeners.add(listener)
        ticking = OwnedTask()
        ticking.start(partial(self._tick, listener))
        try:
            while not self._is_closed:
                for notice in await self._found(listener):
                    yield notice
                for notice in listener.take():
                    yield notice
                await listener.wait()
        finally:
            self._listeners.discard(listener)
            await ticking.aclose()

    async def aclose(self) -> None:
        """End the stream of every listener."""
        self._is_closed = True
        self.changed()

    async def _tick(self, listener: _Listener) -> None:
        """Wake the listener once a second, to look for changes of other processes."""
        while True:
            await self._sleep(POLL_S)
            listener.look()

    async def _found(self, listener: _Listener) -> list[StreamNotice]:
        """What is new in the database since the listener read last; a failing read is reported once."""
        if not listener.is_to_look:
            return []
        listener.is_to_look = False
        try:
            found = await self._stored(listener)
        except StorageError as error:
            if listener.has_failed or self._is_closed:
                return []
            listener.has_failed = True
            return [StreamNotice(listener.at, failed(error))]
        listener.has_failed = False
        return found

    async def _stored(self, listener: _Listener) -> list[StreamNotice]:
        if listener.cursor is None:
            last = await self._feed.last_operation()
            listener.cursor = last if listener.after is None else max(0, min(listener.after, last))
        found: list[StreamNotice] = []
        done = await self._done_since(listener)
        operations = await self._feed.operations_after(listener.cursor, OPERATIONS_AT_ONCE)
        writes = await self._feed.foreign_writes()  # after the operations: none goes unannounced
        if listener.foreign_writes not in (None, writes):
            found.append(StreamNotice(listener.cursor, ChangedElsewhere()))
        told = [*done, *operations]
        changes = await self._history.changes_of([each.id for each in told], MOST_CHANGES) if told else []
        for operation in told:
            made = tuple(change for change in changes if change.operation == operation.id)
            cursor = max(listener.cursor, operation.id)
            found.append(StreamNotice(cursor, OperationMade(operation, made), operation.header.session_id or ""))
        listener.under_way.update(each.id for each in operations if each.under_way is not None)
        listener.foreign_writes = writes
        if operations:
            listener.cursor = operations[-1].id
            if len(operations) == OPERATIONS_AT_ONCE:
                listener.look()
        return found

    async def _done_since(self, listener: _Listener) -> list[Operation]:
        """What was under way when the listener heard of it, and is done by now."""
        now = [
            operation
            for number in sorted(listener.under_way)
            for operation in await self._feed.operations_after(number - 1, 1)
        ]
        done = [each for each in now if each.under_way is None]
        listener.under_way.difference_update(each.id for each in done)
        return done


class _Listener:
    """The position of one listener: the operation it has read up to, and the live events that wait for it."""

    def __init__(self, after: int | None) -> None:
        self.after = after
        self.cursor: int | None = None
        self.foreign_writes: int | None = None
        self.is_to_look = True
        self.has_failed = False
        self.under_way: set[int] = set()
        self._waiting: deque[tuple[Event, str]] = deque()
        self._missed = 0
        self._woken = asyncio.Event()

    @property
    def at(self) -> int:
        """What to go on after, also where the database could not be read yet."""
        return (self.after or 0) if self.cursor is None else self.cursor

    def put(self, event: Event, session_id: str) -> None:
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append((event, session_id))
        else:
            self._missed += 1
        self._woken.set()

    def take(self) -> Iterator[StreamNotice]:
        """Take the live events that wait, oldest first; after them, how many were dropped."""
        while self._waiting:
            event, session_id = self._waiting.popleft()
            yield StreamNotice(self.at, event, session_id)
        if self._missed:
            count, self._missed = self._missed, 0
            yield StreamNotice(self.at, Missed(count))

    def look(self) -> None:
        self.is_to_look = True
        self._woken.set()

    async def wait(self) -> None:
        """Wait for an event, or for the next look at the database."""
        await self._woken.wait()
        self._woken.clear()
