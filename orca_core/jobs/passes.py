"""What starts a pass of a job: news since the last one, or a person who asks. It knows no kind of run."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import TypeVar

from orca_core.jobs.job import EverythingWanted, InboxOpened, News, RoundRecorded, SessionEnded
from orca_core.model.learning import Wanted
from orca_core.store.protocols.learning import Leadership

E = TypeVar("E")

_LEFT_UNREAD = frozenset({"running", "failed"})


class Heard:
    """The sessions that ended, and whether a person asked for everything, since the last pass."""

    def __init__(self) -> None:
        self._ended: set[str] = set()
        self._in_the_pass: set[str] = set()
        self._everything = False
        self._inbox = False

    def hear(self, news: News) -> None:
        match news:
            case RoundRecorded(session_id):
                self._ended.discard(session_id)
                self._in_the_pass.discard(session_id)
            case SessionEnded(session_id):
                self._ended.add(session_id)
            case EverythingWanted():
                self._everything = True
            case InboxOpened():
                self._inbox = True

    def wanted(self) -> Wanted:
        """What the news ask for; a request for everything counts once."""
        wanted = Wanted(ended=tuple(sorted(self._ended)), everything=self._everything, inbox=self._inbox)
        self._everything = self._inbox = False
        return wanted

    async def a_pass(self, read: Callable[[Wanted], AsyncGenerator[E, None]]) -> AsyncGenerator[E, None]:
        """Read what the news ask for. Sessions that were not read to their end belong to the next pass, too."""
        wanted = self.wanted()
        # A session that ends while this runs belongs to the next pass: do not clear it with this one's.
        self._in_the_pass, self._ended = self._ended, set()
        state, is_through = "none", False
        try:
            async with aclosing(read(wanted)) as events:
                async for event in events:
                    state = getattr(event, "state", "none")  # an event that has none tells of no failure
                    yield event
            is_through = True
        finally:
            if state in _LEFT_UNREAD or not is_through:
                self._ended |= self._in_the_pass


async def led(
    leadership: Leadership,
    work: Callable[[], AsyncGenerator[E, None]],
    queued: Callable[[], Awaitable[Sequence[E]]],
) -> AsyncGenerator[E, None]:
    """What a person asked for: done while this Orca leads, else told to be `queued`. Raises what `work` raises."""
    if not await leadership.acquire():
        for event in await queued():
            yield event
        return
    try:
        async with aclosing(work()) as events:
            async for event in events:
                yield event
    finally:
        await leadership.resign()
