"""Which processes share a database: who writes a round, and which one learns for a profile."""

from __future__ import annotations

import asyncio
import fcntl
import os
import struct
import sys
from hashlib import blake2b
from pathlib import Path

from orca_core.model.errors import StorageError


def this_process() -> str:
    return f"{os.getpid()}:{_started(os.getpid())}"


def is_alive(owner: str) -> bool:
    """Whether the process that wrote this still runs."""
    number, _, started = owner.partition(":")
    return number.isdigit() and is_running(int(number)) and _started(int(number)) in ("", started)


def is_running(number: int) -> bool:
    """Whether there is a process of this number, whoever's it is."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _started(number: int) -> str:
    """The start time of a process in clock ticks since boot; empty where there is no /proc."""
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The name stands in brackets and may hold blanks; the start time is the 20th field behind it.
    return text.rpartition(")")[2].split()[19]


OFFSET_BITS = 62
"""File offsets are signed 64-bit numbers; with this many bits two profiles do not meet on one byte by chance."""


class Leaders:
    """The locks of one open database: one file, a byte for each profile, whatever it is named.

    They belong to the open file and not to the process (`F_OFD_SETLK`), so that two handles of one process keep each
    other out as two processes do.
    """

    def __init__(self, database: Path | None) -> None:
        """A database that nobody else can open has no file: its Orca leads."""
        self._path = None if database is None else database.with_name(f"{database.name}.learning")
        self._file: int | None = None
        self._held: set[str] = set()

    def take(self, scope: str) -> bool:
        """Lock the byte of the profile; False where another Orca, or another handle of this database, holds it."""
        if scope in self._held:
            return False
        try:
            self._lock(scope, fcntl.F_WRLCK)
        except BlockingIOError:
            return False
        except OSError as error:  # the disk has no locks: no other Orca can lead
            raise StorageError(path=str(self._path), detail=error.strerror or str(error)) from error
        self._held.add(scope)
        return True

    def give_back(self, scope: str) -> None:
        self._held.remove(scope)
        if self._file is not None:
            self._lock(scope, fcntl.F_UNLCK)

    def close(self) -> None:
        """Free all locks."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _lock(self, scope: str, how: int) -> None:
        if self._path is None:
            return
        if self._file is None:
            self._file = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _one_byte(scope, how))


def _one_byte(scope: str, how: int) -> bytes:
    """The system's `struct flock` for the byte of a profile."""
    digest = blake2b(scope.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    offset = int.from_bytes(digest) >> (64 - OFFSET_BITS)
    if sys.platform == "darwin":
        return struct.pack("qqihh", offset, 1, 0, how, os.SEEK_SET)
    return struct.pack("hhqqi", how, os.SEEK_SET, offset, 1, 0)


class ScopeLeadership:
    """The leadership of one profile."""

    def __init__(self, leaders: Leaders, scope: str) -> None:
        self._leaders = leaders
        self._scope = scope
        self._one_task = asyncio.Lock()
        self._is_held = False

    async def acquire(self) -> bool:
        await self._one_task.acquire()
        # No await from here on: a cancelled caller holds either nothing or the whole lock.
        try:
            self._is_held = self._leaders.take(self._scope)
        finally:
            if not self._is_held:
                self._one_task.release()
        return self._is_held

    async def resign(self) -> None:
        if self._is_held:
            self._leaders.give_back(self._scope)
            self._is_held = False
            self._one_task.release()
