"""A transaction, whoever's connection it is."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import apsw


@contextmanager
def reading(connection: apsw.Connection) -> Iterator[None]:
    """One snapshot."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


@contextmanager
def writing(connection: apsw.Connection) -> Iterator[None]:
    """One transaction that writes: all of it or nothing. Garbage is collected before or after it: where rules hold many
    words that takes a tenth of a second, for which every process would wait."""
    connection.execute("BEGIN IMMEDIATE")
    _COLLECTOR.rest()
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        _COLLECTOR.go_on()


class _Collector:
    """Python's own, which is one for the process: it rests as long as any thread has a transaction that writes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._resting = 0
        self._was_enabled = False

    def rest(self) -> None:
        with self._lock:
            if not self._resting:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._resting += 1

    def go_on(self) -> None:
        with self._lock:
            self._resting -= 1
            if not self._resting and self._was_enabled:
                gc.enable()


_COLLECTOR = _Collector()
