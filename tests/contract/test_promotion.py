"""Candidates that acts show often enough: claimed like any run, let live or held by the verifier in one transaction."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from fakes.acts_read import SHORT, claimed, finish, only, recorded
from fakes.acts_read import shown as seen
from fakes.promoted import SAID, SOON, claim_candidate, done, ready, show, verified
from fakes.records import AT, begin, header, later, remember
from fakes.supported import LIKES_TABLES, by_act, by_round, shown, supported

from orca_core.model.feedback import ActBatch, Action, ActionType, Promotion
from orca_core.model.learning import RunState, Verification
from orca_core.model.memories import Memory, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor
from orca_core.model.record_types import ACTION
from orca_core.operations.stores import Stores
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


claim_any = claim_candidate


async def due_now(stores: Stores, at: datetime = SOON, **given: object) -> ActBatch:
    batch = await claim_any(stores, at, **given)
    assert batch is not None
    return batch


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
            await stores.memories.change_all(
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
