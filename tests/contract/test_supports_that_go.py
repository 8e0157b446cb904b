"""What speaks for a memory beside acts, and what no longer does once rounds, sessions, acts or memories are gone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from fakes.acts_read import SHORT, claimed, everything, finish, only, recorded, shown
from fakes.records import AT, begin, chat, header, later

from orca_core.model.feedback import ActionState, SupportKind
from orca_core.model.learning import Due, Learnt, Proposal, RunEnd
from orca_core.model.memories import ArchivedBecause, Memory, MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.records import ACTION, SUPPORT
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import signals
from orca_core.rules.learning import fact_extraction, resolve
from orca_core.rules.memory import memory_curation, undo_rules


async def extracted(stores: Stores, held: str | None, content: str = SHORT) -> Learnt:
    """What a run learns that reads the round just said."""
    await chat(stores)
    due = Due(now=AT, batch_size=1, idle_since=AT - timedelta(days=1))
    batch = await stores.learning.claim(due, fact_extraction.how_many_fit)
    assert batch is not None
    rounds = tuple(each.number for each in batch.rounds)
    origin = Origin(OriginKind.EXTRACTION, "s", rounds, f"words {rounds}", "m")
    state = State.CANDIDATE if held else State.LIVE
    new = NewMemory(content, MemoryType.PREFERENCE, confidence=0.8, origin=origin, state=state, held_because=held)
    learnt = await stores.learning.finish_run(batch, [Proposal(new)], [], resolve.settle, RunEnd(later()))
    assert learnt is not None
    return learnt


async def kinds(stores: Stores, memory: int = 1) -> list[str]:
    return [each.kind.value for each in (await stores.supports.of([memory])).get(memory, ())]


async def liked(stores: Stores, number: int = 1, **fields: object) -> Memory:
    """The memory that a like of a round shows."""
    act = await recorded(stores, number=number, **fields)
    await finish(stores, await claimed(stores), shown(act))
    return (await everything(stores))[0]


@pytest.mark.parametrize(
    ("held", "speaks"),
    [("unread", True), ("not_said", True), ("not_typed", False), ("url", False), ("secret", False)],
)
async def test_a_round_speaks_for_what_lacks_proof_alone(opened, held: str, speaks: bool) -> None:
    async with opened() as stores:
        await extracted(stores, held)
        assert await kinds(stores) == (["round"] if speaks else [])

        await liked(stores, 7)
        await extracted(stores, held)
        assert await kinds(stores) == (["round", "act", "round"] if speaks else ["act"])


async def test_a_round_speaks_once_and_undo_takes_it_back_for_good(opened) -> None:
    async with opened() as stores:
        await liked(stores, 7)
        learnt = await extracted(stores, "unread")
        [_, by_round] = (await stores.supports.of([1]))[1]
        assert (by_round.kind, by_round.source, by_round.at) == (SupportKind.ROUND, "round s 1", AT)

        await stores.history.undo(learnt.operation, later(1), undo_rules.plan)
        assert await kinds(stores) == ["act"]
        await stores.history.redo(None, later(2), undo_rules.plan)
        assert await kinds(stores) == ["act", "round"]


async def test_what_is_typed_needs_no_support(opened) -> None:
    async with opened() as stores:
        await liked(stores, 7)
        await extracted(stores, None)

        memory = await only(stores)
        assert (memory.state, memory.confirmed_by) == (State.LIVE, "typed")
        await recorded(stores, "CANCEL_LIKE", 7)
        assert (await only(stores)).state is State.LIVE


@pytest.mark.parametrize("names_the_attempt", [True, False])
async def test_another_attempt_withdraws_the_acts_on_the_one_before(opened, names_the_attempt: bool) -> None:
    async with opened() as stores:
        await chat(stores)
        [said] = await stores.sessions.rounds("s")
        memory = await liked(stores, **({"round_id": said.id} if names_the_attempt else {}))
        assert memory.state is State.CANDIDATE

        await begin(stores, replaces=1, at=later(5))

        memory = await only(stores)
        assert (memory.state, memory.archived_because) == (State.ARCHIVED, ArchivedBecause.WITHDRAWN)
        page = await stores.records[ACTION].page(RecordQuery())
        assert [each.state for each in page.records] == [ActionState.WITHDRAWN]
        assert await stores.actions.standing("s", signals.MARKS) == []


async def left(stores: Stores, kind=ACTION) -> list[int]:
    return [each.id for each in (await stores.records[kind].page(RecordQuery())).records]


async def with_a_promoted_one(stores: Stores, numbers: Sequence[int] = (1, 2, 3)) -> Memory:
    for number in numbers:
        await chat(stores)
        await liked(stores, number)
    [memory] = await everything(stores)
    [ready] = await stores.supports.pool()
    at = later(9)
    batch = await stores.promotions.claim(Due(at, 5, at), lambda pool, *_: ready.memory if pool else None)
    assert batch is not None
    assert await stores.promotions.finish(batch, RunEnd(at), lives=True) is not None
    return memory


async def test_a_deleted_session_has_no_acts_and_they_speak_for_nothing(opened) -> None:
    async with opened() as stores:
        await with_a_promoted_one(stores)
        await recorded(stores, "COLLECT_SESSION", session="t")

        await stores.sessions.delete("s", header("delete", later(10)))

        memory = await only(stores)
        assert (memory.state, memory.archived_because) == (State.ARCHIVED, ArchivedBecause.WITHDRAWN)
        [kept] = await stores.records[ACTION].get(await left(stores))
        assert kept.session_id == "t"
        assert await kinds(stores) == []


async def test_a_deleted_act_speaks_for_nothing_whatever_is_undone_then(opened) -> None:
    async with opened() as stores:
        await liked(stores)
        [act] = await left(stores)
        [read, *_] = [each for each in await stores.history.operations(9) if each.header.action == "acts"]
        await stores.history.undo(read.id, later(5), undo_rules.plan)
        await stores.records[ACTION].delete([act], header("delete", later(6)))
        await stores.history.redo(None, later(7), undo_rules.plan)

        assert await kinds(stores) == []
        assert (await only(stores)).state is State.ARCHIVED


async def test_a_round_deleted_with_what_it_taught_takes_its_acts_along(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        origin = Origin(OriginKind.EXTRACTION, "s", (1,))
        taught = await stores.memories.add(NewMemory("the user has a dog", origin=origin), header())
        await recorded(stores)

        await stores.memories.delete([taught.memory.id], header("delete"), with_messages=True)
        assert await left(stores) == []


async def test_a_deleted_memory_leaves_no_support(opened) -> None:
    async with opened() as stores:
        memory = await liked(stores)
        supports = await left(stores, SUPPORT)
        assert supports

        await stores.memories.delete([memory.id], header("delete"))

        assert await left(stores, SUPPORT) == []
        assert [each async for each in stores.records[SUPPORT].all()] == []


async def test_what_is_merged_by_hand_brings_its_supports(opened) -> None:
    async with opened() as stores:
        await liked(stores, 1)
        act = await recorded(stores, number=2)
        await finish(stores, await claimed(stores), shown(act, content="The user likes tables"))

        merge = memory_curation.merge(1, content=None, max_weight=10)
        merged = await stores.memories.change([1, 2], header("merge", later(5)), merge)
        assert await kinds(stores, 1) == ["act", "act"]
        await stores.history.undo(merged.operation, later(6), undo_rules.plan)
        assert (await kinds(stores, 1), await kinds(stores, 2)) == (["act"], ["act"])
        await stores.history.redo(None, later(7), undo_rules.plan)
        await recorded(stores, "CANCEL_LIKE", 1)
        assert await kinds(stores, 1) == ["act"]
