"""Signals: each ends the process with its own status, after what was said is saved."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from orca_tui.exit_on_signal import ENDING_SIGNALS, EXIT_BY_SIGNAL


class Signalled(BaseException):
    """The process was asked to end, by the signal of this number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_status(self) -> int:
        return EXIT_BY_SIGNAL + self.number


@contextmanager
def signals_go_to(handle: Callable[[int], None]) -> Iterator[None]:
    """Meanwhile SIGINT, SIGTERM and SIGHUP call `handle`, in the main thread, between any two of its steps."""

    def handler(number: int, _frame: FrameType | None) -> None:
        handle(number)

    before = {number: signal.signal(number, handler) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler_before in before.items():
            signal.signal(number, handler_before)


@contextmanager
def signals_raise() -> Iterator[None]:
    """While something is open that must be closed, a signal unwinds the main thread, so that everything closes."""
    with signals_go_to(raise_for):
        yield


@contextmanager
def first_signal_stops(stop: Callable[[], None]) -> Iterator[list[int]]:
    """The first SIGINT, SIGTERM or SIGHUP calls `stop` instead of raising; a second one raises. Yields the list of
    the signals that came."""
    came: list[int] = []

    def handle(number: int) -> None:
        came.append(number)
        if len(came) == 1:
            stop()
        else:
            raise_for(number)

    with signals_go_to(handle):
        yield came


def raise_for(number: int) -> None:
    """End as this signal would have: KeyboardInterrupt for Ctrl+C, `Signalled` for the others."""
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Signalled(number)
