"""The log of a process: failures without a caller go to a file in the home, never to the terminal.

It holds places and kinds of errors, no user's text: the message of a foreign error may quote it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from orca_core.model.errors import OrcaError

LOG_NAME = "orca.log"
MAX_BYTES = 1_000_000
LOG = logging.getLogger("orca_tui")
LOG.addHandler(logging.NullHandler())  # without a file nothing is logged: logging's last resort is the terminal

Caught = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


@contextmanager
def log_kept(home: Path) -> Iterator[None]:
    """Log the warnings of libraries while this lasts."""
    to_file = _ToFile(home / LOG_NAME)
    root = logging.getLogger()
    root.addHandler(to_file)
    try:
        yield
    finally:
        root.removeHandler(to_file)


def log_what_a_loop_reports(loop: asyncio.AbstractEventLoop) -> None:
    """Log exceptions that asyncio could deliver to nobody, above all those never retrieved."""
    loop.set_exception_handler(_report)


def _report(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    LOG.error("%s", context.get("message", "the event loop reports"), exc_info=context.get("exception"))


class _Lines(logging.Formatter):
    default_msec_format = "%s.%03d"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(process)d: %(message)s")

    def formatException(self, ei: Caught) -> str:  # noqa: N802  # the name is logging's
        """The place and the kind of an exception; its message only where it is Orca's own."""
        lines = []
        error = ei[1]
        while error is not None:
            words = f": {error}" if isinstance(error, OrcaError) else ""
            lines += [*traceback.format_tb(error.__traceback__), f"{type(error).__name__}{words}\n"]
            error = error.__cause__
        return "".join(lines).rstrip()


class _ToFile(logging.Handler):
    """Appends to a private file, which is begun anew when it is large. Logs nothing where the file can't be written."""

    def __init__(self, path: Path) -> None:
        super().__init__(logging.WARNING)
        self._path = path
        self.setFormatter(_Lines())

    def emit(self, record: logging.LogRecord) -> None:
        own = logging.makeLogRecord({**record.__dict__, "exc_text": None})  # another handler's rendering may hold more
        line = self.format(own).encode("utf-8", "replace") + b"\n"
        try:
            self._append(line)
        except OSError:
            return  # a failing log must not become a failure itself

    def _append(self, line: bytes) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        how = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        file = os.open(self._path, how, 0o600)
        try:
            if os.fstat(file).st_size > MAX_BYTES:
                os.ftruncate(file, 0)
            os.write(file, line)
        finally:
            os.close(file)
