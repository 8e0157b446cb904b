"""Another Orca beside what is measured: it saves a round every 50 ms, as a turn does, and tells how long each took.

    python benchmarks/neighbour.py DATABASE

It goes on until its standard input is closed. A save that was given up because the database was locked counts as lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import apsw
import stores as _stores  # noqa: F401  # it says where fakes are
from holding import Watch, watched
from msgspec import Struct

from orca_core.model.errors import StoreBusy
from orca_core.store.sqlite.engine.database import Database, Work
from orca_core.store.sqlite.store import open_stores

from fakes.records import chat  # isort: skip  # `stores` says where fakes are

EVERY_S = 0.05
CHAT = "beside"
SCOPE = "beside"
"""A profile of its own: what is measured finds the home as it was."""
_SAVED = "SELECT count(*) FROM rounds WHERE scope = ? AND state = 'done'"


class Waits(Struct, frozen=True):
    """What the saves took, in ascending order, how many were lost, and how long the lock alone was waited for at
    most."""

    seconds: tuple[float, ...]
    lost: int
    lock_s: float = 0

    @property
    def most_s(self) -> float:
        return self.seconds[-1]

    def words(self) -> str:
        median, p95, p99 = (self.seconds[int(len(self.seconds) * part)] * 1000 for part in (0.5, 0.95, 0.99))
        figures = f"median {median:6.1f}  p95 {p95:6.1f}  p99 {p99:6.1f}  most {self.most_s * 1000:8.1f} ms"
        lock = f"the lock alone {self.lock_s * 1000:.1f} ms at most"
        return f"another writer: {figures} of {len(self.seconds):5}, {lock}, lost {self.lost}"


class Neighbour:
    """The other Orca, a process of its own. It saves once before the measured work begins."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.waits = Waits((), 0)

    def __enter__(self) -> Neighbour:
        self._before = _saved(self._path)
        command = [sys.executable, __file__, str(self._path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == "ready"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        lines = self._process.communicate()[0].split()
        assert self._process.returncode == 0
        rounds, lock_s, seconds = int(lines[0]), float(lines[1]), sorted(map(float, lines[2:]))
        self.waits = Waits(tuple(seconds), rounds - (_saved(self._path) - self._before), lock_s)


def _saved(path: Path) -> int:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(60_000)
    [count] = connection.execute(_SAVED, (SCOPE,)).fetchone() or (0,)
    connection.close()
    return int(str(count))


@contextmanager
def saves_measured() -> Iterator[list[float]]:
    """The seconds of every write transaction from now on."""
    seconds: list[float] = []
    write = Database.write

    async def timed(self: Database, work: Work[object]) -> object:
        started = time.perf_counter()
        try:
            return await write(self, work)
        finally:
            seconds.append(time.perf_counter() - started)

    Database.write = timed  # type: ignore[method-assign, assignment]
    try:
        yield seconds
    finally:
        Database.write = write  # type: ignore[method-assign]


async def save(path: Path) -> None:
    """Save rounds until stdin is closed; then print how many there were, how long the lock was waited for at most, and
    the seconds of every transaction."""
    with watched() as watch:
        rounds, seconds = await _saves(path, watch)
    print(rounds, max(each.waited_s for each in watch.holds), *seconds)


async def _saves(path: Path, watch: Watch) -> tuple[int, list[float]]:
    stores = await open_stores(path, scope=SCOPE, must_exist=True)
    await chat(stores, CHAT)
    watch.holds.clear()
    reading = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print("ready", flush=True)
    rounds = 1
    with saves_measured() as seconds:
        while not reading.done():
            rounds += 1
            with contextlib.suppress(StoreBusy):  # it is missing in the count
                await chat(stores, CHAT)
            await asyncio.sleep(EVERY_S)
    await stores.upkeep.aclose()
    return rounds, seconds


if __name__ == "__main__":
    asyncio.run(save(Path(sys.argv[1])))
