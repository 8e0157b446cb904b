"""The queue of rounds that wait to be learnt from: what is claimed, how often, by whom, and what never is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from fakes.records import AT, begin, chat, later

from orca_core.model.learning import Batch, Due, Learnt, RunEnd, RunState
from orca_core.model.sessions import Round
from orca_core.operations import learning_queue
from orca_core.operations.stores import Stores
from orca_core.rules.learning import fact_extraction, resolve
from orca_core.rules.learning.run_schedule import MAX_TRIES


async def claimed(stores: Stores, *, now: datetime = AT, batch_size: int = 1, **due: object) -> Batch | None:
    wanted = Due(now=now, batch_size=batch_size, idle_since=AT - timedelta(days=1), **due)  # type: ignore[arg-type]
    return await stores.learning.claim(wanted, fact_extraction.how_many_fit)


async def read_to_its_end(stores: Stores, batch: Batch) -> Learnt | None:
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
            assert batch is not None
            assert batch.tries == number
    async with opened() as stores:
        assert await claimed(stores, everything=True) is None
        [only] = await stores.runs.runs(9)
        assert (only.is_parked, only.tries, "cut short" in only.error) == (True, MAX_TRIES, True)
        queue = await stores.learning.queue()
        assert (queue.parked, queue.running) == (1, 0)

        assert await stores.learning.retry(None, AT) == 1
        again = await claimed(stores)
        assert again is not None
        assert (again.tries, len(again.rounds)) == (1, 1)


async def test_a_parked_batch_lets_the_rest_of_its_session_be_read(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        await fail(stores, batch, None)
        await chat(stores)
        rest = await claimed(stores)
        assert rest is not None
        assert [each.number for each in rest.rounds] == [2]


async def test_a_batch_that_was_given_back_is_tried_as_if_for_the_first_time(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        for _ in range(MAX_TRIES + 1):
            batch = await claimed(stores)
            assert batch is not None
            assert batch.tries == 1
            await stores.learning.release(batch)


async def test_giving_back_takes_nothing_from_a_run_that_ended(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        await fail(stores, batch, later())
        await stores.learning.release(batch)
        [only] = await stores.runs.runs(9)
        assert only.tries == 1


async def test_a_failed_run_holds_its_session_back_until_its_time(opened) -> None:
    """Later rounds stand on the ones that could not be read yet: they are not read before them."""

    async with opened() as stores:
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        await fail(stores, batch, later(30))
        for _ in range(3):
            await chat(stores)
        await chat(stores, "another")

        other = await claimed(stores, now=later(5))
        assert other is not None
        assert other.session_id == "another"
        await read_to_its_end(stores, other)
        assert await claimed(stores, now=later(5)) is None

        first = await claimed(stores, now=later(31))
        assert first is not None
        assert [each.number for each in first.rounds] == [1]
        await read_to_its_end(stores, first)
        rest = await claimed(stores, now=later(31))
        assert rest is not None
        assert [each.number for each in rest.rounds] == [2, 3, 4]


async def test_a_verification_that_failed_is_over(opened) -> None:
    """Neither its time, nor a retry by hand, nor a reading of everything starts it again: its rounds were read once."""

    async with opened() as stores:
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        await read_to_its_end(stores, batch)
        again = await stores.learning.claim_again("s", 0, AT, fact_extraction.how_many_fit)
        assert again is not None
        await fail(stores, again, later())

        assert await stores.learning.retry(None, later(60)) == 0
        assert await claimed(stores, now=later(120), everything=True) is None
        [second, _] = await stores.runs.runs(9)
        assert (second.state, second.next_at, second.tries) == (RunState.FAILED, None, 1)
        queue = await stores.learning.queue()
        assert (queue.parked, queue.failing) == (0, 0)


async def test_a_verification_that_was_cut_short_is_read_to_its_end(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        await read_to_its_end(stores, batch)
        assert await stores.learning.claim_again("s", 0, AT, fact_extraction.how_many_fit) is not None
    async with opened() as stores:
        again = await claimed(stores)
        assert again is not None
        assert (again.is_again, again.tries, len(again.rounds)) == (True, 2, 1)


async def test_a_fold_over_a_summary_that_changed_meanwhile_is_void(opened) -> None:
    async with opened() as stores:
        for _ in range(3):
            await chat(stores)
        early = await stores.summaries.claim("s", 2, AT)
        assert early is not None
        late = await stores.summaries.claim("s", 2, AT)
        assert late is not None
        assert await stores.summaries.fold(late, "what was said", RunEnd(later()))

        assert not await stores.summaries.fold(early, "what was said long ago", RunEnd(later()))

        assert await stores.summaries.summary("s") == ("what was said", 2)
        [only] = await stores.runs.runs(9)
        assert (only.state, only.error) == (RunState.NONE, "a round was replaced or deleted meanwhile")


async def test_a_fold_is_parked_when_it_was_cut_short_too_often(opened) -> None:
    async with opened() as stores:
        for _ in range(3):
            await chat(stores)
        for number in range(1, MAX_TRIES + 1):
            batch = await stores.summaries.claim("s", 2, AT)
            assert batch is not None
            assert batch.tries == number
        assert await stores.summaries.claim("s", 2, AT) is None
        assert (await stores.learning.queue()).parked == 1


async def test_a_verification_of_a_round_that_was_replaced_meanwhile_is_void(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        await read_to_its_end(stores, batch)
        again = await stores.learning.claim_again("s", 0, AT, fact_extraction.how_many_fit)
        assert again is not None
        await begin(stores, replaces=1)
        assert await read_to_its_end(stores, again) is None


async def test_of_a_long_chat_that_waits_no_more_is_read_than_is_chosen_from(opened) -> None:
    rounds, fit = 3 * learning_queue.CHOSEN_AMONG, learning_queue.CHOSEN_AMONG + 5
    read: list[int] = []

    def choose(shown: Sequence[Round]) -> int:
        read.append(len(shown))
        return min(fit, len(shown))

    async with opened() as stores:
        for _ in range(rounds):
            await chat(stores)
        due = Due(now=AT, batch_size=1, idle_since=AT - timedelta(days=1))
        batch = await stores.learning.claim(due, choose)
        assert batch is not None
        assert [each.number for each in batch.rounds] == list(range(1, fit + 1))
        assert batch.left == rounds - fit
        assert read == [learning_queue.CHOSEN_AMONG, 2 * learning_queue.CHOSEN_AMONG]

        again = await stores.learning.claim_again("s", fit, later(), fact_extraction.how_many_fit)
        assert again is not None
        assert (again.rounds[0].number, len(again.rounds) + again.left) == (fit + 1, rounds - fit)
