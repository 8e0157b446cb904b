"""Who learns: one Orca a profile, one task an Orca, and nobody who was cancelled."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from fakes.patience import after

from orca_core.domain.errors import StorageError


def test_a_leader_of_one_profile_leaves_the_others_alone(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as first, opened() as second, opened("work") as other:
            assert await first.leadership.acquire()
            assert not await second.leadership.acquire()
            assert await other.leadership.acquire()
            await first.leadership.resign()
            assert await second.leadership.acquire()

    run(scenario())


def test_one_task_leads_at_a_time(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            assert await stores.leadership.acquire()
            second = asyncio.create_task(stores.leadership.acquire())
            for _ in range(5):
                await asyncio.sleep(0)
            assert not second.done()
            await stores.leadership.resign()
            assert await asyncio.wait_for(second, 30)

    run(scenario())


def test_an_acquire_that_is_cancelled_keeps_nothing(run, opened, monkeypatch: pytest.MonkeyPatch) -> None:
    called = threading.Event()
    flock = fcntl.flock

    def slow(file: int, how: int) -> None:
        called.set()
        after(0.05)
        flock(file, how)

    async def scenario() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        async with opened() as stores, opened() as other:
            monkeypatch.setattr(fcntl, "flock", slow)
            leading = asyncio.create_task(stores.leadership.acquire())
            while not called.is_set():
                await asyncio.sleep(0)
            leading.cancel()
            await asyncio.wait({leading})
            if not leading.cancelled():  # it came too late: then the lock is held by somebody who knows
                await stores.leadership.resign()
            await asyncio.to_thread(int)  # behind whatever the cancelled one may have left to a thread
            assert await other.leadership.acquire()

    run(scenario())


def test_a_wait_for_the_lead_that_is_cancelled_leaves_it_to_the_next(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            assert await stores.leadership.acquire()
            waiting = [asyncio.create_task(stores.leadership.acquire()) for _ in range(2)]
            await asyncio.sleep(0)
            waiting[0].cancel()
            await stores.leadership.resign()
            assert await asyncio.wait_for(waiting[1], 30)

    run(scenario())


def test_a_disk_without_locks_is_not_taken_for_another_orca(run, opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        def no_locks(_file: int, _how: int) -> None:
            raise OSError(errno.ENOLCK, "No locks available")

        async with opened() as stores:
            with monkeypatch.context() as patched:
                patched.setattr(fcntl, "flock", no_locks)
                with pytest.raises(StorageError, match="No locks available"):
                    await stores.leadership.acquire()
            assert await stores.leadership.acquire()

    run(scenario())
