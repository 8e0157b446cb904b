"""The queue of rounds that wait to be learnt from: claims, tries, parking; folds of summaries; settling in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from fakes.looks import meanwhile
from fakes.records import AT, begin, chat, header, later, remember

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
from orca_core.model.memories import Added, Memory, NewMemory, SaidAgain, State
from orca_core.model.sessions import Round
from orca_core.operations import learning_queue
from orca_core.operations.stores import Stores
from orca_core.rules.learning import resolve, transcripts
from orca_core.rules.learning.run_schedule import MAX_TRIES
from orca_core.rules.memory import memory_curation, said_again


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


async def test_of_a_long_chat_that_waits_no_more_is_read_than_is_chosen_from(stores) -> None:
    rounds, fit = 3 * learning_queue.CHOSEN_AMONG, learning_queue.CHOSEN_AMONG + 5
    read: list[int] = []

    def choose(shown: Sequence[Round]) -> int:
        read.append(len(shown))
        return min(fit, len(shown))

    for _ in range(rounds):
        await chat(stores)
    due = Due(now=AT, batch_size=1, idle_since=AT - timedelta(days=1))
    batch = await stores.learning.claim(due, choose)
    assert [each.number for each in batch.rounds] == list(range(1, fit + 1))
    assert batch.left == rounds - fit
    assert read == [learning_queue.CHOSEN_AMONG, 2 * learning_queue.CHOSEN_AMONG]

    again = await stores.learning.claim_again("s", fit, later(), transcripts.how_many_fit)
    assert (again.rounds[0].number, len(again.rounds) + again.left) == (fit + 1, rounds - fit)


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


async def test_a_fold_that_was_cut_short_is_due_and_parked_at_its_last_try(stores) -> None:
    await talked(stores)
    tries = 0
    while (batch := await stores.learning.claim_fold("s", 2, AT)) is not None:
        tries += 1
        assert (batch.tries, await stores.learning.folds_due(AT)) == (tries, ["s"])
    assert tries > 1
    [parked] = await stores.learning.runs(9)
    assert (parked.state, parked.is_parked, parked.error) == (
        RunState.FAILED,
        True,
        f"cut short in the middle, and begun {tries} times by now",
    )
    assert await stores.learning.folds_due(later(99)) == []
    assert await stores.learning.retry("s", later(99)) == 1
    assert await stores.learning.folds_due(later(99)) == ["s"]


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


async def test_what_waits_for_review_archives_nothing_whatever_the_rule_says(stores) -> None:
    [old] = await remember(stores, "the user lives in Shanghai")
    await chat(stores)
    batch = await claimed(stores)
    new = NewMemory("the user lives in Hangzhou", state=State.CANDIDATE, held_because="unread")

    def hasty(proposal: Proposal, _beside: object) -> Resolution:
        return Resolution(store=proposal.new, supersedes=(old,))

    learnt = await stores.learning.finish_run(batch, [Proposal(new, (old,))], [], hasty, RunEnd(later()))

    assert (len(learnt.candidates), learnt.replaced) == (1, ())
    [there] = await stores.memories.get([old])
    assert (there.state, there.superseded_by) == (State.LIVE, None)


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


async def test_a_run_whose_caller_is_cancelled_is_written_all_the_same(stores) -> None:
    await chat(stores)
    batch = await claimed(stores)
    is_asked = asyncio.Event()
    told = meanwhile(lambda: _set(is_asked))

    def settle(proposal: Proposal, _beside: KnownMemories) -> Resolution:
        if not is_asked.is_set():
            told()
        return Resolution(store=proposal.new)

    facts = [Proposal(NewMemory("the user drinks tea"))]
    ending = asyncio.ensure_future(stores.learning.finish_run(batch, facts, [], settle, RunEnd(later())))
    await is_asked.wait()
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    await remember(stores, "the user has a cat")  # one writes at a time

    assert [each.content for each in await stores.memories.get([1])] == ["the user drinks tea"]


async def _set(event: asyncio.Event) -> None:
    event.set()


ROME, BERN = "I live in Rome", "I live in Bern"


def takes_the_first(_known: Memory, _new: NewMemory) -> SaidAgain:
    """No rule of Orca's: what is said again is promoted, in the place of the first two memories."""
    return SaidAgain(Added.PROMOTED, {}, archives=(1, 2))


@pytest.fixture
def takes_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule above decides."""
    monkeypatch.setattr(said_again, "said_again", takes_the_first)


@pytest.mark.usefixtures("takes_places")
async def test_a_pinned_memory_is_never_superseded_even_where_a_rule_says_so(stores) -> None:
    [pinned] = await remember(stores, ROME)
    await stores.memories.change([pinned], header("pin"), memory_curation.each(memory_curation.pin))
    await remember(stores, BERN)
    await stores.memories.add(NewMemory(BERN), header())

    [now] = await stores.memories.get([pinned])
    assert (now.state, now.pinned, now.superseded_by) == (State.LIVE, True, None)


async def test_a_verification_of_a_round_that_was_replaced_meanwhile_is_void(stores) -> None:
    await chat(stores)
    batch = await claimed(stores)
    await read_to_its_end(stores, batch)
    again = await stores.learning.claim_again("s", 0, AT, transcripts.how_many_fit)
    await begin(stores, replaces=1)
    assert await read_to_its_end(stores, again) is None
