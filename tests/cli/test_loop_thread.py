"""The loop in its thread, seen from the synchronous side."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import AsyncIterator

import pytest
from fakes.patience import PATIENCE_S
from fakes.terminal import AGAIN_S

from orca_tui.cli.loop_thread import LoopThread
from orca_tui.signals import first_signal_stops


def test_a_signal_while_waiting_lets_the_work_clean_up_before_it_ends() -> None:
    began, cleaned = threading.Event(), threading.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.sleep(3600)
        finally:
            cleaned.set()

    def interrupt_when_begun() -> None:
        began.wait(PATIENCE_S)
        while not cleaned.is_set():  # one that comes just as the main thread begins to wait is noticed with the next
            os.kill(os.getpid(), signal.SIGINT)
            cleaned.wait(AGAIN_S)

    interrupter = threading.Thread(target=interrupt_when_begun)
    with LoopThread() as loop:
        interrupter.start()
        with pytest.raises(KeyboardInterrupt):
            loop.run(work())
        assert cleaned.is_set()
    interrupter.join()


def test_an_error_ends_a_stream_that_would_not_stop() -> None:
    cleaned = threading.Event()

    async def deaf(stop: asyncio.Event) -> AsyncIterator[int]:
        try:
            yield 1
            await asyncio.sleep(3600)
        finally:
            cleaned.set()

    def fail_after_the_first(loop: LoopThread) -> None:
        with loop.stream(deaf) as (numbers, _stop):
            raise LookupError(next(numbers))

    with LoopThread() as loop:
        with pytest.raises(LookupError):
            fail_after_the_first(loop)
        assert cleaned.is_set()


def test_a_second_signal_raises() -> None:
    with first_signal_stops(lambda: None) as signals:
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)

    assert signals == [signal.SIGINT, signal.SIGINT]
