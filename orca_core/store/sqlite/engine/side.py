"""A connection beside those of the database, with a thread of its own: for what takes long, and holds up no turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import apsw

from orca_core.model.errors import StorageError
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.engine.failures import translate, translate_os
from orca_core.unattended import log_failure

T = TypeVar("T")


def _log_unless_cut(done: asyncio.Future[T]) -> None:
    """That it was cut is what its caller wanted."""
    if not done.cancelled() and (error := done.exception()) and isinstance(error.__cause__, apsw.InterruptError):
        return
    log_failure(done)


class SideConnection:
    """Opened at its first use. Whoever made it closes it."""

    def __init__(self, where: Path | str) -> None:
        self._where = where
        self.path = Path(where)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="orca-side")
        self._connection: apsw.Connection | None = None

    async def run(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run `work` on it, outside any transaction. Where the caller is cancelled, it is cut, and what it began is
        rolled back. Raises StorageError."""

        def translated() -> T:
            try:
                if self._connection is None:
                    self._connection = connect(self._where)
                return work(self._connection)
            except apsw.InterruptError as error:
                raise StorageError(path=self.path, detail="cut short") from error
            except apsw.Error as error:
                raise translate(error, self.path) from error
            except OSError as error:
                raise translate_os(error, self.path) from error

        running = asyncio.get_running_loop().run_in_executor(self._thread, translated)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            running.add_done_callback(_log_unless_cut)
            if self._connection is not None:
                self._connection.interrupt()
            raise

    async def aclose(self) -> None:
        """Close it, also for a caller that is cancelled; what it has begun and not committed is rolled back."""
        closing = asyncio.ensure_future(asyncio.to_thread(self._close))
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:
            await closing
            raise

    def _close(self) -> None:
        self._thread.shutdown()
        if self._connection is not None:
            self._connection.close()
            self._connection = None
