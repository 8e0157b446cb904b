"""A round that has ended, was replaced or is gone is never written again."""

from __future__ import annotations

import pytest
from fakes.records import EVOLVE, begin, chat, header, later, receipt, record, remember

from orca_core.model.errors import NotFound, RoundEnded
from orca_core.model.memories import Use
from orca_core.model.sessions import RoundState


def test_a_round_that_is_done_stays_done(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            started = await chat(stores)
            with pytest.raises(RoundEnded):
                await stores.sessions.end_round(started.id, "interrupted", "half", "", receipt())
            with pytest.raises(RoundEnded):
                await stores.sessions.save_partial(started.id, "half", "")
            [only] = await stores.sessions.rounds("s")

            assert (only.state, only.assistant) == (RoundState.DONE, "an answer")


async def test_a_round_is_not_finished_twice(opened) -> None:
    async with opened() as stores:
        [memory] = await remember(stores, "one memory")
        started = await chat(stores, uses={memory: Use.USED})
        with pytest.raises(RoundEnded):
            await stores.sessions.finish_round(record(started, "again", uses={memory: Use.USED}), EVOLVE)
        [only] = await stores.sessions.rounds("s")
        [known] = await stores.memories.get([memory])

        assert (only.assistant, known.weight, known.used) == ("an answer", 1.5, 1)


async def test_a_round_that_another_attempt_replaced_leaves_nothing(opened) -> None:
    async with opened() as here, opened() as there:
        [memory] = await remember(here, "one memory")
        replaced = await begin(here)
        await here.sessions.save_partial(replaced.id, "half", "")
        again = await begin(there, replaces=1)
        for write in (
            here.sessions.save_partial(replaced.id, "more", ""),
            here.sessions.end_round(replaced.id, "interrupted", "more", "", receipt()),
            here.sessions.finish_round(record(replaced, "whole", uses={memory: Use.USED}), EVOLVE),
        ):
            with pytest.raises(RoundEnded):
                await write
        await there.sessions.finish_round(record(again, "the other", uses={memory: Use.USED}), EVOLVE)
        [known] = await here.memories.get([memory])
        [only] = await here.sessions.rounds("s")
        summaries = await here.search.short_term("s", later(), 30, 10)

        assert (only.assistant, only.state) == ("the other", RoundState.DONE)
        assert (known.weight, known.used) == (1.5, 1)
        assert [each.content for each in summaries] == ["summary the other"]
        assert (await here.learning.queue()).waiting == {"s": 1}
        assert await here.housekeeping.recover() == 0


async def test_a_chat_that_was_deleted_meanwhile_is_not_made_anew(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        await stores.sessions.delete("s", header("delete"))
        with pytest.raises(NotFound):
            await begin(stores, continues=True)
        assert await stores.sessions.sessions() == []


async def test_nothing_is_written_to_a_round_whose_chat_was_deleted(opened) -> None:
    async with opened() as stores:
        started = await begin(stores)
        await stores.sessions.delete("s", header("delete"))
        for write in (
            stores.sessions.save_partial(started.id, "more", ""),
            stores.sessions.end_round(started.id, "interrupted", "more", "", receipt()),
            stores.sessions.finish_round(record(started, "whole"), EVOLVE),
        ):
            with pytest.raises(RoundEnded):
                await write
        assert await stores.sessions.sessions() == []
