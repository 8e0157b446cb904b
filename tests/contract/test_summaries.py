"""Running summaries: claimed like any other run, folded into their session, void where a round went meanwhile."""

from __future__ import annotations

from datetime import timedelta

from fakes.records import AT, begin, chat, later

from orca_core.model.learning import AgentMessage, Due, RunEnd, RunKind, RunState
from orca_core.operations.stores import Stores
from orca_core.rules.learning import fact_extraction


async def talked(stores: Stores, rounds: int = 3) -> None:
    for _ in range(rounds):
        await chat(stores)


async def test_a_fold_covers_what_it_was_given_and_the_next_one_goes_on_from_there(opened) -> None:
    async with opened() as stores:
        await talked(stores)
        assert await stores.summaries.summary("s") == ("", 0)
        batch = await stores.summaries.claim("s", 2, AT)
        assert batch is not None
        assert (batch.kind, batch.summary, [each.number for each in batch.rounds]) == (
            RunKind.SUMMARIZE,
            "",
            [1, 2],
        )
        assert await stores.summaries.fold(batch, "what was said", RunEnd(later()))

        assert await stores.summaries.summary("s") == ("what was said", 2)
        following = await stores.summaries.claim("s", 3, later())
        assert following is not None
        assert (following.summary, [each.number for each in following.rounds]) == ("what was said", [3])


async def test_nothing_is_folded_where_nothing_is_left(opened) -> None:
    async with opened() as stores:
        await talked(stores, 1)
        batch = await stores.summaries.claim("s", 1, AT)
        assert batch is not None
        assert await stores.summaries.fold(batch, "what was said", RunEnd(later()))
        assert await stores.summaries.claim("s", 1, later()) is None
        assert await stores.summaries.claim("gone", 9, later()) is None


async def test_a_fold_that_failed_waits_for_its_time(opened) -> None:
    async with opened() as stores:
        await talked(stores)
        batch = await stores.summaries.claim("s", 2, AT)
        assert batch is not None
        await stores.learning.fail(batch, RunState.FAILED, "down", later(10), RunEnd(AT))

        assert await stores.summaries.due(later(9)) == []
        assert await stores.summaries.claim("s", 2, later(9)) is None
        assert await stores.summaries.due(later(10)) == ["s"]
        again = await stores.summaries.claim("s", 3, later(10))
        assert again is not None
        assert (again.run, again.tries, [each.number for each in again.rounds]) == (batch.run, 2, [1, 2, 3])


async def test_a_fold_that_was_cut_short_is_due_and_parked_at_its_last_try(opened) -> None:
    async with opened() as stores:
        await talked(stores)
        tries = 0
        while (batch := await stores.summaries.claim("s", 2, AT)) is not None:
            tries += 1
            assert (batch.tries, await stores.summaries.due(AT)) == (tries, ["s"])
        assert tries > 1
        [parked] = await stores.runs.runs(9)
        assert (parked.state, parked.is_parked, parked.error) == (
            RunState.FAILED,
            True,
            f"cut short in the middle, and begun {tries} times by now",
        )
        assert await stores.summaries.due(later(99)) == []
        assert await stores.learning.retry("s", later(99)) == 1
        assert await stores.summaries.due(later(99)) == ["s"]


async def test_a_fold_is_void_where_a_round_was_replaced_meanwhile(opened) -> None:
    async with opened() as stores:
        await talked(stores, 2)
        batch = await stores.summaries.claim("s", 2, AT)
        assert batch is not None
        await begin(stores, replaces=2)
        said = AgentMessage("assistant", "what was said", AT)
        assert not await stores.summaries.fold(batch, "what was said", RunEnd(later(), (said,)))

        assert await stores.summaries.summary("s") == ("", 0)
        run_of, exchange = await stores.runs.run(batch.run)
        assert (run_of.state, exchange) == (RunState.NONE, [])


async def test_what_a_run_said_is_on_record(opened) -> None:
    async with opened() as stores, opened("work") as work:
        await talked(stores, 1)
        due = Due(AT, 1, AT - timedelta(days=1), everything=True)
        batch = await stores.learning.claim(due, fact_extraction.how_many_fit)
        assert batch is not None
        said = (
            AgentMessage("user", "a question", AT),
            AgentMessage("assistant", "an answer", later(), "m"),
            AgentMessage("system", "the verifier", later(), in_verification=True),
        )
        await stores.learning.fail(batch, RunState.UNREADABLE, "no JSON", None, RunEnd(later(), said))

        shown, exchange = await stores.runs.run(batch.run)
        assert (shown.rounds, shown.state, shown.is_parked) == ((1,), RunState.UNREADABLE, True)
        assert exchange == list(said)
        assert [each.id for each in await stores.runs.runs(9)] == [batch.run]
        assert await work.runs.runs(9) == []
