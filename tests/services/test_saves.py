"""Writes in their order, each tried until it succeeds or never can."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from orca_core.model.errors import NotFound, StorageError, StoreBusy, StoreFull
from orca_core.services.shared.saving import Saves

PLACE = Path("orca.db")


def write(log: list[str], name: str, *refusals: Exception) -> Callable[[], Awaitable[str]]:
    """A write that is refused so often, and then succeeds."""
    waiting = list(refusals)

    async def work() -> str:
        log.append(name)
        if waiting:
            raise waiting.pop(0)
        return name

    return work


async def test_writes_are_written_in_the_order_in_which_they_came() -> None:
    saves, log = Saves(), []
    first, second = saves.put(write(log, "first")), saves.put(write(log, "second"))
    assert await second.outcome(30) == "second"
    assert first.result() == "first"
    assert (log, saves.unwritten) == (["first", "second"], 0)


async def test_what_is_refused_for_now_is_said_at_once_and_tried_until_it_succeeds() -> None:
    saves, log, written = Saves(), [], []
    busy = saves.put(write(log, "busy", StoreBusy(path=PLACE), StoreBusy(path=PLACE)), written.append)
    behind = saves.put(write(log, "behind"))
    with pytest.raises(StoreBusy):
        await busy.outcome(30)
    assert saves.unwritten == 2
    await saves.drain()
    assert (busy.result(), behind.result()) == ("busy", "behind")
    assert (log, written) == (["busy", "busy", "busy", "behind"], ["busy"])


async def test_what_is_refused_for_good_is_not_tried_again_and_holds_nothing_up() -> None:
    saves, log = Saves(), []
    gone = saves.put(write(log, "gone", NotFound(what="round", id=1)))
    behind = saves.put(write(log, "behind"))
    assert await behind.outcome(30) == "behind"
    with pytest.raises(NotFound):
        await gone.outcome(30)
    assert log == ["gone", "behind"]


async def test_a_mistake_in_a_write_is_reported_and_holds_nothing_up() -> None:
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context["exception"]))
    saves, log, mistake = Saves(), [], ValueError("a mistake")
    saves.put(write(log, "wrong", mistake))
    assert await saves.put(write(log, "right")).outcome(30) == "right"
    assert reported == [mistake]


async def test_patience_ends_before_a_write_that_takes_its_time() -> None:
    saves, may_go = Saves(), asyncio.Event()

    async def slow() -> str:
        await may_go.wait()
        return "written"

    waiting = saves.put(slow)
    with pytest.raises(StorageError, match="has not answered"):
        await waiting.outcome(0.01)
    may_go.set()
    await saves.drain()
    assert waiting.result() == "written"


async def test_closing_tries_once_more_and_gives_up_what_will_not_change() -> None:
    saves, log = Saves(), []
    full = saves.put(write(log, "full", *[StoreFull(path=PLACE)] * 50))
    with pytest.raises(StoreFull):
        await full.outcome(30)
    await saves.aclose()
    assert (log.count("full"), full.is_over) == (2, False)


async def test_what_waits_behind_a_full_disk_says_so_at_once() -> None:
    """Every later turn would wait out its patience twice, and then speak of a database that does not answer."""

    saves, log = Saves(), []
    full = [StoreFull(path=PLACE)] * 20
    saves.put(write(log, "first", *full))
    for _ in range(8):  # the pauses between the tries have grown by then
        with pytest.raises(StoreFull):
            await saves.put(write(log, "later")).outcome(30)
    assert saves.unwritten == 9
    await saves.aclose()


async def test_behind_a_lock_that_is_known_nobody_waits_again() -> None:
    saves, tries, opened = Saves(), [], asyncio.Event()

    async def locked() -> None:
        tries.append("a try")
        if len(tries) == 1:
            raise StoreBusy(path=PLACE)
        await opened.wait()  # the next try waits for the lock

    first = saves.put(locked)
    with pytest.raises(StoreBusy):
        await first.outcome(30)
    with pytest.raises(StoreBusy):
        async with asyncio.timeout(30):
            await saves.put(write(tries, "a later one")).outcome(600)
    opened.set()
    await saves.aclose()
    assert tries == ["a try", "a try", "a later one"]
