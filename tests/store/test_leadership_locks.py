"""Who learns for a profile: locks on bytes of one file, which the kernel keeps."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fakes.patience import after

from orca_core.model.errors import StorageError

LEADER = """
import asyncio, sys
from pathlib import Path
from orca_core.store.sqlite.store import open_stores

async def lead():
    stores = await open_stores(Path(sys.argv[1]), scope="me", must_exist=False)
    print(await stores.leadership.acquire(), flush=True)
    sys.stdin.read()

asyncio.run(lead())
"""


async def test_another_process_leads_until_it_dies(opened, tmp_path: Path) -> None:
    async with opened("me") as stores, opened("work") as other:
        with subprocess.Popen(  # noqa: ASYNC220  # another Orca, which is waited for by its first line
            [sys.executable, "-c", LEADER, str(tmp_path / "orca.db")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as leader:
            assert leader.stdout is not None
            assert leader.stdout.readline() == b"True\n"
            assert not await stores.leadership.acquire()
            assert await other.leadership.acquire()
            leader.kill()
            leader.wait()
        assert await stores.leadership.acquire()


async def test_an_acquire_that_is_cancelled_keeps_nothing(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    called = threading.Event()
    lock = fcntl.fcntl

    def slow(file: int, how: int, which: bytes) -> None:
        called.set()
        after(0.05)
        lock(file, how, which)

    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    async with opened("me") as stores, opened("me") as other:
        monkeypatch.setattr(fcntl, "fcntl", slow)
        leading = asyncio.create_task(stores.leadership.acquire())
        while not called.is_set():
            await asyncio.sleep(0)
        leading.cancel()
        await asyncio.wait({leading})
        if not leading.cancelled():  # it came too late: then the lock is held by somebody who knows
            await stores.leadership.resign()
        await asyncio.to_thread(int)  # behind whatever the cancelled one may have left to a thread
        assert await other.leadership.acquire()


async def test_a_disk_without_locks_is_not_taken_for_another_orca(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(_file: int, _how: int, _which: bytes) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    async with opened("me") as stores:
        with monkeypatch.context() as patched:
            patched.setattr(fcntl, "fcntl", no_locks)
            with pytest.raises(StorageError, match="No locks available"):
                await stores.leadership.acquire()
        assert await stores.leadership.acquire()
