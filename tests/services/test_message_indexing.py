"""Messages that wait to be indexed are, while nobody waits: a piece at a time, and nothing is looked for that can't be."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock

from orca_core.jobs.indexing import index_messages
from orca_core.jobs.job import REST, PiecewiseChore


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


def chore(store: Waiting) -> PiecewiseChore:
    return PiecewiseChore("indexing", StillClock(), lambda: index_messages(store))  # type: ignore[arg-type]


async def done(job: PiecewiseChore) -> bool:
    """Whether more waits behind a pass."""
    async for _ in job.work():
        pass
    assert job.has_more == (await job.next_at() == StillClock().now() + REST)
    return job.has_more


async def test_what_is_left_is_done_a_moment_later() -> None:
    store = Waiting(25)
    job = chore(store)
    assert [await done(job) for _ in range(3)] == [True, True, False]
    assert store.waiting == 0


@pytest.mark.parametrize(("waiting", "at_once", "looks"), [(0, 10, 0), (5, 0, 1)], ids=["nothing", "what can not be"])
async def test_what_nobody_could_do_is_not_tried_every_second(waiting: int, at_once: int, looks: int) -> None:
    store = Waiting(waiting, at_once)
    assert (await done(chore(store)), store.looks) == (False, looks)
