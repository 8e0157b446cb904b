"""Cleaning: by hand and once a day, as one operation that undo takes back, in slices."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw
from fakes.clocks import StillClock
from fakes.facts import written
from fakes.turns import turn

from orca_core.jobs import cleaning, job
from orca_core.model.memories import ArchivedBecause, Cleaned, Memory, Merged, State
from orca_core.model.operations import Actor
from orca_core.orca import Orca

DAY_S = 86_400.0


async def filled(engine: Orca) -> None:
    """Two that say the same, a light one, and one that is pinned and light."""
    await engine.worker.tidy()  # what is due at the start is done before there is anything
    for text in ("User likes tea", "user likes tea.", "User likes cake", "User likes wine"):
        await written(engine, text)
    await engine.memories.edit(3, weight=0.1)
    await engine.memories.edit(4, weight=0.1)
    await engine.memories.pin([4])


async def memories(engine: Orca, ids: Sequence[int] = (1, 2, 3, 4)) -> list[Memory]:
    return await engine.memories.get(ids)


async def test_it_does_what_its_preview_says_and_undo_takes_it_back(open_engine) -> None:
    async with open_engine() as engine:
        await filled(engine)
        before = await memories(engine)

        preview = await engine.cleanup.preview()
        assert await memories(engine) == before
        cleaned = await engine.cleanup.run()

        assert preview == Cleaned(archived=(3,), merged=(Merged(1, (2,)),))
        assert (cleaned.archived, cleaned.merged) == (preview.archived, preview.merged)
        kept, gone, light, pinned = await memories(engine)
        assert (gone.superseded_by, kept.seen) == (1, 2)
        assert (light.state, light.archived_because) == (State.ARCHIVED, ArchivedBecause.WEIGHT)
        assert pinned == before[3]
        [(operation, _changes), *_] = await engine.history.activity(1)
        assert (operation.id, operation.header.actor, operation.header.action) == (
            cleaned.operation,
            Actor.CLEAN,
            "clean",
        )
        assert (await engine.cleanup.run()).is_empty

        await engine.history.undo(cleaned.operation)
        assert [(each.state, each.weight, each.seen, each.superseded_by) for each in await memories(engine)] == [
            (each.state, each.weight, each.seen, each.superseded_by) for each in before
        ]


async def test_what_a_person_took_back_is_left_alone(open_engine, clock: StillClock) -> None:
    async with open_engine() as engine:
        await filled(engine)
        await engine.history.undo((await engine.cleanup.run()).operation)

        assert (await engine.cleanup.preview()).is_empty
        clock.advance(2 * DAY_S)
        await engine.worker.tidy()

        assert {each.state for each in await memories(engine)} == {State.LIVE}


async def test_it_is_done_once_a_day_whichever_process_does_it(open_engine, clock: StillClock) -> None:
    async with open_engine() as engine:
        await filled(engine)
        clock.advance(DAY_S - 1)
        await engine.worker.tidy()
        assert (await memories(engine, [3]))[0].state is State.LIVE
    async with open_engine() as engine:
        await engine.worker.tidy()
        assert (await memories(engine, [3]))[0].state is State.LIVE
        clock.advance(1)
        await engine.worker.tidy()
        assert (await memories(engine, [3]))[0].state is State.ARCHIVED


async def test_many_are_one_operation_in_slices(open_engine, monkeypatch) -> None:
    monkeypatch.setattr(job, "PAUSE_S", 0.0)
    monkeypatch.setattr(cleaning, "CHANGED_AT_ONCE", 4)
    monkeypatch.setattr(cleaning, "READ_AT_ONCE", 3)
    async with open_engine() as engine:
        await engine.worker.tidy()
        for place in range(11):
            await written(engine, "chamomiletea"[:place] + "chamomiletea"[place:].upper())
        for number in range(11):
            await engine.memories.add(f"User knows number {number}")
            await engine.memories.edit(12 + number, weight=0.1)

        cleaned = await engine.cleanup.run()

        assert cleaned.archived == tuple(range(12, 23))
        assert cleaned.merged == (Merged(1, tuple(range(2, 12))),)
        assert (await memories(engine, [1]))[0].seen == 11
        undone = await engine.history.undo(cleaned.operation)
        assert len(undone.memories) == 22
        assert {each.state for each in await memories(engine, range(1, 23))} == {State.LIVE}
        assert (await memories(engine, [1]))[0].seen == 1


async def test_what_expired_and_what_is_left_of_what_is_gone_are_counted(
    open_engine, database: Path, clock: StillClock
) -> None:
    async with open_engine() as engine:
        await turn(engine, "a question about docker", session_id="s")
        await engine.worker.tidy()
        clock.advance(31 * DAY_S)
        connection = apsw.Connection(str(database))
        connection.execute("INSERT INTO vectors (kind, id, model, vector) VALUES ('memory', 99, 'm', x'00003c00')")
        connection.close()

        preview, cleaned, again = (
            await engine.cleanup.preview(),
            await engine.cleanup.run(),
            await engine.cleanup.preview(),
        )

        assert (preview.summaries, preview.vectors) == (cleaned.summaries, cleaned.vectors) == (1, 1)
        assert cleaned.operation is None
        assert again.is_empty


async def test_merging_alone_leaves_what_is_light(open_engine) -> None:
    async with open_engine() as engine:
        await filled(engine)

        cleaned = await engine.cleanup.merge()

        assert (cleaned.merged, cleaned.archived) == ((Merged(1, (2,)),), ())
        assert (await memories(engine, [3]))[0].state is State.LIVE
