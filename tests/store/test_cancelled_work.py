"""Work in the database whose caller went away: it ends all the same, and its failure goes to the log alone."""

from __future__ import annotations

import asyncio
import gc
import logging
from pathlib import Path

import apsw
import pytest

from orca_core.model.errors import StoreBusy
from orca_core.store.sqlite.engine import connection
from orca_core.store.sqlite.engine.database import Database


def test_a_write_that_fails_after_its_caller_gave_up_is_logged_and_nothing_else(
    run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    complaints: list[str] = []

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: complaints.append(context["message"]))
        database = await Database.open(tmp_path / "orca.db", must_exist=False)
        started, go_on = asyncio.Event(), asyncio.Event()

        def work(connection: apsw.Connection) -> None:
            loop.call_soon_threadsafe(started.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()
            connection.execute("this is no SQL")

        writing = asyncio.create_task(database.write(work))
        await started.wait()
        writing.cancel()
        await asyncio.wait({writing})
        assert writing.cancelled()
        go_on.set()
        await database.aclose()
        await asyncio.sleep(0)
        del writing
        gc.collect()

    with caplog.at_level(logging.WARNING, "orca_core"):
        run(scenario())
    gc.collect()

    assert complaints == []
    assert ["syntax error" in record.getMessage() for record in caplog.records] == [True]


async def test_what_is_still_queued_when_orca_ends_waits_for_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each would wait out the time for a lock, one after the other: quitting beside a locked database took 29 s."""
    waits: list[float] = []
    monkeypatch.setattr(connection, "sleep", waits.append)
    loop = asyncio.get_running_loop()
    database = await Database.open(tmp_path / "orca.db", must_exist=False)
    started, go_on = asyncio.Event(), asyncio.Event()

    def hold_up(_connection: apsw.Connection) -> None:
        loop.call_soon_threadsafe(started.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()

    holder = connection.connect(tmp_path / "orca.db")
    holder.execute("BEGIN IMMEDIATE")
    first = asyncio.create_task(database.raw(hold_up))
    await started.wait()
    writing = [asyncio.create_task(database.write(lambda _: None)) for _ in range(2)]
    await asyncio.sleep(0)
    closing = asyncio.create_task(database.aclose())
    await asyncio.sleep(0)
    go_on.set()
    refused = await asyncio.gather(*writing, return_exceptions=True)
    await asyncio.gather(closing, first)
    holder.close()

    assert [type(each) for each in refused] == [StoreBusy, StoreBusy]
    assert waits == []
