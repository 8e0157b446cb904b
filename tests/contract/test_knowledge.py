"""Knowledge through a store: targets counted, episodes claimed, knowledge made, renewed, taken back."""

from __future__ import annotations

import pytest
from fakes.records import AT, header, later
from fakes.teaching import (
    SAID,
    again,
    archive,
    back,
    claimed,
    consolidated,
    due,
    judged,
    known,
    made,
    marks,
    worked,
)

from orca_core.model.knowledge import Settled
from orca_core.model.learning import DroppedFact, RunEnd, RunKind, RunState
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.records import EPISODE, KNOWLEDGE
from orca_core.rules.work import task_changes


async def test_targets_are_counted_however_they_are_spelled(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", target="Order Service")
        await worked(stores, "c", target="order-service")
        await worked(stores, "d", target="")
        await worked(stores, "e", target="gone", state=State.ARCHIVED)
        await stores.tasks.start(task_changes.started("s", "look", AT, target="payments"), header("start_task"))

        [orders, payments] = await stores.knowledge.targets()

        assert (orders.target, orders.episodes, orders.waiting, orders.unread) == ("Order Service", 3, 3, 3)
        assert (payments.target, payments.episodes) == ("payments", 0)


async def test_three_episodes_on_one_target_become_knowledge(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", target="Orders")
        assert await consolidated(stores) is None
        ids = [1, *await worked(stores, "b", "c", target="orders")]
        await worked(stores, "d", target="payments")
        batch = await claimed(stores)
        assert (batch.kind, batch.tries, batch.target) == (RunKind.CONSOLIDATE, 1, "orders")
        assert ([each.id for each in batch.episodes], batch.earlier, batch.known) == (ids, (), ())

        lacking = (DroppedFact("9999", "not_in_sources"),)
        ended = RunEnd(later(), SAID)
        settled = await stores.knowledge.finish(batch, judged(lacking=lacking), ended)

        assert settled is not None
        made = settled.knowledge
        assert made is not None
        assert (made.topic, made.content, made.key_points) == ("pools", "raise the pool", ("look first",))
        assert (made.source_episodes, made.confidence, made.version) == (tuple(ids), 0.8, 1)
        assert (made.state, made.target, made.origin.model) == (State.LIVE, "orders", "m")
        assert await marks(stores) == {1: made.id, 2: made.id, 3: made.id, 4: None}
        assert await stores.knowledge.of_target("ORDERS") == [made]
        assert await stores.knowledge.of_target("") == await stores.knowledge.of_target("payments") == []
        [run] = await stores.runs.runs(5)
        assert (run.kind, run.state, run.target, run.episodes) == (
            RunKind.CONSOLIDATE,
            RunState.DONE,
            "orders",
            (1, 2, 3),
        )
        assert run.result is not None
        assert (run.result.knowledge, run.result.dropped, run.operation) == ((made.id,), lacking, settled.operation)
        assert (await stores.runs.run(run.id))[1] == list(SAID)
        assert await consolidated(stores) is None


async def test_a_further_episode_renews_the_same_knowledge(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        first = await made(stores)
        [further] = await worked(stores, "d")
        batch = await claimed(stores)
        assert [each.id for each in batch.episodes] == [further]
        assert [each.id for each in batch.earlier] == [3, 2, 1]
        assert batch.known == (first.knowledge,)

        settled = await stores.knowledge.finish(batch, judged("look at the pool"), RunEnd(later(9)))

        assert settled is not None
        assert settled.knowledge is not None
        assert first.knowledge is not None
        assert (settled.knowledge.id, settled.knowledge.version) == (first.knowledge.id, 2)
        assert (settled.knowledge.content, settled.knowledge.source_episodes) == ("look at the pool", (1, 2, 3, 4))
        undone = await back(stores, settled.operation)
        before = await known(stores, first.knowledge.id)
        assert (before.content, before.version, before.source_episodes) == ("raise the pool", 1, (1, 2, 3))
        assert await marks(stores) == {1: 1, 2: 1, 3: 1, 4: None}
        await again(stores, undone)
        assert (await known(stores, first.knowledge.id)).source_episodes == (1, 2, 3, 4)
        assert await marks(stores) == dict.fromkeys((1, 2, 3, 4), 1)


async def test_what_was_taken_back_is_not_made_again_of_the_same_episodes(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        first = await made(stores)
        await back(stores, first.operation)
        assert (await known(stores, 1)).archived_because is ArchivedBecause.UNDONE
        assert set((await marks(stores)).values()) == {None}
        assert await consolidated(stores) is None
        [target] = await stores.knowledge.targets()
        assert (target.waiting, target.unread) == (3, 0)

        await worked(stores, "d")
        second = await made(stores)

        assert second.knowledge is not None
        assert (second.knowledge.id, second.knowledge.source_episodes) == (2, (1, 2, 3, 4))


async def test_a_version_that_was_taken_back_needs_a_further_episode(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        await worked(stores, "d")
        second = await made(stores)
        await back(stores, second.operation)
        assert await consolidated(stores) is None
        await worked(stores, "e")

        third = await made(stores)

        assert third.knowledge is not None
        assert (third.knowledge.version, third.knowledge.source_episodes) == (2, (1, 2, 3, 4, 5))


async def test_what_teaches_nothing_is_not_asked_again(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        batch = await claimed(stores)
        assert await stores.knowledge.finish(batch, None, RunEnd(later(), SAID)) == Settled()
        [run] = await stores.runs.runs(5)
        assert (run.state, run.operation) == (RunState.NONE, None)
        assert await consolidated(stores) is None
        assert await stores.knowledge.claim(due(target="Orders")) is not None


@pytest.mark.parametrize("what", ["changed", "archived", "deleted", "marked"])
async def test_a_batch_is_void_whose_episode_is_another_by_now(opened, what: str) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c", "d")
        batch = await claimed(stores)
        episodes = stores.records[EPISODE]
        match what:
            case "changed":
                await episodes.change(2, {"outcome_summary": "otherwise"}, header("edit"))
            case "archived":
                await archive(stores, 2)
            case "deleted":
                await episodes.delete([2], header("delete"))
            case _:
                await episodes.change(2, {"consolidated_into": 9}, header("edit"))

        assert await stores.knowledge.finish(batch, judged(), RunEnd(later(), SAID)) is None

        [run] = await stores.runs.runs(5)
        assert (run.state, run.episodes) == (RunState.NONE, ())
        assert "meanwhile" in run.error
        assert (await stores.runs.run(run.id))[1] == []
        assert (await made(stores)).knowledge is not None


async def test_being_looked_at_makes_no_batch_void(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        batch = await claimed(stores)
        await stores.records[EPISODE].change(1, {"access_count": 4, "pinned": True}, header("pin"))

        assert await stores.knowledge.finish(batch, judged(), RunEnd(later())) is not None


async def test_a_batch_is_void_whose_knowledge_a_person_edited(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        await worked(stores, "d")
        batch = await claimed(stores)
        edit = await stores.records[KNOWLEDGE].change_all(
            [1], header("edit"), lambda _: {1: {"content": "mine", "text": "mine"}}
        )

        assert await stores.knowledge.finish(batch, judged(), RunEnd(later())) is None
        assert (await known(stores, 1)).content == "mine"
        [target] = await stores.knowledge.targets()
        assert target.is_kept_by_hand
        assert await consolidated(stores) is None
        await back(stores, edit.operation)
        assert (await made(stores)).knowledge is not None


async def test_pinned_knowledge_is_renewed_when_a_person_asks(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        await worked(stores, "d")
        await stores.records[KNOWLEDGE].change(1, {"pinned": True}, header("pin"))
        assert await consolidated(stores) is None

        settled = await made(stores, target="ORDERS")

        assert settled.knowledge is not None
        assert (settled.knowledge.version, settled.knowledge.pinned) == (2, True)


async def test_at_most_twenty_newest_are_read_at_once(opened) -> None:
    async with opened() as stores:
        await worked(stores, *(f"number {each}" for each in range(25)))
        batch = await claimed(stores)
        assert [each.id for each in batch.episodes] == [*range(6, 26)]
        assert await stores.knowledge.finish(batch, judged(), RunEnd(later())) is not None

        following = await claimed(stores)

        assert [each.id for each in following.episodes] == [1, 2, 3, 4, 5]


async def test_a_run_that_failed_waits_for_its_time_and_is_parked_in_the_end(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        batch = await claimed(stores)
        await stores.learning.fail(batch, RunState.FAILED, "down", later(10), RunEnd(AT, SAID))
        await worked(stores, "d")

        assert await stores.knowledge.claim(due(9)) is None
        resumed = await claimed(stores, 10)
        assert (resumed.run, resumed.tries, len(resumed.episodes)) == (batch.run, 2, 4)
        assert await stores.knowledge.claim(due(10, besides=(batch.run,))) is None
        await stores.learning.release(resumed)
        assert (await claimed(stores, 11)).tries == 2
        for tries in range(3, 6):
            assert (await claimed(stores, 11 + tries)).tries == tries
        assert await stores.knowledge.claim(due(90)) is None
        [run] = await stores.runs.runs(5)
        assert run.is_parked
        assert await stores.learning.retry(None, later(91)) == 1
        assert (await claimed(stores, 91)).tries == 1


async def test_a_run_whose_episodes_are_gone_ends(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        batch = await claimed(stores)
        await stores.learning.fail(batch, RunState.FAILED, "down", AT, RunEnd(AT))
        await archive(stores, 1, 2, 3)

        assert await stores.knowledge.claim(due(1)) is None

        [run] = await stores.runs.runs(5)
        assert (run.state, run.error) == (RunState.NONE, "its episodes are gone")
