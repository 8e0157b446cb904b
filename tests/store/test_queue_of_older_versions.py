"""Replaced rounds that an older Orca queued all the same: nobody reads them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path

import apsw
import pytest
from fakes.records import AT, begin, chat, later

from orca_core.model.learning import Batch, Due, Learnt, RunEnd, RunState
from orca_core.model.records import timestamp
from orca_core.rules.learning import fact_extraction, resolve
from orca_core.store.protocols import Stores

QueueReplaced = Callable[..., Awaitable[None]]


async def claimed(stores: Stores, *, now: datetime = AT, batch_size: int = 1, **due: object) -> Batch | None:
    wanted = Due(now=now, batch_size=batch_size, idle_since=AT - timedelta(days=1), **due)  # type: ignore[arg-type]
    return await stores.learning.claim(wanted, fact_extraction.how_many_fit)


async def read_to_its_end(stores: Stores, batch: Batch) -> Learnt | None:
    return await stores.learning.finish_run(batch, [], [], resolve.settle, RunEnd(later()))


@pytest.fixture
def queue_replaced(tmp_path: Path) -> QueueReplaced:
    """Regenerate round 1 and queue what it replaced, as an older Orca did whose answer ended after it was replaced."""

    async def queued(stores: Stores, *, state: str = "new", run: int | None = None) -> None:
        await begin(stores, replaces=1)
        connection = apsw.Connection(str(tmp_path / "orca.db"))
        connection.execute(
            "INSERT INTO dialogue_buffer (scope, session_id, round_id, state, run, at) VALUES ('me', 's', 1, ?, ?, ?)",
            (state, run, timestamp(AT)),
        )
        connection.close()

    return queued


async def test_a_replaced_round_makes_no_run_at_all(opened, queue_replaced) -> None:
    async with opened() as stores:
        await chat(stores)
        await queue_replaced(stores)
        assert await claimed(stores, everything=True) is None
        assert await stores.runs.runs(9) == []
        assert (await stores.learning.queue()).rounds == 0


async def test_a_replaced_round_among_others_is_left_out(opened, queue_replaced) -> None:
    async with opened() as stores:
        await chat(stores)
        await queue_replaced(stores)
        await chat(stores)
        batch = await claimed(stores, everything=True)
        assert batch is not None
        assert [each.number for each in batch.rounds] == [2]
        assert await read_to_its_end(stores, batch) is not None
        assert await claimed(stores, everything=True) is None


async def test_a_claimed_round_that_was_replaced_ends_its_run_for_good(opened, queue_replaced) -> None:
    async with opened() as stores:
        await chat(stores)
        assert await claimed(stores, everything=True) is not None
        await queue_replaced(stores, state="claimed", run=1)  # the one that had claimed it was killed
        assert await claimed(stores, everything=True) is None
        [only] = await stores.runs.runs(9)
        assert (only.state, only.error) == (RunState.NONE, "its rounds are gone")
        assert (await stores.learning.queue()).running == 0
