"""Episodes that change or go, and what the knowledge that was made of them says then; in any order."""

from __future__ import annotations

import asyncio

import pytest
from fakes.records import AT, header, later
from fakes.slices import SLICES, slices_of
from fakes.teaching import SAID, again, archive, back, claimed, consolidated, due, judged, known, made, marks, worked
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.episodes import ChangeOne, Episode, WorkRecord
from orca_core.model.errors import InvalidInput, OrcaError
from orca_core.model.knowledge import SOURCE_DELETED, Knowledge, KnowledgeBatch
from orca_core.model.learning import RunEnd
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.record_types import EPISODE, KNOWLEDGE, Kind
from orca_core.operations.knowledge_sources import STANDING
from orca_core.operations.stores import Stores
from orca_core.rules.work import consolidation_rules, work_curation
from orca_core.rules.work.consolidation_rules import believed_knowledge


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


async def test_what_says_the_same_is_not_read_again(stores) -> None:
    await worked(stores, "a", "b", "c")
    await made(stores)
    await stores.records[EPISODE].change(1, {"access_count": 3, "pinned": True}, header("pin"))
    await archive(stores, 2)
    await stores.records[EPISODE].change(2, {"state": "live", "archived_because": None}, header("restore"))

    assert await consolidated(stores) is None


WHAT = (
    "work work work work teach teach teach hold hold nothing undo undo redo redo archive restore reject edit"
    " delete_episode delete_episode fade_away delete_knowledge accept rename retarget archive_knowledge"
    " restore_knowledge reject_knowledge pin_knowledge unpin_knowledge"
)
ACTS = st.lists(st.tuples(st.sampled_from(WHAT.split()), st.integers(0, 7)), max_size=30)


class Story:
    """What is done to a store, one act after the other. An act that is refused does nothing."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.count = 0
        self.minutes = 0
        self.deleted: set[str] = set()
        self.vouched_for: set[str] = set()
        """What a person let live, also after its episode was deleted."""

    async def act(self, what: str, which: int) -> None:
        self.minutes += 1
        try:
            await getattr(self, what)(which)
        except OrcaError:
            return

    async def work(self, which: int) -> None:
        self.count += 1
        await worked(self.stores, f"trouble{self.count} again", target=["orders", "payments"][which % 2])

    async def _run(self, which: int, held: str | None, is_taught: bool) -> None:
        if batch := await self.stores.knowledge.claim(due(self.minutes, min_episodes=2)):
            answer = judged(words_of(batch), held) if is_taught else None
            await self.stores.knowledge.finish(batch, answer, RunEnd(later(self.minutes)))
            # The same episodes are not due a second time.
            assert (
                await self.stores.knowledge.claim(due(self.minutes, min_episodes=2, target=batch.target, besides=(0,)))
                is None
            )

    async def teach(self, which: int) -> None:
        await self._run(which, None, True)

    async def hold(self, which: int) -> None:
        await self._run(which, "not_in_sources", True)

    async def nothing(self, which: int) -> None:
        await self._run(which, None, False)

    async def undo(self, which: int) -> None:
        operations = [each for each in await self.stores.history.operations(100) if each.header.action != "add"]
        await self.stores.history.undo(
            operations[which % len(operations)].id if operations else None, later(self.minutes)
        )

    async def redo(self, which: int) -> None:
        undone = [each for each in await self.stores.history.operations(100) if each.header.action == "undo"]
        await self.stores.history.redo(undone[which % len(undone)].id if undone else None, later(self.minutes))

    async def _change(self, action: str, which: int) -> None:
        episodes = await everything(self.stores)
        if episodes:
            chosen = episodes[which % len(episodes)].id
            change = (
                work_curation.archive(later(self.minutes)) if action == "archive" else work_curation.restore(EPISODE)
            )
            await self.stores.records[EPISODE].change_all([chosen], header(action), work_curation.change_each(change))

    async def archive(self, which: int) -> None:
        await self._change("archive", which)

    async def restore(self, which: int) -> None:
        await self._change("restore", which)

    async def reject(self, which: int) -> None:
        episodes = await everything(self.stores)
        if episodes:
            await self.stores.records[EPISODE].change(
                episodes[which % len(episodes)].id, {"state": "rejected"}, header("reject")
            )

    async def edit(self, which: int) -> None:
        self.count += 1
        episodes = await everything(self.stores)
        if episodes:
            words = f"{episodes[which % len(episodes)].trigger_summary.split()[0]} otherwise {self.count}"
            change = {"trigger_summary": words, "text": words}
            await self.stores.records[EPISODE].change(episodes[which % len(episodes)].id, change, header("edit"))

    async def retarget(self, which: int) -> None:
        episodes = await everything(self.stores)
        if episodes:
            change = {"target": ["payments", "orders"][which % 2]}
            await self.stores.records[EPISODE].change(episodes[which % len(episodes)].id, change, header("edit"))

    async def delete_episode(self, which: int) -> None:
        episodes = await everything(self.stores)
        if episodes:
            self.deleted.add(episodes[which % len(episodes)].trigger_summary.split()[0])
        await self._delete(EPISODE, which)

    async def fade_away(self, which: int) -> None:
        episodes = await everything(self.stores)
        if episodes:
            chosen = episodes[which % len(episodes)].id
            faded = {"state": "archived", "archived_because": "faded"}
            await self.stores.records[EPISODE].change(chosen, faded, header("fade"))
            await self.stores.retention.delete_faded([chosen], header("delete"))

    async def _change_knowledge(self, action: str, change: ChangeOne[WorkRecord], which: int) -> None:
        there = [each.id async for each in self.stores.records[KNOWLEDGE].all()]
        if there:
            chosen = [there[which % len(there)]]
            await self.stores.records[KNOWLEDGE].change_all(chosen, header(action), work_curation.change_each(change))

    async def archive_knowledge(self, which: int) -> None:
        await self._change_knowledge("archive", work_curation.archive(later(self.minutes)), which)

    async def restore_knowledge(self, which: int) -> None:
        for each in [each async for each in self.stores.records[KNOWLEDGE].all()]:
            self.vouched_for.update(each.content.split())
        await self._change_knowledge("restore", work_curation.restore(KNOWLEDGE), which)

    async def reject_knowledge(self, which: int) -> None:
        await self._change_knowledge("reject", work_curation.reject(KNOWLEDGE), which)

    async def pin_knowledge(self, which: int) -> None:
        for each in [each async for each in self.stores.records[KNOWLEDGE].all()]:
            self.vouched_for.update(each.content.split())
        await self._change_knowledge("pin", work_curation.pin(KNOWLEDGE), which)

    async def unpin_knowledge(self, which: int) -> None:
        await self._change_knowledge("unpin", work_curation.unpin, which)

    async def delete_knowledge(self, which: int) -> None:
        await self._delete(KNOWLEDGE, which)

    async def _delete(self, kind: Kind, which: int) -> None:
        there = [each.id async for each in self.stores.records[kind].all()]
        if there:
            await self.stores.records[kind].delete([there[which % len(there)]], header("delete"))

    async def accept(self, which: int) -> None:
        waiting = [each async for each in self.stores.records[KNOWLEDGE].all() if each.state is State.CANDIDATE]
        if waiting:
            chosen = waiting[which % len(waiting)].id
            self.vouched_for.update(waiting[which % len(waiting)].content.split())
            await self.stores.knowledge.accept([chosen], header("accept"), work_curation.accept(KNOWLEDGE))

    async def rename(self, which: int) -> None:
        names = ["orders", "payments"]
        old, new = names[which % 2], names[(which + 1) % 2]
        await self.stores.knowledge.rename_target(
            old, new, header("rename_target"), lambda _, target: {"target": target}
        )


async def everything(stores: Stores) -> list[Episode]:
    return [each async for each in stores.records[EPISODE].all()]


async def check(story: Story) -> None:
    stores = story.stores
    episodes = await everything(stores)
    known: dict[int, Knowledge] = {each.id: each async for each in stores.records[KNOWLEDGE].all()}
    there = {each.id for each in episodes}
    for each in known.values():
        assert set(each.source_episodes) <= there
    for episode in episodes:
        names = [each for each in known.values() if episode.id in each.source_episodes]
        stand = [(each.state is State.LIVE, each.id) for each in names if each.state in STANDING]
        assert episode.consolidated_into == (max(stand)[1] if stand else None), (episode.id, names)
    alone = [
        consolidation_rules.fold_target(each.target)
        for each in known.values()
        if each.state is State.LIVE and not each.pinned
    ]
    assert len(alone) == len(set(alone)), known
    for each in known.values():
        if each.state is State.LIVE and each.held_because == SOURCE_DELETED:
            assert each.pinned, each
        if each.state is State.LIVE and not each.pinned:
            assert not story.deleted & set(each.content.split()) - story.vouched_for, each


def words_of(batch: KnowledgeBatch) -> str:
    """The worst that an agent may say: the first word of all that it is shown."""
    shown = (*batch.episodes, *batch.earlier)
    said = {each.trigger_summary.split()[0] for each in shown}
    said.update(word for each in believed_knowledge(batch.known, shown) for word in each.content.split())
    return " ".join(sorted(said))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ACTS, SLICES)
def test_marks_and_sources_agree_whatever_is_done(engine, acts: list[tuple[str, int]], slices: int) -> None:
    async def tell() -> None:
        database = await engine()
        stores = database.scope(f"story {tell_number()}")
        story = Story(stores)
        try:
            for what, which in acts:
                await story.act(what, which)
                await check(story)
        finally:
            await stores.upkeep.aclose()
            await database.aclose()

    with slices_of(slices):
        asyncio.run(tell())


NUMBERS = iter(range(10**9))


def tell_number() -> int:
    """Each story has a scope of its own."""
    return next(NUMBERS)


async def test_where_nothing_is_left_it_waits_for_a_person(stores) -> None:
    await worked(stores, "a", "b", "c")
    await made(stores)
    await stores.records[EPISODE].delete([1, 2, 3], header("delete"))
    assert ((await known(stores, 1)).state, await consolidated(stores)) == (State.CANDIDATE, None)

    await stores.knowledge.accept([1], header("accept"), work_curation.accept(KNOWLEDGE))

    assert ((await known(stores, 1)).state, (await known(stores, 1)).held_because) == (State.LIVE, None)


async def test_a_candidate_says_so_too_and_what_was_archived_comes_back_held(stores) -> None:
    await worked(stores, "a", "b", "c")
    await made(stores, held="not_in_sources")
    await worked(stores, "d", "e", "f", target="payments")
    await made(stores)
    archived = await stores.records[KNOWLEDGE].change_all(
        [2], header("archive"), work_curation.change_each(work_curation.archive(AT))
    )
    assert (await marks(stores))[4] is None

    left = await stores.records[EPISODE].delete([1, 4], header("delete"))

    assert (left.held, (await known(stores, 1)).held_because) == ((1,), SOURCE_DELETED)
    assert ((await known(stores, 2)).state, (await known(stores, 2)).held_because) == (
        State.ARCHIVED,
        SOURCE_DELETED,
    )
    await back(stores, archived.operation)
    assert (await known(stores, 2)).state is State.CANDIDATE
    assert await marks(stores) == {2: 1, 3: 1, 5: 2, 6: 2}
