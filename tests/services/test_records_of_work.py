"""Episodes by hand: listed, found, changed, taken back, deleted for good."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from fakes.clocks import StillClock
from fakes.work import an_episode

from orca_core.model.episodes import WorkQuery
from orca_core.model.errors import InvalidInput
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE
from orca_core.model.tasks import Outcome
from orca_core.orca import Orca
from orca_core.services.work_records import Episodes, WorkSearch
from orca_core.store.sqlite.store import open_stores

NGINX = an_episode(1)
BACKUP = an_episode(
    2, trigger_summary="the nightly backup of the photos stops halfway", target="backup", tags=("disk",)
)
WAITS = an_episode(3, trigger_summary="白屏了", target="官网", state=State.CANDIDATE, held_because="not_typed")


OpenWork = Callable[[], AbstractAsyncContextManager[tuple[Orca, Episodes]]]


@pytest.fixture
def work(open_orca, database: Path, clock: StillClock) -> OpenWork:
    """An Orca, and the hand on the episodes of its database: two that live, and one that waits."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[tuple[Orca, Episodes]]:
        async with open_orca() as orca:
            stores = await open_stores(database, scope="me", must_exist=True)
            store = stores.records[EPISODE]
            for each in (NGINX, BACKUP, WAITS):
                await store.add(each, OperationHeader(Actor.USER, "add", clock.now()))
            search = WorkSearch(orca.search, orca.reranking, orca.levels, clock)
            yield orca, Episodes(stores, search, lambda: None, clock, orca.settings.memory.forget)
            await stores.upkeep.aclose()

    return opened


async def numbers(episodes: Episodes, query: WorkQuery) -> list[int]:
    return [episode.id for episode in (await episodes.page(query)).records]


async def test_a_list_is_asked_for_in_words(work: OpenWork) -> None:
    async with work() as (_, episodes):
        await episodes.pin([2])

        assert await numbers(episodes, WorkQuery()) == [2, 1]
        assert await numbers(episodes, WorkQuery("all", sort="id")) == [1, 2, 3]
        assert await numbers(episodes, WorkQuery("candidate")) == [3]
        assert await numbers(episodes, WorkQuery(tags=("disk",))) == [2]
        assert await numbers(episodes, WorkQuery(target="nginx")) == [1]
        assert await numbers(episodes, WorkQuery(text="photos")) == [2]
        assert await numbers(episodes, WorkQuery(pinned_only=True)) == [2]
        assert await episodes.counts() == {"candidate": 1, "rejected": 0, "archived": 0, "active": 2}


async def test_a_search_finds_what_lives_best_first(work: OpenWork) -> None:
    async with work() as (_, episodes):
        found = await episodes.search("502 from nginx", 5)
        assert [hit.record.id for hit in found.hits] == [1]

        await episodes.archive([1])
        assert (await episodes.search("502 from nginx", 5)).hits == ()


async def test_what_is_done_by_hand_is_one_operation_and_can_be_taken_back(work: OpenWork) -> None:
    async with work() as (orca, episodes):
        archived = await episodes.archive([1, 2])
        assert {each.archived_because for each in archived.records} == {ArchivedBecause.HAND}

        await orca.history.undo()
        assert [each.state for each in await episodes.get([1, 2])] == [State.LIVE, State.LIVE]
        assert [change.action for change in await episodes.changes_of(1)] == ["add", "archive", "undo"]


async def test_an_edit_is_found_by_its_new_words(work: OpenWork) -> None:
    async with work() as (_, episodes):
        await episodes.edit(1, steps=["raised the keepalive timeout"], outcome="success")

        [edited] = await episodes.get([1])
        assert (edited.steps, edited.outcome) == (("raised the keepalive timeout",), Outcome.SUCCESS)
        assert [hit.record.id for hit in (await episodes.search("keepalive timeout", 5)).hits] == [1]


async def test_a_target_gets_another_name_everywhere(work: OpenWork) -> None:
    async with work() as (orca, episodes):
        assert (await orca.work.knowledge.rename_target("Backup", "photo backup")).episodes == (2,)
        [renamed] = await episodes.get([2])
        assert renamed.target == "photo backup"
        assert "photo backup" in renamed.text

        with pytest.raises(InvalidInput, match="no target is called backup"):
            await orca.work.knowledge.rename_target("backup", "else")
