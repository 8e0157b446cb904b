"""Candidates that acts show often enough: claimed like any run, let live or held by the verifier in one transaction."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import pytest
from fakes.acts_read import SHORT, claimed, finish, only, recorded
from fakes.acts_read import shown as seen
from fakes.promoted import SAID, SOON, claim_candidate, done, ready, show, verified
from fakes.records import AT, begin, chat, header, later, remember
from fakes.supported import LIKES_TABLES, by_act, by_round, shown, supported

from orca_core.model.feedback import ActBatch, Action, ActionType, Promotion
from orca_core.model.learning import RunEnd, RunKind, RunState, Verification
from orca_core.model.memories import ConfirmedBy, Memory, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import ACTION, SUPPORT
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import promotion
from orca_core.rules.feedback.signals import checked_act
from orca_core.rules.memory import memory_curation

IN_THREE_DAYS = AT + timedelta(days=3)


async def promote(stores: Stores, min_support: int = 3) -> Promotion | None:
    """The best of what is ready goes live."""
    batch = await claim_candidate(stores, IN_THREE_DAYS, min_support)
    return None if batch is None else await verified(stores, batch)


async def went_live(stores: Stores, min_support: int = 3) -> Promotion:
    promotion = await promote(stores, min_support)
    assert promotion is not None
    return promotion


async def memory_of(stores: Stores, number: int = 1) -> Memory:
    [memory] = await stores.memories.get([number])
    return memory


async def ready_memory(stores: Stores, content: str = LIKES_TABLES) -> int:
    number = await shown(stores, content)
    await supported(stores, by_act(number, 1, 0), by_act(number, 2, 1), by_round(number, 3, 2))
    return number


async def test_what_is_read_of_a_pool_about_some_weighs_them_as_the_whole_pool_does(stores) -> None:
    first, second = await ready_memory(stores), await shown(stores, "用户喜欢短的回答")
    held, later = await shown(stores, "The user likes tea"), await shown(stores, "The user likes coffee")
    await supported(stores, by_round(later, 7, 5))
    for number in (held, later):
        header = OperationHeader(Actor.USER, "edit", AT)
        await stores.memories.change([number], header, lambda all_of, n=number: {n: {"held_because": "not_typed"}})

    pool, others = await stores.feedback.pool_about(promotion.UNPROVEN, [held])

    assert [each.memory.id for each in pool] == [first, second, held]
    assert len(others) == 1
    weigh = partial(promotion.standings_of, now=AT + timedelta(days=9), temperature=0.001, min_support=3)
    whole = weigh(await stores.feedback.pool())
    assert weigh(pool, others=others) == {number: whole[number] for number in (first, second, held)}
    assert weigh(pool) != weigh(pool, others=others)


async def test_what_a_person_sent_back_goes_live_by_new_evidence_alone(stores) -> None:
    number = await ready_memory(stores)
    promoted = await went_live(stores)
    await stores.history.undo(promoted.operation, IN_THREE_DAYS)
    assert (await memory_of(stores)).state is State.CANDIDATE
    assert [each.undone_at for each in await stores.feedback.pool()] == [IN_THREE_DAYS]

    assert await promote(stores) is None
    await supported(stores, by_act(number, 4, 4))
    assert (await went_live(stores)).memory == await memory_of(stores)


async def test_what_a_person_sent_back_does_not_return_with_a_like(stores) -> None:
    likes = [await liked(stores, each) for each in (1, 2, 3)]
    await promote(stores)
    promoted = (await stores.history.operations(1))[0].id
    cancelled = await recorded(stores, "CANCEL_LIKE", 2)
    assert (await memory_of(stores)).state is State.CANDIDATE
    cancel = (await stores.history.operations(1))[0].id
    await stores.history.undo(promoted, IN_THREE_DAYS)

    await stores.history.undo(cancel, IN_THREE_DAYS)

    assert (await memory_of(stores)).state is State.CANDIDATE
    assert [each.act for each in (await stores.feedback.supports_of([1]))[1]] == likes
    assert await promote(stores) is None
    assert cancelled not in likes

    sent_back = next(each for each in await stores.history.operations(9) if each.undoes == promoted).id
    await stores.history.redo(sent_back, IN_THREE_DAYS)
    assert (await went_live(stores)).memory == await memory_of(stores)


async def liked(stores: Stores, number: int) -> int:
    """A like, on a day of its own, that shows the one memory."""
    at = AT + timedelta(days=number - 3)
    act = checked_act(Action(0, "", ActionType.LIKE, "s", at, round=number))
    made = (await stores.feedback.record(act, header("like", at))).action.id
    await finish(stores, await claimed(stores), seen(made))
    return made


async def test_a_pin_confirms_what_went_live_by_acts(stores) -> None:
    number = await ready_memory(stores)
    await promote(stores)
    await stores.memories.change([number], header("pin"), memory_curation.each(memory_curation.pin))
    [made] = [each for each in await stores.history.operations(9) if each.header.action == "acts"][:1]
    await stores.history.undo(made.id, later(1))

    memory = await memory_of(stores)
    assert await stores.feedback.supports_of([number]) == {}
    assert (memory.state, memory.pinned, memory.confirmed_by) == (State.LIVE, True, ConfirmedBy.HAND)


async def test_a_search_visits_candidates_alone(stores) -> None:
    number = await shown(stores)
    lives = (await stores.memories.add(NewMemory("用户用 vim"), header())).memory.id

    for minute in (1, 2):
        await stores.feedback.note_searched([number, lives, 99], later(minute))

    assert [(each.searched, each.searched_at) for each in await stores.memories.get([number, lives])] == [
        (2, later(2)),
        (0, None),
    ]
    [only_one] = await stores.feedback.pool()
    assert promotion.standings_of([only_one], later(2), temperature=0.001, min_support=3)[number].visited == 2


async def test_supports_of_scopes_never_meet(opened) -> None:
    async with opened() as mine, opened("other") as others, opened("third", "me") as reader:
        number = await ready_memory(mine)

        assert await others.feedback.supports_of([number]) == {}
        assert await others.feedback.pool() == await reader.feedback.pool() == []
        await others.feedback.note_searched([number], later(1))
        assert (await memory_of(mine)).searched == 0
        assert await promote(others) is None
        assert await others.records[SUPPORT].get([]) == []


A_MINUTE = timedelta(minutes=1)
claim_any = claim_candidate


async def due_now(stores: Stores, at: datetime = SOON, **given: object) -> ActBatch:
    batch = await claim_any(stores, at, **given)
    assert batch is not None
    return batch


async def test_a_candidate_is_claimed_with_the_acts_of_all_sessions(stores) -> None:
    acts = await ready(stores)
    other = await done(stores, 4, "DISLIKE")
    collected = await done(stores, 5, "COLLECT_SESSION", round=None)
    withdrawn = await done(stores, 6)
    await recorded(stores, "CANCEL_LIKE", 1, "s6", days=7)
    edited = await done(stores, 7, "EDIT_FILE", round=None, data={"previous": "a", "current": "b"})
    await done(stores, 8, "EDIT_FILE", round=None, data={"previous": "a", "current": "a"})

    batch = await due_now(stores)

    assert (batch.kind, batch.session_id, batch.tries) == (RunKind.ACTIONS, "", 1)
    assert batch.candidate.memory == await only(stores)
    assert [each.id for each in batch.actions] == [*acts, other, collected, edited]
    assert withdrawn not in [each.id for each in batch.actions]
    assert {each.session_id for each in batch.rounds} == {"s0", "s1", "s2", "s4", "s5"}
    assert await claim_any(stores, besides=(batch.run,)) is None


async def test_what_the_verifier_sees_goes_live_with_its_run(stores) -> None:
    await ready(stores)
    batch = await due_now(stores)

    promotion = await verified(stores, batch)

    memory = await only(stores)
    assert promotion.memory == memory
    assert (memory.state, memory.held_because, memory.confirmed_by) == (State.LIVE, None, None)
    run, exchange = await stores.learning.run(batch.run)
    assert (run.state, run.operation, run.target) == (RunState.DONE, promotion.operation, "#1")
    assert (run.result.stored, run.result.candidates) == ((1,), ())
    assert run.result.verification == Verification(1)
    assert tuple(exchange) == SAID
    [operation] = await stores.history.operations(1)
    assert (operation.header.actor, operation.header.action) == (Actor.PROMOTION, "promote")
    assert await claim_any(stores) is None


async def test_what_failed_waits_for_its_time_or_the_day(stores) -> None:
    await ready(stores)
    batch = await due_now(stores)
    await stores.learning.fail(batch, RunState.FAILED, "no answer", SOON + A_MINUTE, RunEnd(SOON))

    assert await stores.feedback.next_candidate_at() == SOON + A_MINUTE
    assert await claim_any(stores) is None
    in_time = await due_now(stores, SOON + A_MINUTE)
    assert (in_time.run, in_time.tries) == (batch.run, 2)
    await stores.learning.fail(in_time, RunState.FAILED, "no answer", None, RunEnd(SOON))
    assert await stores.feedback.next_candidate_at() is None
    assert await claim_any(stores, SOON + 999 * A_MINUTE) is None
    by_the_day = await due_now(stores, everything=True)
    assert (by_the_day.run, by_the_day.tries) == (batch.run, 3)


@pytest.mark.parametrize(
    "change", ["cancel", "another support", "edit", "delete", "delete the same", "replace", "taken back"]
)
async def test_what_changed_while_it_was_read_is_neither_promoted_nor_held(stores, change: str) -> None:
    acts = await ready(stores)
    unsaid = await done(stores, 4)
    batch = await due_now(stores)
    match change:
        case "cancel":
            await recorded(stores, "CANCEL_LIKE", 1, "s1", days=5)
        case "another support":
            await show(stores, await done(stores, 6))
        case "edit":
            await stores.memories.change(
                [1], header("edit"), memory_curation.each(lambda _: {"content": "other words"})
            )
        case "delete":
            await stores.memories.delete([1], header("delete"))
        case "delete the same":
            [same] = await remember(stores, SHORT.lower())
            await stores.memories.delete([same], header("delete"))
        case "replace":
            await begin(stores, "s4", replaces=1, at=later(5))
        case "taken back":
            await recorded(stores, "CANCEL_LIKE", 1, "s4", days=5)

    assert await verified(stores, batch) is None
    assert not any(each.header.actor is Actor.PROMOTION for each in await stores.history.operations(50))
    run, exchange = await stores.learning.run(batch.run)
    assert (run.state, run.error, exchange) == (RunState.NONE, "what it stands on changed meanwhile", [])
    again = await claim_any(stores)
    assert (again is None) is (change in ("cancel", "delete", "delete the same"))
    assert acts
    assert unsaid


@pytest.mark.parametrize("what", ["memory", "act", "session", "round of a collected session"])
async def test_what_is_deleted_takes_the_exchange_that_shows_it(stores, what: str) -> None:
    acts = await ready(stores)
    await done(stores, 4, "COLLECT_SESSION", round=None)
    batch = await due_now(stores)
    await verified(stores, batch)
    match what:
        case "memory":
            await stores.memories.delete([1], header("delete"))
        case "act":
            await stores.records[ACTION].delete([acts[0]], header("delete"))
        case "session":
            await stores.sessions.delete("s1", header("delete"))
        case "round of a collected session":
            origin = Origin(OriginKind.EXTRACTION, "s4", (1,), None, "m")
            said = await stores.memories.add(NewMemory("The user has a dog", origin=origin), header(at=later(9)))
            await stores.memories.delete([said.memory.id], header("delete"), with_messages=True)

    _, exchange = await stores.learning.run(batch.run)
    assert exchange == []


async def test_no_more_acts_are_read_than_one_question_shows(stores) -> None:
    acts = await ready(stores)
    for number in range(2, 42):
        await recorded(stores, number=number, session="many", days=5)
    await chat(stores, "many")

    batch = await due_now(stores)

    assert len(batch.actions) == promotion.MOST_ACTS
    assert {*acts} < {each.id for each in batch.actions}
