"""Knowledge: targets counted, episodes claimed, made, renewed, held back, taken back; one lives on a target."""

from __future__ import annotations

import pytest
from fakes.asking import asked
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
    retold,
    worked,
)

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.knowledge import KnowledgeWritten
from orca_core.model.learning import DroppedFact, RunEnd, RunKind, RunState
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.operations import Conflict
from orca_core.model.record_types import EPISODE, KNOWLEDGE, Ref
from orca_core.operations.stores import Stores
from orca_core.rules.work import task_changes, work_curation


async def test_three_episodes_on_one_target_become_knowledge(stores) -> None:
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

    made = settled.knowledge
    assert (made.topic, made.content, made.key_points) == ("pools", "raise the pool", ("look first",))
    assert (made.source_episodes, made.confidence, made.version) == (tuple(ids), 0.8, 1)
    assert (made.state, made.target, made.origin.model) == (State.LIVE, "orders", "m")
    assert await marks(stores) == {1: made.id, 2: made.id, 3: made.id, 4: None}
    assert await stores.knowledge.of_target("ORDERS") == [made]
    assert await stores.knowledge.of_target("") == await stores.knowledge.of_target("payments") == []
    [run] = await stores.learning.runs(5)
    assert (run.kind, run.state, run.target, run.episodes) == (
        RunKind.CONSOLIDATE,
        RunState.DONE,
        "orders",
        (1, 2, 3),
    )
    assert (run.result.knowledge, run.result.dropped, run.operation) == ((made.id,), lacking, settled.operation)
    assert (await stores.learning.run(run.id))[1] == list(SAID)
    assert await consolidated(stores) is None


async def test_a_further_episode_renews_the_same_knowledge(stores) -> None:
    await worked(stores, "a", "b", "c")
    first = await made(stores)
    [further] = await worked(stores, "d")
    batch = await claimed(stores)
    assert [each.id for each in batch.episodes] == [further]
    assert [each.id for each in batch.earlier] == [3, 2, 1]
    assert batch.known == (first.knowledge,)

    settled = await stores.knowledge.finish(batch, judged("look at the pool"), RunEnd(later(9)))

    assert (settled.knowledge.id, settled.knowledge.version) == (first.knowledge.id, 2)
    assert (settled.knowledge.content, settled.knowledge.source_episodes) == ("look at the pool", (1, 2, 3, 4))
    undone = await back(stores, settled.operation)
    before = await known(stores, first.knowledge.id)
    assert (before.content, before.version, before.source_episodes) == ("raise the pool", 1, (1, 2, 3))
    assert await marks(stores) == {1: 1, 2: 1, 3: 1, 4: None}
    await again(stores, undone)
    assert (await known(stores, first.knowledge.id)).source_episodes == (1, 2, 3, 4)
    assert await marks(stores) == dict.fromkeys((1, 2, 3, 4), 1)


async def test_what_teaches_nothing_is_not_asked_again(stores) -> None:
    await worked(stores, "a", "b", "c")
    batch = await claimed(stores)
    assert await stores.knowledge.finish(batch, None, RunEnd(later(), SAID)) == KnowledgeWritten()
    [run] = await stores.learning.runs(5)
    assert (run.state, run.operation) == (RunState.NONE, None)
    assert await consolidated(stores) is None
    assert await stores.knowledge.claim(due(target="Orders")) is not None


@pytest.mark.parametrize("what", ["changed", "archived", "deleted", "marked"])
async def test_a_batch_is_void_whose_episode_is_another_by_now(stores, what: str) -> None:
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

    [run] = await stores.learning.runs(5)
    assert (run.state, run.episodes) == (RunState.NONE, ())
    assert "meanwhile" in run.error
    assert (await stores.learning.run(run.id))[1] == []
    assert (await made(stores)).knowledge is not None


async def test_what_is_held_back_waits_beside_what_lives(stores) -> None:
    await worked(stores, "a", "b", "c")
    await made(stores)
    await worked(stores, "d")
    held = (await made(stores, "port 9999", held="not_in_sources")).knowledge
    assert (held.id, held.state, held.held_because, held.version) == (2, State.CANDIDATE, "not_in_sources", 2)
    assert held.source_episodes == (1, 2, 3, 4)
    assert await marks(stores) == {1: 1, 2: 1, 3: 1, 4: 2}
    assert [each.id for each in await stores.knowledge.of_target("orders")] == [1, 2]

    accepted = await stores.knowledge.accept([2], header("accept", later(5)), work_curation.accept(KNOWLEDGE))

    assert [each.state for each in accepted.records] == [State.LIVE]
    first = await known(stores, 1)
    assert (first.state, first.archived_because) == (State.ARCHIVED, ArchivedBecause.SUPERSEDED)
    assert set((await marks(stores)).values()) == {2}
    await back(stores, accepted.operation)
    assert await marks(stores) == {1: 1, 2: 1, 3: 1, 4: 2}
    assert (await known(stores, 1)).state is State.LIVE
    with pytest.raises(InvalidInput):
        await stores.knowledge.accept([1], header("accept"), work_curation.accept(KNOWLEDGE))
    with pytest.raises(NotFound):
        await stores.knowledge.accept([99], header("accept"), work_curation.accept(KNOWLEDGE))


async def test_deleted_knowledge_is_not_made_again_of_the_same_episodes(stores) -> None:
    await worked(stores, "a", "b", "c")
    batch = await claimed(stores)
    settled = await stores.knowledge.finish(batch, judged(), RunEnd(later(), SAID))
    undone = await back(stores, settled.operation)

    await stores.records[KNOWLEDGE].delete([1], header("delete"))
    await again(stores, undone)

    assert set((await marks(stores)).values()) == {None}
    assert (await stores.learning.run(batch.run))[1] == []
    assert await consolidated(stores) is None
    [history] = [await stores.records[EPISODE].history(1)]
    assert [each.action for each in history] == ["add"]
    await worked(stores, "d")
    settled = await consolidated(stores)
    assert settled.knowledge is None
    await worked(stores, "e")
    assert (await made(stores, "lower the timeout")).knowledge is not None


async def test_a_target_is_renamed_everywhere_and_merged_with_another(stores) -> None:
    await worked(stores, "a", "b", "c", target="Order Service")
    await made(stores)
    await worked(stores, "d", target="orders")
    await worked(stores, "e", target="order-service", state=State.ARCHIVED)
    await stores.tasks.start(task_changes.new_task("s", "x", AT, target="order service"), header("start_task"))

    renamed = await stores.knowledge.rename_target("ORDER_SERVICE", "orders", header("rename_target"), retold)

    assert (renamed.episodes, renamed.knowledge, renamed.tasks) == ((1, 2, 3, 5), (1,), (1,))
    assert [each.target for each in await stores.knowledge.targets()] == ["orders"]
    assert (await known(stores, 1)).text == "orders anew"
    assert await asked(stores).by_tokens(("anew",), 5, kind=KNOWLEDGE) != []
    assert (await made(stores)).knowledge is not None
    await back(stores, renamed.operation)
    assert {each.target for each in await stores.records[EPISODE].get([1, 2, 3])} == {"Order Service"}
    nothing = await stores.knowledge.rename_target("nowhere", "x", header("rename_target"), retold)
    assert (nothing.operation, nothing.episodes) == (None, ())


async def living(stores: Stores) -> list[int]:
    return [each.id async for each in stores.records[KNOWLEDGE].all() if each.state is State.LIVE]


async def test_what_a_person_restores_takes_the_place_of_what_lives(stores) -> None:
    await _two_versions(stores)

    restored = await stores.records[KNOWLEDGE].change_all(
        [1], header("restore"), work_curation.change_each(work_curation.restore(KNOWLEDGE))
    )

    assert await living(stores) == [1]
    assert (await known(stores, 2)).archived_because is ArchivedBecause.SUPERSEDED
    undone = await back(stores, restored.operation)
    assert await living(stores) == [2]
    await again(stores, undone)
    assert await living(stores) == [1]


async def _two_versions(stores: Stores) -> None:
    """The first archived by hand, the second made of the same episodes."""
    await worked(stores, "a", "b", "c")
    await made(stores)
    await _archived(stores, 1)
    await made(stores, "made anew", target="orders")
    assert await living(stores) == [2]


async def _archived(stores: Stores, number: int) -> None:
    await stores.records[KNOWLEDGE].change_all(
        [number], header("archive"), work_curation.change_each(work_curation.archive(AT))
    )


async def test_an_older_consolidation_that_is_done_again_gives_way_to_the_newer_one(stores) -> None:
    await worked(stores, "a", "b", "c")
    first = (await made(stores)).operation
    undone = await back(stores, first)
    await worked(stores, "d")
    await made(stores, "of four")
    assert await living(stores) == [2]

    redone = await stores.history.redo(undone, later(51))

    assert await living(stores) == [2]
    assert (await known(stores, 1)).archived_because is ArchivedBecause.SUPERSEDED
    assert redone.conflicts == (Conflict(Ref(KNOWLEDGE, 1), "state", "live", "archived"),)
