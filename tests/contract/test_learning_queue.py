"""The queue of rounds that wait to be learnt from: claims, tries, parking; folds of summaries; settling in one transaction."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from fakes.records import AT, begin, chat, later

from orca_core.model.learning import (
    AgentMessage,
    Batch,
    Due,
    KnownMemories,
    LearntFacts,
    Proposal,
    Resolution,
    RunEnd,
    RunKind,
    RunState,
)
from orca_core.model.memories import Added, Memory, NewMemory, SaidAgain
from orca_core.operations.stores import Stores
from orca_core.rules.learning import resolve, transcripts
from orca_core.rules.learning.run_schedule import MAX_TRIES
from orca_core.rules.memory import said_again


async def claimed(stores: Stores, *, now: datetime = AT, batch_size: int = 1, **due: object) -> Batch | None:
    wanted = Due(now=now, batch_size=batch_size, idle_since=AT - timedelta(days=1), **due)  # type: ignore[arg-type]
    return await stores.learning.claim(wanted, transcripts.how_many_fit)


async def read_to_its_end(stores: Stores, batch: Batch) -> LearntFacts | None:
    return await stores.learning.finish_run(batch, [], [], resolve.settle, RunEnd(later()))


async def fail(stores: Stores, batch: Batch, next_at: datetime | None, state: RunState = RunState.FAILED) -> None:
    await stores.learning.fail(batch, state, "down", next_at, RunEnd(AT))


async def test_a_try_counts_from_its_claim_on_and_the_last_one_is_parked(opened) -> None:
    """Whoever claims is killed in the middle, again and again."""

    async with opened() as stores:
        await chat(stores)
    for number in range(1, MAX_TRIES + 1):
        async with opened() as stores:
            batch = await claimed(stores, everything=True)
            assert batch.tries == number
    async with opened() as stores:
        assert await claimed(stores, everything=True) is None
        [only] = await stores.learning.runs(9)
        assert (only.is_parked, only.tries, "cut short" in only.error) == (True, MAX_TRIES, True)
        queue = await stores.learning.queue()
        assert (queue.parked, queue.running) == (1, 0)

        assert await stores.learning.retry(None, AT) == 1
        again = await claimed(stores)
        assert (again.tries, len(again.rounds)) == (1, 1)


async def test_a_batch_that_was_given_back_is_tried_as_if_for_the_first_time(stores) -> None:
    await chat(stores)
    for _ in range(MAX_TRIES + 1):
        batch = await claimed(stores)
        assert batch.tries == 1
        await stores.learning.release(batch)


async def test_a_failed_run_holds_its_session_back_until_its_time(stores) -> None:
    """Later rounds stand on the ones that could not be read yet: they are not read before them."""

    await chat(stores)
    batch = await claimed(stores)
    await fail(stores, batch, later(30))
    for _ in range(3):
        await chat(stores)
    await chat(stores, "another")

    other = await claimed(stores, now=later(5))
    assert other.session_id == "another"
    await read_to_its_end(stores, other)
    assert await claimed(stores, now=later(5)) is None

    first = await claimed(stores, now=later(31))
    assert [each.number for each in first.rounds] == [1]
    await read_to_its_end(stores, first)
    rest = await claimed(stores, now=later(31))
    assert [each.number for each in rest.rounds] == [2, 3, 4]


async def test_a_verification_that_was_cut_short_is_read_to_its_end(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        batch = await claimed(stores)
        await read_to_its_end(stores, batch)
        assert await stores.learning.claim_again("s", 0, AT, transcripts.how_many_fit) is not None
    async with opened() as stores:
        again = await claimed(stores)
        assert (again.is_again, again.tries, len(again.rounds)) == (True, 2, 1)


async def talked(stores: Stores, rounds: int = 3) -> None:
    for _ in range(rounds):
        await chat(stores)


async def test_a_fold_covers_what_it_was_given_and_the_next_one_goes_on_from_there(stores) -> None:
    await talked(stores)
    assert await stores.learning.summary("s") == ("", 0)
    batch = await stores.learning.claim_fold("s", 2, AT)
    assert (batch.kind, batch.summary, [each.number for each in batch.rounds]) == (
        RunKind.SUMMARIZE,
        "",
        [1, 2],
    )
    assert await stores.learning.fold(batch, "what was said", RunEnd(later()))

    assert await stores.learning.summary("s") == ("what was said", 2)
    following = await stores.learning.claim_fold("s", 3, later())
    assert (following.summary, [each.number for each in following.rounds]) == ("what was said", [3])


async def test_a_fold_is_void_where_a_round_was_replaced_meanwhile(stores) -> None:
    await talked(stores, 2)
    batch = await stores.learning.claim_fold("s", 2, AT)
    await begin(stores, replaces=2)
    said = AgentMessage("assistant", "what was said", AT)
    assert not await stores.learning.fold(batch, "what was said", RunEnd(later(), (said,)))

    assert await stores.learning.summary("s") == ("", 0)
    run_of, exchange = await stores.learning.run(batch.run)
    assert (run_of.state, exchange) == (RunState.NONE, [])


async def test_what_a_run_said_is_on_record(opened) -> None:
    async with opened() as stores, opened("work") as work:
        await talked(stores, 1)
        due = Due(AT, 1, AT - timedelta(days=1), everything=True)
        batch = await stores.learning.claim(due, transcripts.how_many_fit)
        said = (
            AgentMessage("user", "a question", AT),
            AgentMessage("assistant", "an answer", later(), "m"),
            AgentMessage("system", "the verifier", later(), in_verification=True),
        )
        await stores.learning.fail(batch, RunState.UNREADABLE, "no JSON", None, RunEnd(later(), said))

        shown, exchange = await stores.learning.run(batch.run)
        assert (shown.rounds, shown.state, shown.is_parked) == ((1,), RunState.UNREADABLE, True)
        assert exchange == list(said)
        assert [each.id for each in await stores.learning.runs(9)] == [batch.run]
        assert await work.learning.runs(9) == []


async def test_a_fact_is_settled_beside_those_of_the_same_run(stores) -> None:
    await chat(stores)
    batch = await claimed(stores)
    seen: list[list[str]] = []

    def looking(proposal: Proposal, beside: KnownMemories) -> Resolution:
        seen.append([memory.content for memory in beside.memories])
        return Resolution(store=proposal.new)

    facts = [Proposal(NewMemory("the user drinks tea")), Proposal(NewMemory("the user drinks green tea"))]
    await stores.learning.finish_run(batch, facts, [], looking, RunEnd(later()))

    assert seen == [[], ["the user drinks tea"]]


ROME, BERN = "I live in Rome", "I live in Bern"


def takes_the_first(_known: Memory, _new: NewMemory) -> SaidAgain:
    """No rule of Orca's: what is said again is promoted, in the place of the first two memories."""
    return SaidAgain(Added.PROMOTED, {}, archives=(1, 2))


@pytest.fixture
def takes_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule above decides."""
    monkeypatch.setattr(said_again, "said_again", takes_the_first)
