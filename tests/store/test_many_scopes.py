"""Forty scopes of one file: its threads and connections are the file's, not theirs."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from fakes.asking import asked
from fakes.records import chat, remember

from orca_core.model.recall import TokenStatistics
from orca_core.store.sqlite.store import open_database

MAX_THREADS, MAX_DESCRIPTORS = 8, 30


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_forty_scopes_need_no_more_than_one(tmp_path: Path) -> None:
    before = threading.active_count() - 1, descriptors()
    database = await open_database(tmp_path / "orca.db", must_exist=False)
    scopes = [database.scope(f"profile {number}") for number in range(40)]
    await database.aclose()
    for number, each in enumerate(scopes):
        await remember(each, *["a giraffe"] * (number == 0), "a zebra")
        await chat(each)
        await asyncio.gather(*(asked(each).by_tokens(["zebra"], 5) for _ in range(3)))
        assert await each.leadership.acquire()
    assert threading.active_count() - before[0] <= MAX_THREADS
    assert descriptors() - before[1] <= MAX_DESCRIPTORS
    assert await asked(scopes[0]).statistics(["giraff", "zebra"]) == TokenStatistics(2, {"giraff": 1, "zebra": 1})
    assert await asked(scopes[1]).statistics(["giraff", "zebra"]) == TokenStatistics(1, {"giraff": 0, "zebra": 1})
    for each in scopes:
        await each.housekeeping.aclose()
    assert not any(thread.name.startswith("orca-") for thread in threading.enumerate())
