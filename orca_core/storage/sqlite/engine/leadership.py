"""Who learns for a profile: the holder of a lock on a file beside the database. The kernel frees it when the process
ends."""

from __future__ import annotations

import asyncio
import fcntl
import os
from hashlib import blake2b
from pathlib import Path

from orca_core.domain.errors import StorageError


class FileLeadership:
    """A lock for each profile: what waits in one is read by its own Orcas only."""

    def __init__(self, database: Path, scope: str) -> None:
        # A profile may be named as no file can be.
        mark = blake2b(scope.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        self._path = database.with_name(f"{database.name}.{mark}.learning")
        self._one_task = asyncio.Lock()
        self._held: int | None = None

    async def acquire(self) -> bool:
        await self._one_task.acquire()
        # From here on nothing is awaited: a caller that is cancelled holds nothing, or all of it.
        try:
            self._held = self._locked()
        finally:
            if self._held is None:
                self._one_task.release()
        return self._held is not None

    async def resign(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None
            self._one_task.release()

    def _locked(self) -> int | None:
        try:
            file = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StorageError(path=self._path, detail=error.strerror or str(error)) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return None
        except OSError as error:  # a disk without locks: that is no other Orca
            os.close(file)
            raise StorageError(path=self._path, detail=error.strerror or str(error)) from error
        return file
