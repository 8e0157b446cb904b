"""Garbage is not collected while the lock of the database is held."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
from fakes.deleting import database_of, opened

from orca_core.store.sqlite.engine.connection import writing


@contextmanager
def collected() -> Iterator[list[str]]:
    """What the collector does meanwhile, which has much to do."""
    found: list[str] = []

    def note(phase: str, _what: dict[str, int]) -> None:
        found.append(phase)

    threshold, was_enabled = gc.get_threshold(), gc.isenabled()
    gc.callbacks.append(note)
    gc.enable()
    gc.set_threshold(10)
    try:
        yield found
    finally:
        gc.set_threshold(*threshold)
        if not was_enabled:
            gc.disable()
        gc.callbacks.remove(note)


def litter(_connection: apsw.Connection) -> None:
    for _ in range(1000):
        knot: list[object] = []
        knot.append(knot)


async def test_a_write_collects_nothing(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    database = database_of(stores)
    with collected() as found:
        held: list[int] = []

        def write(connection: apsw.Connection) -> None:
            before = len(found)
            litter(connection)
            held.append(len(found) - before)

        await database.write(write)
        await database.read(litter)
    assert held == [0]
    assert found


def test_the_collector_rests_until_the_last_of_several_has_written(tmp_path: Path) -> None:
    """Each on a connection of its own, as two files of one process are written at once."""
    first, second = (apsw.Connection(str(tmp_path / name)) for name in ("one.db", "two.db"))
    before = gc.isenabled()
    gc.enable()
    try:
        one, other = writing(first), writing(second)
        one.__enter__()
        other.__enter__()
        one.__exit__(None, None, None)
        assert not gc.isenabled()
        third = writing(first)
        third.__enter__()
        other.__exit__(None, None, None)
        assert not gc.isenabled()
        third.__exit__(None, None, None)
        assert gc.isenabled()
    finally:
        (gc.enable if before else gc.disable)()
        first.close()
        second.close()
