"""Episodes that change or go, and what the knowledge that was made of them says then; in any order."""

from __future__ import annotations

import pytest
from fakes.records import header, later
from fakes.teaching import SAID, again, archive, back, claimed, consolidated, judged, known, made, marks, worked

from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import SOURCE_DELETED
from orca_core.model.learning import RunEnd
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.record_types import EPISODE, KNOWLEDGE


async def test_knowledge_is_held_back_and_its_old_versions_go(stores) -> None:
    await worked(stores, "a", "b", "c")
    batch = await claimed(stores)
    await stores.knowledge.finish(batch, judged(), RunEnd(later(), SAID))
    await worked(stores, "d")
    second = await made(stores, "anew")

    left = await stores.records[EPISODE].delete([2, 4], header("delete"))

    held = await known(stores, 1)
    assert (left.held, left.kept, left.is_wiped) == ((1,), (), True)
    assert (held.state, held.held_because, held.source_episodes) == (State.CANDIDATE, SOURCE_DELETED, (1, 3))
    assert await marks(stores) == {1: 1, 3: 1}
    history = await stores.records[KNOWLEDGE].history(1)
    assert [each.action for each in history] == ["consolidate", "delete"]
    assert not any("content" in (each.before or {}) or "content" in each.after for each in history)
    assert (await stores.learning.run(batch.run))[1] == []
    assert {run.target for run in await stores.learning.runs(5)} == {""}
    with pytest.raises(InvalidInput, match="changed nothing"):
        await back(stores, second.operation)


async def test_it_is_written_anew_of_what_is_left_once(stores) -> None:
    await worked(stores, "a", "b", "c")
    await made(stores, "the secret")
    await stores.records[EPISODE].delete([2, 3], header("delete"))
    [target] = await stores.knowledge.targets()
    assert (target.waiting, target.unread) == (1, 1)

    anew = await made(stores, "what is left")

    assert (anew.knowledge.id, anew.knowledge.state, anew.knowledge.version) == (1, State.LIVE, 2)
    assert (anew.knowledge.held_because, anew.knowledge.source_episodes) == (None, (1,))
    assert await consolidated(stores) is None
    [making] = await stores.records[KNOWLEDGE].history(1)
    assert making.before is None
    undone = await back(stores, anew.operation)
    assert (await known(stores, 1)).archived_because is ArchivedBecause.UNDONE
    assert await marks(stores) == {1: None}
    await again(stores, undone)
    assert ((await known(stores, 1)).content, await marks(stores)) == ("what is left", {1: 1})


@pytest.mark.parametrize("what", [{"pinned": True}, {"content": "mine"}])
async def test_what_a_person_pinned_or_wrote_stays_and_says_so(stores, what: dict[str, object]) -> None:
    await worked(stores, "a", "b", "c")
    await made(stores)
    await stores.records[KNOWLEDGE].change(1, what, header("edit"))

    left = await stores.records[EPISODE].delete([2], header("delete"))

    kept = await known(stores, 1)
    assert (left.held, left.kept) == ((), (1,))
    assert (kept.state, kept.held_because, kept.source_episodes) == (State.LIVE, SOURCE_DELETED, (1, 3))
    assert await consolidated(stores) is None


async def test_what_faded_and_is_deleted_for_its_age_holds_nothing_back(stores) -> None:
    await worked(stores, "a", "b", "c")
    await made(stores)
    await archive(stores, 2)
    await stores.records[EPISODE].change(2, {"archived_because": "faded"}, header("fade"))

    assert await stores.retention.delete_faded([2], header("delete")) == [2]

    assert ((await known(stores, 1)).state, (await known(stores, 1)).source_episodes) == (State.LIVE, (1, 3))
    assert await consolidated(stores) is None


async def test_deleted_knowledge_leaves_its_episodes_to_the_candidate_that_names_them(stores) -> None:
    await worked(stores, "a", "b", "c")
    await made(stores)
    await worked(stores, "d")
    await made(stores, held="not_in_sources")
    assert await marks(stores) == {1: 1, 2: 1, 3: 1, 4: 2}

    await stores.records[KNOWLEDGE].delete([1], header("delete"))

    assert set((await marks(stores)).values()) == {2}


async def test_an_episode_that_was_changed_renews_what_it_taught_once(stores) -> None:
    await worked(stores, "a", "b", "c")
    await made(stores)
    edit = await stores.records[EPISODE].change_all(
        [2], header("edit"), lambda _: {2: {"outcome": "failed", "outcome_summary": "it came back"}}
    )
    [target] = await stores.knowledge.targets()
    assert (target.waiting, target.unread) == (1, 1)
    batch = await claimed(stores)
    assert ([each.id for each in batch.episodes], [each.id for each in batch.earlier]) == ([2], [3, 1])
    await stores.learning.release(batch)

    renewed = await made(stores, "it does not help")

    assert (renewed.knowledge.version, renewed.knowledge.source_episodes) == (2, (1, 2, 3))
    assert await consolidated(stores) is None
    await back(stores, edit.operation)
    third = await made(stores, "it helps after all")
    assert third.knowledge.version == 3
    await back(stores, third.operation)
    assert await consolidated(stores) is None
