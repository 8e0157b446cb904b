"""Messages that wait to be indexed are, while nobody waits: a piece at a time, and nothing is looked for that can't be."""

from __future__ import annotations

from fakes.clocks import StillClock

from orca_core.jobs.indexing import REST, MessageIndexing


class Waiting:
    """A store in which so many messages wait, and are indexed ten at a time."""

    def __init__(self, waiting: int, at_once: int = 10) -> None:
        self.waiting = waiting
        self.at_once = at_once
        self.looks = 0

    async def backlog(self) -> int:
        return self.waiting

    async def catch_up(self, patience_s: float | None = None) -> int:
        assert patience_s is not None
        self.looks += 1
        self.waiting = max(0, self.waiting - self.at_once)
        return self.waiting


async def test_what_is_left_is_done_a_moment_later() -> None:
    clock, store = StillClock(), Waiting(25)
    job = MessageIndexing(store, clock)  # type: ignore[arg-type]
    for _ in range(2):
        await job.tend()
        assert await job.next_at() == clock.now() + REST
    await job.tend()
    assert (store.waiting, await job.next_at()) == (0, None)


async def test_nothing_that_waits_is_nothing_to_do() -> None:
    store = Waiting(0)
    job = MessageIndexing(store, StillClock())  # type: ignore[arg-type]
    await job.tend()
    assert (store.looks, await job.next_at()) == (0, None)


async def test_what_can_not_be_indexed_is_not_tried_every_second() -> None:
    job = MessageIndexing(Waiting(5, at_once=0), StillClock())  # type: ignore[arg-type]
    await job.tend()
    assert await job.next_at() is None
