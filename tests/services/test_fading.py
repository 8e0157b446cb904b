"""Episodes that nobody needs: they fade in the open, come back, and go for good when their grace is over."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from fakes.asking import asked
from fakes.clocks import StillClock
from msgspec.structs import replace

from orca_core.jobs.retention import Fading
from orca_core.model.episodes import Episode
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import EPISODE
from orca_core.model.tasks import Outcome
from orca_core.model.views import FadesBy
from orca_core.orca import Orca
from orca_core.settings import MemorySettings, Settings
from orca_core.settings.work import ForgetSettings
from orca_core.store.protocols import Stores

DAY_S = 86_400.0

OpenHome = Callable[..., object]


@pytest.fixture
def home(open_engine, clock: StillClock) -> OpenHome:
    """An engine, its stores and a way to make episodes."""

    @asynccontextmanager
    async def opened(**forget: object) -> AsyncIterator[tuple[Orca, Stores, ForgetSettings]]:
        kept: list[Stores] = []
        settings = ForgetSettings(**forget)  # type: ignore[arg-type]
        async with open_engine(
            settings=Settings(memory=MemorySettings(forget=settings)),
            behind=lambda stores: kept.append(stores) or stores,
        ) as engine:
            yield engine, kept[0], settings

    return opened


async def made(stores: Stores, clock: StillClock, text: str, **fields: object) -> Episode:
    now = clock.now()
    episode = Episode(0, text, text, text, now, now, now)
    header = OperationHeader(Actor.USER, "add", now)
    return await stores.records[EPISODE].add(replace(episode, **fields), header)  # type: ignore[type-var]


async def found(stores: Stores, word: str) -> list[int]:
    return [hit.ref.id for hit in await asked(stores).by_tokens([word], 5, kind=EPISODE)]


async def test_one_pass_is_one_operation_that_can_be_taken_back_for_as_long_again(home, clock: StillClock) -> None:
    async with home() as (engine, stores, _):
        await made(stores, clock, "nginx", outcome=Outcome.FAILED)
        await made(stores, clock, "redis", outcome=Outcome.FAILED)
        await made(stores, clock, "postgres", outcome=Outcome.SUCCESS)
        await engine.worker.tidy()
        clock.advance(62 * DAY_S)
        await engine.worker.tidy()

        assert [await found(stores, word) for word in ("nginx", "redis", "postgr")] == [[], [], [3]]
        [(operation, changes), *_] = await engine.history.activity(9)
        assert (operation.header.actor, operation.header.action, len(changes)) == (Actor.CLEAN, "fade", 2)

        await engine.history.undo(operation.id)
        assert await found(stores, "nginx") == [1]
        clock.advance(60 * DAY_S)
        await engine.worker.tidy()
        assert await found(stores, "nginx") == [1], "it ages from when it was brought back"
        clock.advance(2 * DAY_S)
        await engine.worker.tidy()
        assert await found(stores, "nginx") == []


async def test_what_faded_is_kept_for_its_grace_and_then_nowhere(home, clock: StillClock, database: Path) -> None:
    async with home() as (engine, stores, _):
        await made(stores, clock, "quokkaproxy fell over", outcome=Outcome.FAILED)
        clock.advance(62 * DAY_S)
        await engine.worker.tidy()
        clock.advance(29 * DAY_S)
        await engine.worker.tidy()
        [faded] = await stores.records[EPISODE].get([1])
        assert (faded.state, faded.archived_because) == (State.ARCHIVED, ArchivedBecause.FADED)

        clock.advance(2 * DAY_S)
        await engine.worker.tidy()

        with pytest.raises(NotFound):
            await stores.records[EPISODE].get([1])
        with pytest.raises(NotFound):
            await stores.records[EPISODE].history(1)
    assert b"quokka" not in b"".join(path.read_bytes() for path in database.parent.iterdir() if path.is_file())


async def test_without_grace_it_is_deleted_at_once(home, clock: StillClock) -> None:
    async with home(grace=0.0) as (engine, stores, _):
        await made(stores, clock, "nginx", outcome=Outcome.FAILED)
        clock.advance(62 * DAY_S)
        await engine.worker.tidy()

        assert await stores.records[EPISODE].get([1], missing_ok=True) == []


async def test_a_forgetting_of_which_nothing_is_left_is_not_taken_back(home, clock: StillClock) -> None:
    async with home(grace=0.0) as (engine, stores, _):
        await made(stores, clock, "nginx", outcome=Outcome.FAILED)
        clock.advance(62 * DAY_S)
        await engine.worker.tidy()
        fade = next(each for each, _ in await engine.history.activity(9) if each.header.action == "fade")

        with pytest.raises(InvalidInput, match="nothing that is still there"):
            await engine.history.undo(fade.id)


async def test_what_a_person_put_away_is_not_deleted(home, clock: StillClock) -> None:
    async with home() as (engine, stores, _):
        by_hand = {"state": State.ARCHIVED, "archived_because": ArchivedBecause.HAND, "archived_at": clock.now()}
        await made(stores, clock, "nginx", **by_hand)
        clock.advance(400 * DAY_S)
        await engine.worker.tidy()

        assert [each.id for each in await stores.records[EPISODE].get([1])] == [1]


async def test_nothing_fades_where_forgetting_is_off(home, clock: StillClock) -> None:
    async with home(enabled=False) as (engine, stores, _forget):
        episode = await made(stores, clock, "nginx", outcome=Outcome.FAILED)
        clock.advance(400 * DAY_S)
        await engine.worker.tidy()

        assert await found(stores, "nginx") == [1]
        [view] = await engine.work.episodes.views([episode])
        assert view.forecast is not None
        assert (view.forecast.by, view.importance) == (FadesBy.NEVER, 0.15)


async def test_a_large_pass_comes_in_slices_and_is_still_one_operation(home, clock: StillClock) -> None:
    async with home(max_episodes=20) as (engine, stores, forget):
        for number in range(250):
            await made(stores, clock, f"episode {number}", pinned=number % 25 == 0)
        clock.advance(8 * DAY_S)
        due = await Fading(stores, clock, forget).due()
        await engine.worker.tidy()

        assert len(due.episodes) == 230
        assert len(await stores.fading.ages()) == 20
        [(operation, changes), *_] = await engine.history.activity(1)
        assert (operation.header.action, len(changes)) == ("fade", 230)
        await engine.history.undo(operation.id)
        assert len(await stores.fading.ages()) == 250


async def test_the_view_says_when_and_that_is_when_it_goes(home, clock: StillClock) -> None:
    async with home(max_episodes=3) as (engine, stores, forget):
        views = engine.work.episodes
        first = await made(stores, clock, "nginx", outcome=Outcome.SUCCESS)
        second = await made(stores, clock, "redis", outcome=Outcome.FAILED)
        [view] = await views.views([first])
        assert view.forecast is not None
        assert (view.forecast.by, view.forecast.least) == (FadesBy.NEVER, 0.3)

        clock.advance(DAY_S)
        third = await made(stores, clock, "postgres", outcome=Outcome.SUCCESS)
        seen = await views.views([first, second, third])
        said = [(each.forecast.by, each.forecast.place) for each in seen if each.forecast]
        assert said == [(FadesBy.CAP, 2), (FadesBy.DATE, 1), (FadesBy.CAP, 3)]

        assert seen[1].forecast is not None
        assert seen[1].forecast.at is not None
        fading = Fading(stores, clock, forget)
        clock.advance((seen[1].forecast.at - clock.now()).total_seconds() - 60)
        assert (await fading.run()).episodes == ()
        clock.advance(120)
        assert (await fading.run()).episodes == (second.id,)
        [gone] = await views.views(await stores.records[EPISODE].get([second.id]))
        assert gone.deleted_at is not None
        assert (gone.deleted_at - clock.now()).days == 30
