"""Notices a terminal that goes without a signal."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def hang_up_calls(gone: Callable[[], None]) -> Iterator[None]:
    """Call `gone`, on another thread, once the terminal hangs up, or where it did so since it was found to be one: such
    a file is no terminal any more. The kernel signals that to the terminal's own session alone; to any other process
    it only ends the input, which Textual would read for ever."""
    assert sys.__stdin__ is not None
    terminal = sys.__stdin__.fileno()
    over, end = os.pipe()
    waiting = threading.Thread(target=_wait, args=(terminal, over, gone), name="orca-terminal", daemon=True)
    waiting.start()
    try:
        yield
    finally:
        os.close(end)
        waiting.join()
        os.close(over)


def _wait(terminal: int, over: int, gone: Callable[[], None]) -> None:
    poll = select.poll()
    poll.register(terminal, 0)  # what it is always told: hang-ups and errors
    poll.register(over, 0)
    came = dict(poll.poll())
    if came.get(terminal, 0) & select.POLLHUP and over not in came:
        gone()
