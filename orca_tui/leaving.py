"""Ending on the spot, with the status of a signal. The first module that is loaded: it imports next to nothing."""

from __future__ import annotations

import _thread
import os
import signal
import time

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
EXIT_BY_SIGNAL = 128


def leave_at_once_on_signals() -> None:
    """Until something is open that must be closed, Ctrl+C, SIGTERM and SIGHUP end the process on the spot.

    Nothing is raised: an exception in the middle of an import, or of the interpreter's own end, is a traceback."""
    for number in ENDING_SIGNALS:
        signal.signal(number, _leave)


# The interpreter empties modules at its end, and a signal may come then, too: hence names of its own.
def _leave(number: int, _frame: object, _exit=os._exit, _base: int = EXIT_BY_SIGNAL) -> None:  # type: ignore[no-untyped-def]  # no import at every start
    _exit(_base + number)


def leave_at_last(number: int, seconds: float) -> None:
    """Leave for a signal when so long has gone by, whatever stands still by then. Called by whoever the signal
    interrupts, who may hold the locks that a thread of `threading` takes to begin."""
    _thread.start_new_thread(_leave_after, (number, seconds))


def _leave_after(number: int, seconds: float) -> None:
    time.sleep(seconds)
    os._exit(EXIT_BY_SIGNAL + number)
