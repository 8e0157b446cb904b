"""A transaction that writes, whoever's connection it is."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import apsw


@contextmanager
def writing(connection: apsw.Connection) -> Iterator[None]:
    """One transaction that writes: all of it or nothing. Garbage is collected before or after it: where rules hold many
    words that takes a tenth of a second, for which every process would wait."""
    connection.execute("BEGIN IMMEDIATE")
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        if was_enabled:
            gc.enable()
