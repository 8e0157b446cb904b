"""Candidates that acts show often enough, through a store: claimed like any run, let live or held by the verifier's word in
one transaction, and not by what is no longer so."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from fakes.acts_read import SHORT, only, recorded
from fakes.promoted import SAID, SOON, claim_candidate, done, held, ready, show, verified
from fakes.records import begin, chat, header, later, remember
from fakes.supported import by_round, supported

from orca_core.model.feedback import ActBatch
from orca_core.model.learning import RunEnd, RunKind, RunState, Verification
from orca_core.model.memories import MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor
from orca_core.model.records import ACTION
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import promotion_score
from orca_core.rules.feedback.promotion_score import REFUSED
from orca_core.rules.memory import memory_curation, undo_rules

A_MINUTE = timedelta(minutes=1)
claimed = claim_candidate


async def due_now(stores: Stores, at: datetime = SOON, **given: object) -> ActBatch:
    batch = await claimed(stores, at, **given)
    assert batch is not None
    return batch


async def test_a_candidate_is_claimed_with_the_acts_of_all_sessions(opened) -> None:
    async with opened() as stores:
        acts = await ready(stores)
        other = await done(stores, 4, "DISLIKE")
        collected = await done(stores, 5, "COLLECT_SESSION", round=None)
        withdrawn = await done(stores, 6)
        await recorded(stores, "CANCEL_LIKE", 1, "s6", days=7)
        edited = await done(stores, 7, "EDIT_FILE", round=None, data={"previous": "a", "current": "b"})
        await done(stores, 8, "EDIT_FILE", round=None, data={"previous": "a", "current": "a"})

        batch = await due_now(stores)

        assert (batch.kind, batch.session_id, batch.tries) == (RunKind.ACTIONS, "", 1)
        assert batch.candidate is not None
        assert batch.candidate.memory == await only(stores)
        assert [each.id for each in batch.actions] == [*acts, other, collected, edited]
        assert withdrawn not in [each.id for each in batch.actions]
        assert {each.session_id for each in batch.rounds} == {"s0", "s1", "s2", "s4", "s5"}
        assert await claimed(stores, besides=(batch.run,)) is None


async def test_what_the_verifier_sees_goes_live_with_its_run(opened) -> None:
    async with opened() as stores:
        await ready(stores)
        batch = await due_now(stores)

        promotion = await verified(stores, batch)

        memory = await only(stores)
        assert promotion is not None
        assert promotion.memory == memory
        assert (memory.state, memory.held_because, memory.confirmed_by) == (State.LIVE, None, None)
        run, exchange = await stores.runs.run(batch.run)
        assert (run.state, run.operation, run.target) == (RunState.DONE, promotion.operation, "#1")
        assert run.result is not None
        assert (run.result.stored, run.result.candidates) == ((1,), ())
        assert run.result.verification == Verification(1)
        assert tuple(exchange) == SAID
        [operation] = await stores.history.operations(1)
        assert (operation.header.actor, operation.header.action) == (Actor.PROMOTION, "promote")
        assert await claimed(stores) is None


async def test_what_it_does_not_see_is_held(opened) -> None:
    async with opened() as stores:
        await ready(stores)
        batch = await due_now(stores)

        held = await verified(stores, batch, lives=False)

        memory = await only(stores)
        assert held is not None
        assert (memory.state, memory.held_because) == (State.CANDIDATE, REFUSED["held_because"])
        run, _ = await stores.runs.run(batch.run)
        assert run.result is not None
        assert (run.result.stored, run.result.candidates) == ((), (1,))
        [operation] = await stores.history.operations(1)
        assert (operation.header.actor, operation.header.action) == (Actor.PROMOTION, "hold")
        await show(stores, await done(stores, 6))
        assert await claimed(stores, everything=True) is None


async def test_what_was_held_is_undone_and_read_again_by_new_evidence_alone(opened) -> None:
    async with opened() as stores:
        acts = await ready(stores)
        held = await verified(stores, await due_now(stores), lives=False)
        assert held is not None

        await stores.history.undo(held.operation, SOON, undo_rules.plan)

        assert (await only(stores)).held_because == "unproven"
        assert await claimed(stores, everything=True) is None
        further = await done(stores, 10)
        await show(stores, further)
        again = await due_now(stores)
        assert [each.id for each in again.actions] == [*acts, further]
        await stores.history.redo(None, SOON, undo_rules.plan)
        assert (await only(stores)).held_because == REFUSED["held_because"]
        assert await verified(stores, again) is None


async def test_typed_words_lift_what_was_held(opened) -> None:
    async with opened() as stores:
        await held(stores)
        typed = Origin(OriginKind.EXTRACTION, "s", (1,), "I prefer short answers", "m")

        await stores.memories.add(NewMemory(SHORT, MemoryType.PREFERENCE, origin=typed), header())

        assert (await only(stores)).state is State.LIVE
        assert (await only(stores)).held_because is None


async def test_what_failed_waits_for_its_time_or_the_day(opened) -> None:
    async with opened() as stores:
        await ready(stores)
        batch = await due_now(stores)
        await stores.learning.fail(batch, RunState.FAILED, "no answer", SOON + A_MINUTE, RunEnd(SOON))

        assert await stores.promotions.next_at() == SOON + A_MINUTE
        assert await claimed(stores) is None
        in_time = await due_now(stores, SOON + A_MINUTE)
        assert (in_time.run, in_time.tries) == (batch.run, 2)
        await stores.learning.fail(in_time, RunState.FAILED, "no answer", None, RunEnd(SOON))
        assert await stores.promotions.next_at() is None
        assert await claimed(stores, SOON + 999 * A_MINUTE) is None
        by_the_day = await due_now(stores, everything=True)
        assert (by_the_day.run, by_the_day.tries) == (batch.run, 3)


async def test_one_that_was_tried_too_often_begins_anew_where_something_came(opened) -> None:
    async with opened() as stores:
        await ready(stores)
        for tries in range(1, 6):
            batch = await due_now(stores, everything=True)
            assert batch.tries == tries
            await stores.learning.fail(batch, RunState.UNREADABLE, "no JSON", None, RunEnd(SOON))
        assert await claimed(stores) is None

        assert (await due_now(stores, everything=True)).tries == 1


async def test_one_that_is_cut_short_again_and_again_is_parked(opened) -> None:
    async with opened() as stores:
        await ready(stores)
        assert [(await due_now(stores)).tries for _ in range(5)] == [1, 2, 3, 4, 5]

        assert await claimed(stores) is None
        assert (await stores.runs.runs(1))[0].is_parked
        assert (await due_now(stores, everything=True)).tries == 1


async def test_what_is_ready_no_more_is_not_read(opened) -> None:
    async with opened() as stores:
        await ready(stores)
        batch = await due_now(stores)
        await stores.learning.fail(batch, RunState.FAILED, "no answer", SOON, RunEnd(SOON))
        await recorded(stores, "CANCEL_LIKE", 1, "s2", days=4)

        assert await claimed(stores, everything=True) is None
        run, _ = await stores.runs.run(batch.run)
        assert (run.state, run.error) == (RunState.NONE, "it is not ready any more")


@pytest.mark.parametrize(
    "change", ["cancel", "another support", "edit", "delete", "delete the same", "replace", "taken back"]
)
async def test_what_changed_while_it_was_read_is_neither_promoted_nor_held(opened, change: str) -> None:
    async with opened() as stores:
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
        run, exchange = await stores.runs.run(batch.run)
        assert (run.state, run.error, exchange) == (RunState.NONE, "what it stands on changed meanwhile", [])
        again = await claimed(stores)
        assert (again is None) is (change in ("cancel", "delete", "delete the same"))
        assert acts
        assert unsaid


@pytest.mark.parametrize("what", ["memory", "act", "session", "round of a collected session"])
async def test_what_is_deleted_takes_the_exchange_that_shows_it(opened, what: str) -> None:
    async with opened() as stores:
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

        _, exchange = await stores.runs.run(batch.run)
        assert exchange == []


async def test_scopes_never_meet(opened) -> None:
    async with opened() as mine, opened("other") as others:
        await ready(mine)
        await done(others, 5)

        assert await claimed(others, everything=True) is None
        assert len((await due_now(mine)).actions) == 3
        assert await others.promotions.next_at() is None


async def test_no_more_acts_are_read_than_one_question_shows(opened) -> None:
    async with opened() as stores:
        acts = await ready(stores)
        for number in range(2, 42):
            await recorded(stores, number=number, session="many", days=5)
        await chat(stores, "many")

        batch = await due_now(stores)

        assert len(batch.actions) == promotion_score.MOST_ACTS
        assert {*acts} < {each.id for each in batch.actions}


async def test_rounds_that_speak_for_it_are_read_with_it(opened) -> None:
    async with opened() as stores:
        await ready(stores)
        await chat(stores, "s")
        await supported(stores, by_round(1, 1, 4))

        batch = await due_now(stores)

        assert [each.session_id for each in batch.rounds] == ["s0", "s1", "s2", "s"]
        assert len(batch.actions) == 3
