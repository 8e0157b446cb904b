"""The gate of forgetting by hand: told first, then done, and what goes next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from fakes.clocks import StillClock
from fakes.work import an_episode

from orca_core.model.events import OperationMade
from orca_core.model.memories import ArchivedBecause
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import EPISODE
from orca_core.model.tasks import Outcome
from orca_core.model.views import FadesBy
from orca_core.orca import Orca
from orca_core.settings import MemorySettings, Settings
from orca_core.settings.work import ForgetSettings
from orca_core.store.protocols import Stores

OpenHome = Callable[..., object]


@pytest.fixture
def home(open_engine, clock: StillClock) -> OpenHome:
    """An engine with two episodes that are due, one that will be, one that never is."""

    @asynccontextmanager
    async def opened(**forget: object) -> AsyncIterator[tuple[Orca, Stores]]:
        kept: list[Stores] = []
        settings = Settings(memory=MemorySettings(forget=ForgetSettings(**forget)))  # type: ignore[arg-type]
        async with open_engine(settings=settings, behind=lambda stores: kept.append(stores) or stores) as engine:
            [stores] = kept
            for number, (days, outcome) in enumerate(
                ((90, Outcome.FAILED), (80, Outcome.UNKNOWN), (10, Outcome.FAILED), (300, Outcome.SUCCESS))
            ):
                made = clock.now() - timedelta(days=days)
                fields = {"uid": f"u{number}", "aged_from": made, "created_at": made, "outcome": outcome}
                header = OperationHeader(Actor.USER, "add", made)
                await stores.records[EPISODE].add(an_episode(**fields), header)
            yield engine, stores

    return opened


async def test_what_would_go_is_told_and_left_alone(home) -> None:
    async with home() as (engine, stores):
        report = await engine.work.forgetting.preview()

        assert [view.episode.id for view in report.forgotten] == [1, 2]
        assert (report.operation, report.above_cap, report.deleted) == (None, frozenset(), ())
        assert report.next is not None
        assert (report.next.episode.id, report.next.forecast.by) == (3, FadesBy.DATE)  # type: ignore[union-attr]
        assert len(await stores.fading.ages()) == 4


async def test_a_run_is_one_operation_that_says_what_went(home) -> None:
    async with home() as (engine, _stores):
        expected = await engine.work.forgetting.preview()
        report = await engine.work.forgetting.run()

        assert [view.episode.id for view in report.forgotten] == [1, 2]
        assert {view.episode.archived_because for view in report.forgotten} == {ArchivedBecause.FADED}
        assert [view.importance for view in report.forgotten] == [view.importance for view in expected.forgotten]
        assert report.next == expected.next
        [(operation, changes), *_] = await engine.history.activity(9)
        assert (operation.id, operation.header.action, len(changes)) == (report.operation, "fade", 2)
        assert (await engine.work.forgetting.run()).operation is None


async def test_above_the_cap_the_least_important_go_and_say_why(home) -> None:
    async with home(max_episodes=1) as (engine, _stores):
        report = await engine.work.forgetting.run()

        assert [view.episode.id for view in report.forgotten] == [1, 2, 4]
        assert report.above_cap == frozenset({4})
        assert report.next is not None
        assert report.next.episode.id == 3


async def test_the_next_one_goes_when_there_is_no_room_where_none_has_a_date(home) -> None:
    async with home(threshold=0.0, max_episodes=4) as (engine, _stores):
        report = await engine.work.forgetting.preview()

        assert report.forgotten == ()
        assert report.next is not None
        assert (report.next.episode.id, report.next.forecast.by) == (1, FadesBy.CAP)  # type: ignore[union-attr]


@pytest.mark.parametrize("forget", [{"enabled": False}, {"threshold": 0.0}])
async def test_nothing_goes_next_where_nothing_ever_goes(home, forget: dict[str, object]) -> None:
    async with home(**forget) as (engine, _stores):
        assert (await engine.work.forgetting.preview()).next is None


async def test_without_grace_what_is_forgotten_is_gone_at_once(home) -> None:
    async with home(grace=0.0) as (engine, stores):
        report = await engine.work.forgetting.run()

        assert (report.forgotten, report.deleted) == ((), (1, 2))
        assert await stores.records[EPISODE].get([1, 2], missing_ok=True) == []


async def test_whoever_listens_hears_of_the_daily_pass(home) -> None:
    async with home() as (engine, _stores):
        reached = await engine.reached()
        await engine.worker.tidy()
        async for notice in engine.events(reached):
            if isinstance(notice.event, OperationMade) and notice.event.operation.header.action == "fade":
                assert len(notice.event.changes) == 2
                return
