"""Ending on the spot, with the status of a signal. The first module that is loaded: what it imports is built in, for
Ctrl+C may come meanwhile."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself reads `enum` and others first
import _thread
import os
import time

TYPE_CHECKING = False  # `typing` is not worth its import here
if TYPE_CHECKING:
    from collections.abc import Callable

ENDING_SIGNALS = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP)
EXIT_BY_SIGNAL = 128
FIRST_S = 1.0
"""How long what must be done before the end may take, in seconds."""


def leave_at_once_on_signals() -> None:
    """Until something is open that must be closed, Ctrl+C, SIGTERM and SIGHUP end the process on the spot.

    Nothing is raised: an exception in the middle of an import, or of the interpreter's own end, is a traceback."""
    for number in ENDING_SIGNALS:
        _signal.signal(number, _leave)


# The interpreter empties modules at its end, and a signal may come then, too: hence names of its own.
def _leave(number: int, _frame: object, _exit=os._exit, _base: int = EXIT_BY_SIGNAL) -> None:  # type: ignore[no-untyped-def]  # no import at every start
    _exit(_base + number)


def leave_at_last(number: int, seconds: float, first: Callable[[], None]) -> None:
    """Leave for a signal when so many seconds have gone by, whatever stands still by then, but do `first` before; it
    may fail, and is not waited for without an end. Called by whoever the signal interrupts, who may hold the locks
    that a thread of `threading` takes to begin."""
    _thread.start_new_thread(_leave_after, (number, seconds, first))


def _leave_after(number: int, seconds: float, first: Callable[[], None]) -> None:
    time.sleep(seconds)
    done = _thread.allocate_lock()
    done.acquire()
    _thread.start_new_thread(_do, (first, done))
    done.acquire(timeout=FIRST_S)
    os._exit(EXIT_BY_SIGNAL + number)


def _do(first: Callable[[], None], done: _thread.LockType) -> None:
    try:
        first()
    finally:
        done.release()
