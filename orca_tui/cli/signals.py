"""Signals: each ends the process with its own status, after what was said is saved."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
EXIT_BY_SIGNAL = 128


class Signalled(BaseException):
    """The process was asked to end, by the signal of this number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_status(self) -> int:
        return EXIT_BY_SIGNAL + self.number


def raise_on_ending_signals() -> None:
    """Let SIGTERM and SIGHUP unwind the main thread like Ctrl+C does, so that everything closes."""
    for number in ENDING_SIGNALS:
        signal.signal(number, _raise)


@contextmanager
def first_signal_stops(stop: Callable[[], None]) -> Iterator[list[int]]:
    """The first SIGINT, SIGTERM or SIGHUP calls `stop` instead of raising; a second one raises. Yields the list of
    the signals that came."""
    came: list[int] = []

    def handle(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        if len(came) == 1:
            stop()
        else:
            raise_for(number)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, *ENDING_SIGNALS)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def raise_for(number: int) -> None:
    """End as this signal would have: KeyboardInterrupt for Ctrl+C, `Signalled` for the others."""
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Signalled(number)


def _raise(number: int, _frame: FrameType | None) -> None:
    raise Signalled(number)
