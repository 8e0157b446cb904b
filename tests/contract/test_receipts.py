"""Receipts: why a round got what it got, of several rounds at once, and seen from one memory."""

from __future__ import annotations

from fakes.records import EVOLVE, begin, later, receipt, record, remember
from msgspec.structs import replace

from orca_core.model.memories import Use
from orca_core.model.recall import Appearance, Citation
from orca_core.model.records import Cause, memory_ref
from orca_core.operations.stores import Stores


async def answered(stores: Stores, session_id: str, memory_id: int, use: Use, number: int = 1, **start: object) -> None:
    """A round that put one memory before the model."""
    started = await begin(stores, session_id, **start)
    shown = receipt(session_id, number, content="postgres 16", ref=str(memory_id))
    fields = {"uses": {memory_id: use}, "receipt": shown, "citations": (Citation(memory_ref(memory_id), 2),)}
    await stores.sessions.finish_round(record(started, **fields), EVOLVE)


async def test_receipts_of_the_rounds_asked_for_and_of_no_other(opened) -> None:
    async with opened() as stores:
        [memory] = await remember(stores, "postgres 16")
        await answered(stores, "s", memory, Use.USED)
        await answered(stores, "s", memory, Use.USED, 2)
        await answered(stores, "other", memory, Use.USED)
        found = await stores.receipts.receipts("s", [2, 7])
        assert [(number, each.round, each.weights[0].after) for number, each in found.items()] == [(2, 2, 2.0)]


async def test_a_memory_knows_where_it_appeared(opened) -> None:
    async with opened() as stores:
        [memory] = await remember(stores, "postgres 16")
        await answered(stores, "s", memory, Use.USED)
        await answered(stores, "s", memory, Use.UNUSED, 2)
        newest, oldest = await stores.receipts.appearances(memory_ref(memory), 10)
        assert oldest == Appearance("s", "a title", 1, later(), "recall", "used", 1.0, 1.5)
        assert (newest.round, newest.use, newest.after) == (2, "unused", 1.2)
        assert [each.round for each in await stores.receipts.appearances(memory_ref(memory), 1)] == [2]
    async with opened(scope="work") as stores:
        assert await stores.receipts.appearances(memory_ref(memory), 10) == []
        assert await stores.receipts.receipts("s", [1]) == {}


async def test_a_replaced_attempt_does_not_count(opened) -> None:
    async with opened() as stores:
        [memory] = await remember(stores, "postgres 16")
        await answered(stores, "s", memory, Use.UNUSED)
        await answered(stores, "s", memory, Use.USED, replaces=1)
        assert [each.use for each in await stores.receipts.appearances(memory_ref(memory), 10)] == ["used"]
        assert len(await stores.receipts.receipts("s", [1])) == 1


async def test_an_answer_keeps_its_citations(opened) -> None:
    async with opened() as stores:
        [memory] = await remember(stores, "postgres 16")
        await answered(stores, "s", memory, Use.USED)
        assert [each.citations for each in await stores.sessions.rounds("s")] == [(Citation(memory_ref(memory), 2),)]


async def test_why_recall_could_not_look_is_kept_with_its_fields(opened) -> None:
    async with opened() as stores:
        failed = Cause("store_busy", "{path}: another process holds the database", "try again", {"path": "orca.db"})
        started = await begin(stores)
        done = record(started)
        receipt = replace(done.receipt, injection=replace(done.receipt.injection, failed=failed))
        await stores.sessions.finish_round(replace(done, receipt=receipt), EVOLVE)

        assert (await stores.receipts.receipt(None, None)).injection.failed == failed
