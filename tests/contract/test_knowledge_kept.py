"""Knowledge that is held back, deleted, or gets another target."""

from __future__ import annotations

import pytest
from fakes.asking import asked
from fakes.records import AT, header, later
from fakes.teaching import (
    SAID,
    again,
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
from orca_core.model.learning import RunEnd, RunState
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.records import EPISODE, KNOWLEDGE
from orca_core.rules.work import task_changes, work_curation


async def test_what_is_held_back_waits_beside_what_lives(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        await worked(stores, "d")
        held = (await made(stores, "port 9999", held="not_in_sources")).knowledge
        assert held is not None
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


async def test_a_candidate_is_renewed_and_gives_way_to_what_lives(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores, "port 9999", held="not_in_sources")
        await worked(stores, "d")
        assert (await made(stores, "port 8888", held="not_in_sources")).knowledge == await known(stores, 1)
        await worked(stores, "e")
        lives = (await made(stores, "raise it")).knowledge
        assert lives is not None
        assert (lives.id, lives.state, lives.held_because, lives.version) == (1, State.LIVE, None, 3)

        await worked(stores, "f")
        await made(stores, "port 9999", held="not_in_sources")
        await worked(stores, "g")
        renewed = await made(stores, "raise it more")

        assert renewed.superseded == (2,)
        assert renewed.knowledge is not None
        assert (renewed.knowledge.id, renewed.knowledge.source_episodes) == (1, (1, 2, 3, 4, 5, 6, 7))
        assert (await known(stores, 2)).archived_because is ArchivedBecause.SUPERSEDED
        assert set((await marks(stores)).values()) == {1}


async def test_a_source_that_was_rejected_is_none_any_more(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        await stores.records[EPISODE].change(2, {"state": "rejected"}, header("reject"))
        await worked(stores, "d")

        settled = await made(stores)

        assert settled.knowledge is not None
        assert settled.knowledge.source_episodes == (1, 3, 4)
        assert await marks(stores) == {1: 1, 2: None, 3: 1, 4: 1}


async def test_deleted_knowledge_is_not_made_again_of_the_same_episodes(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        batch = await claimed(stores)
        settled = await stores.knowledge.finish(batch, judged(), RunEnd(later(), SAID))
        assert settled is not None
        undone = await back(stores, settled.operation)

        await stores.records[KNOWLEDGE].delete([1], header("delete"))
        await again(stores, undone)

        assert set((await marks(stores)).values()) == {None}
        assert (await stores.runs.run(batch.run))[1] == []
        assert await consolidated(stores) is None
        [history] = [await stores.records[EPISODE].history(1)]
        assert [each.action for each in history] == ["add"]
        await worked(stores, "d")
        settled = await consolidated(stores)
        assert settled is not None
        assert settled.knowledge is None
        await worked(stores, "e")
        assert (await made(stores, "lower the timeout")).knowledge is not None


async def test_what_is_said_of_a_deleted_episode_is_not_kept(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        batch = await claimed(stores)
        await stores.records[EPISODE].delete([2], header("delete"))
        await stores.learning.fail(batch, RunState.FAILED, "down", AT, RunEnd(AT, SAID))

        assert (await stores.runs.run(batch.run))[1] == []


async def test_a_target_is_renamed_everywhere_and_merged_with_another(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c", target="Order Service")
        await made(stores)
        await worked(stores, "d", target="orders")
        await worked(stores, "e", target="order-service", state=State.ARCHIVED)
        await stores.tasks.start(task_changes.started("s", "x", AT, target="order service"), header("start_task"))

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


async def test_knowledge_of_two_targets_becomes_one_with_the_next_episode(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c", target="one")
        await made(stores)
        await worked(stores, "d", "e", "f", target="two")
        await made(stores)
        await stores.knowledge.rename_target("two", "one", header("rename_target"), retold)
        assert [(await known(stores, each)).state for each in (1, 2)] == [State.ARCHIVED, State.LIVE]
        await worked(stores, "g", target="one")

        settled = await made(stores, "of both")

        assert settled.knowledge is not None
        assert (settled.knowledge.id, settled.knowledge.source_episodes) == (2, (1, 2, 3, 4, 5, 6, 7))
        assert set((await marks(stores)).values()) == {2}


async def test_each_scope_has_its_own_targets(opened) -> None:
    async with opened("me") as mine, opened("you", "me") as yours:
        await worked(mine, "a", "b", "c")
        assert await yours.knowledge.claim(due()) is None
        assert await mine.knowledge.claim(due()) is not None
