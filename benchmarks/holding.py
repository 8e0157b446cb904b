"""Watches how long a process holds the lock of its database, and for how long it waits for it.

    HOLDING=FILE python benchmarks/holding.py COMMAND…

carries out a command of Orca and leaves what it held in the file. The time by the clock holds all that keeps a
transaction from its end: another process on its core, the disk. The processor's time is Orca's own.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import runpy
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import apsw
from msgspec import Struct

INTO = "HOLDING"
_NAMELESS = (
    "database.py",
    "scope.py",
    "transactions.py",
    "side.py",
    "writing.py",
    "pacing.py",
    "contextlib.py",
    "holding.py",
)
NAMED = 3
CHECKPOINT_PAGES = 1000
"""From so many pages on SQLite writes the WAL back by itself."""
_ENDS = ("COMMIT", "ROLLBACK")


class Hold(Struct, frozen=True):
    """One transaction that held the lock."""

    name: str
    seconds: float
    cpu_s: float
    committing_s: float
    waited_s: float


class Watch:
    """What the connections of this process held since it was made."""

    def __init__(self) -> None:
        self.holds: list[Hold] = []

    def write(self, path: Path) -> None:
        path.write_text(json.dumps([[getattr(each, name) for name in Hold.__struct_fields__] for each in self.holds]))


def read(path: Path) -> list[Hold]:
    return [Hold(*each) for each in json.loads(path.read_text())]


@contextmanager
def watched() -> Iterator[Watch]:
    """Every connection that is opened meanwhile is watched."""
    plain, watch = apsw.Connection, Watch()

    class Watched(plain):  # type: ignore[valid-type, misc]
        _began: tuple[str, float, float, float] | None = None
        _freed: float | None = None

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self.set_wal_hook(None)

        def set_wal_hook(self, hook: Callable[..., Any] | None) -> None:
            self._hook = hook
            super().set_wal_hook(self._free)

        def _free(self, connection: apsw.Connection, name: str, pages: int) -> int:
            """A commit has given the lock back, and may go on to write the WAL back into the database."""
            self._freed = time.perf_counter()
            if self._hook is not None:
                return int(self._hook(connection, name, pages))
            if pages >= CHECKPOINT_PAGES:
                with contextlib.suppress(apsw.BusyError):  # another process does it, and SQLite leaves it to that one
                    connection.wal_checkpoint(name)
            return apsw.SQLITE_OK

        def execute(self, statements: str, *arguments: Any, **options: Any) -> Any:
            if statements == "BEGIN IMMEDIATE":
                asked = time.perf_counter()
                cursor = super().execute(statements, *arguments, **options)
                now = time.perf_counter()
                self._began = (_name(sys._getframe(1)), now - asked, now, time.thread_time())
                return cursor
            if statements in _ENDS and self._began is not None:
                committing = time.perf_counter()
                try:
                    return super().execute(statements, *arguments, **options)
                finally:
                    (name, waited_s, began, cpu), self._began = self._began, None
                    now, self._freed = self._freed or time.perf_counter(), None
                    watch.holds.append(Hold(name, now - began, time.thread_time() - cpu, now - committing, waited_s))
            return super().execute(statements, *arguments, **options)

    apsw.Connection = Watched  # type: ignore[misc]
    try:
        yield watch
    finally:
        apsw.Connection = plain  # type: ignore[misc]


def _name(frame: FrameType | None) -> str:
    """The function whose transaction it is."""
    while frame is not None:
        work = frame.f_locals.get("work")
        if callable(work) and (name := _inner(work)):
            return name
        if Path(frame.f_code.co_filename).name not in _NAMELESS:
            return frame.f_code.co_qualname
        frame = frame.f_back
    return "?"


def _inner(work: Callable[..., Any]) -> str:
    """A function that others wrap, by what it was made of."""
    if isinstance(work, functools.partial):
        return _inner(work.func)
    code = getattr(work, "__code__", None)
    if code is not None and Path(code.co_filename).name in _NAMELESS:
        cells = dict(zip(code.co_freevars, work.__closure__ or (), strict=True))  # type: ignore[attr-defined]
        return _inner(cells["work"].cell_contents) if "work" in cells else ""
    return str(getattr(work, "__qualname__", type(work).__name__)).replace(".<locals>", "")


def words(holds: Sequence[Hold]) -> str:
    """How long the lock was held at most, and by what; the longest of each name, three of them."""
    if not holds:
        return "held nothing"
    longest = {each.name: each for each in sorted(holds, key=lambda each: each.seconds)}
    named = sorted(longest.values(), key=lambda each: -each.seconds)[:NAMED]
    told = ", ".join(
        f"{each.name} {each.seconds * 1000:.0f} ms (CPU {each.cpu_s * 1000:.1f}, commit {each.committing_s * 1000:.0f})"
        for each in named
    )
    busiest = max(holds, key=lambda each: each.cpu_s)
    return f"held {len(holds)} times; longest {told}; most CPU {busiest.cpu_s * 1000:.1f} ms ({busiest.name})"


def main() -> None:
    leave = os._exit

    with watched() as watch:

        def leave_watched(status: int) -> NoReturn:
            watch.write(Path(os.environ[INTO]))
            leave(status)

        os._exit = leave_watched
        sys.argv = ["orca", *sys.argv[1:]]
        try:
            runpy.run_module("orca_tui", run_name="__main__")
        finally:
            watch.write(Path(os.environ[INTO]))


if __name__ == "__main__":
    main()
