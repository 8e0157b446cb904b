"""Who learns from a database: the holder of a lock on a file beside it. The kernel frees it when the process ends."""

from __future__ import annotations

import asyncio
import fcntl
import os
from pathlib import Path

from orca_core.domain.errors import StorageError


class FileLeadership:
    """One lock for all profiles of a database."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}.learning")
        self._held: int | None = None

    async def acquire(self) -> bool:
        return await asyncio.to_thread(self._acquire)

    async def resign(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def _acquire(self) -> bool:
        if self._held is not None:
            return True
        try:
            file = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StorageError(path=self._path, detail=error.strerror or str(error)) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return False
        self._held = file
        return True
