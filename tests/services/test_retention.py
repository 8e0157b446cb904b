"""Cleaning and forgetting."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from fakes.asking import asked
from fakes.clocks import StillClock
from fakes.facts import written
from fakes.work import an_episode
from msgspec.structs import replace

from orca_core.jobs import cleaning, job
from orca_core.jobs.retention import EpisodeForgetting
from orca_core.model.episodes import Episode
from orca_core.model.errors import NotFound
from orca_core.model.memories import ArchivedBecause, CleaningReport, Memory, MergedMemories, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE
from orca_core.model.tasks import Outcome
from orca_core.model.views import FadesBy
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.settings import ForgetSettings, MemorySettings, Settings

DAY_S = 86_400.0


async def filled(orca: Orca) -> None:
    """Two that say the same, a light one, and one that is pinned and light."""
    await orca.worker.tidy()  # what is due at the start is done before there is anything
    for text in ("User likes tea", "user likes tea.", "User likes cake", "User likes wine"):
        await written(orca, text)
    await orca.memories.edit(3, weight=0.1)
    await orca.memories.edit(4, weight=0.1)
    await orca.memories.pin([4])


async def memories(orca: Orca, ids: Sequence[int] = (1, 2, 3, 4)) -> list[Memory]:
    return await orca.memories.get(ids)


async def test_it_does_what_its_preview_says_and_undo_takes_it_back(open_orca) -> None:
    async with open_orca() as orca:
        await filled(orca)
        before = await memories(orca)

        preview = await orca.cleanup.preview()
        assert await memories(orca) == before
        cleaned = await orca.cleanup.run()

        assert preview == CleaningReport(archived=(3,), merged=(MergedMemories(1, (2,)),))
        assert (cleaned.archived, cleaned.merged) == (preview.archived, preview.merged)
        kept, gone, light, pinned = await memories(orca)
        assert (gone.superseded_by, kept.seen) == (1, 2)
        assert (light.state, light.archived_because) == (State.ARCHIVED, ArchivedBecause.WEIGHT)
        assert pinned == before[3]
        [(operation, _changes), *_] = await orca.history.activity(1)
        assert (operation.id, operation.header.actor, operation.header.action) == (
            cleaned.operation,
            Actor.CLEAN,
            "clean",
        )
        assert (await orca.cleanup.run()).is_empty

        await orca.history.undo(cleaned.operation)
        assert [(each.state, each.weight, each.seen, each.superseded_by) for each in await memories(orca)] == [
            (each.state, each.weight, each.seen, each.superseded_by) for each in before
        ]


async def test_what_a_person_took_back_is_left_alone(open_orca, clock: StillClock) -> None:
    async with open_orca() as orca:
        await filled(orca)
        await orca.history.undo((await orca.cleanup.run()).operation)

        assert (await orca.cleanup.preview()).is_empty
        clock.advance(2 * DAY_S)
        await orca.worker.tidy()

        assert {each.state for each in await memories(orca)} == {State.LIVE}


async def test_it_is_done_once_a_day_whichever_process_does_it(open_orca, clock: StillClock) -> None:
    async with open_orca() as orca:
        await filled(orca)
        clock.advance(DAY_S - 1)
        await orca.worker.tidy()
        assert (await memories(orca, [3]))[0].state is State.LIVE
    async with open_orca() as orca:
        await orca.worker.tidy()
        assert (await memories(orca, [3]))[0].state is State.LIVE
        clock.advance(1)
        await orca.worker.tidy()
        assert (await memories(orca, [3]))[0].state is State.ARCHIVED


async def test_many_are_one_operation_in_slices(open_orca, monkeypatch) -> None:
    monkeypatch.setattr(job, "PAUSE_S", 0.0)
    monkeypatch.setattr(cleaning, "CHANGED_AT_ONCE", 4)
    monkeypatch.setattr(cleaning, "READ_AT_ONCE", 3)
    async with open_orca() as orca:
        await orca.worker.tidy()
        for place in range(11):
            await written(orca, "chamomiletea"[:place] + "chamomiletea"[place:].upper())
        for number in range(11):
            await orca.memories.add(f"User knows number {number}")
            await orca.memories.edit(12 + number, weight=0.1)

        cleaned = await orca.cleanup.run()

        assert cleaned.archived == tuple(range(12, 23))
        assert cleaned.merged == (MergedMemories(1, tuple(range(2, 12))),)
        assert (await memories(orca, [1]))[0].seen == 11
        undone = await orca.history.undo(cleaned.operation)
        assert len(undone.memories) == 22
        assert {each.state for each in await memories(orca, range(1, 23))} == {State.LIVE}
        assert (await memories(orca, [1]))[0].seen == 1


OpenHome = Callable[..., object]


@pytest.fixture
def home(open_orca, clock: StillClock) -> OpenHome:
    """An Orca, its stores and a way to make episodes."""

    @asynccontextmanager
    async def opened(**forget: object) -> AsyncIterator[tuple[Orca, Stores, ForgetSettings]]:
        kept: list[Stores] = []
        settings = ForgetSettings(**forget)  # type: ignore[arg-type]
        async with open_orca(
            settings=Settings(memory=MemorySettings(forget=settings)),
            behind=lambda stores: kept.append(stores) or stores,
        ) as orca:
            yield orca, kept[0], settings

    return opened


async def made(stores: Stores, clock: StillClock, text: str, **fields: object) -> Episode:
    now = clock.now()
    episode = Episode(0, text, text, text, now, now, now)
    header = OperationHeader(Actor.USER, "add", now)
    return await stores.records[EPISODE].add(replace(episode, **fields), header)  # type: ignore[type-var]


async def found(stores: Stores, word: str) -> list[int]:
    return [hit.ref.id for hit in await asked(stores).by_tokens([word], 5, kind=EPISODE)]


async def test_one_pass_is_one_operation_that_can_be_taken_back_for_as_long_again(home, clock: StillClock) -> None:
    async with home() as (orca, stores, _):
        await made(stores, clock, "nginx", outcome=Outcome.FAILED)
        await made(stores, clock, "redis", outcome=Outcome.FAILED)
        await made(stores, clock, "postgres", outcome=Outcome.SUCCESS)
        await orca.worker.tidy()
        clock.advance(62 * DAY_S)
        await orca.worker.tidy()

        assert [await found(stores, word) for word in ("nginx", "redis", "postgr")] == [[], [], [3]]
        [(operation, changes), *_] = await orca.history.activity(9)
        assert (operation.header.actor, operation.header.action, len(changes)) == (Actor.CLEAN, "fade", 2)

        await orca.history.undo(operation.id)
        assert await found(stores, "nginx") == [1]
        clock.advance(60 * DAY_S)
        await orca.worker.tidy()
        assert await found(stores, "nginx") == [1], "it ages from when it was brought back"
        clock.advance(2 * DAY_S)
        await orca.worker.tidy()
        assert await found(stores, "nginx") == []


async def test_what_faded_is_kept_for_its_grace_and_then_nowhere(home, clock: StillClock, database: Path) -> None:
    async with home() as (orca, stores, _):
        await made(stores, clock, "quokkaproxy fell over", outcome=Outcome.FAILED)
        clock.advance(62 * DAY_S)
        await orca.worker.tidy()
        clock.advance(29 * DAY_S)
        await orca.worker.tidy()
        [faded] = await stores.records[EPISODE].get([1])
        assert (faded.state, faded.archived_because) == (State.ARCHIVED, ArchivedBecause.FADED)

        clock.advance(2 * DAY_S)
        await orca.worker.tidy()

        with pytest.raises(NotFound):
            await stores.records[EPISODE].get([1])
        with pytest.raises(NotFound):
            await stores.records[EPISODE].history(1)
    assert b"quokka" not in b"".join(path.read_bytes() for path in database.parent.iterdir() if path.is_file())


async def test_without_grace_it_is_deleted_at_once(home, clock: StillClock) -> None:
    async with home(grace=0.0) as (orca, stores, _):
        await made(stores, clock, "nginx", outcome=Outcome.FAILED)
        clock.advance(62 * DAY_S)
        await orca.worker.tidy()

        assert await stores.records[EPISODE].get([1], missing_ok=True) == []


async def test_the_view_says_when_and_that_is_when_it_goes(home, clock: StillClock) -> None:
    async with home(max_episodes=3) as (orca, stores, forget):
        views = orca.work.episodes
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
        fading = EpisodeForgetting(stores, clock, forget)
        clock.advance((seen[1].forecast.at - clock.now()).total_seconds() - 60)
        assert (await fading.run()).episodes == ()
        clock.advance(120)
        assert (await fading.run()).episodes == (second.id,)
        [gone] = await views.views(await stores.records[EPISODE].get([second.id]))
        assert gone.deleted_at is not None
        assert (gone.deleted_at - clock.now()).days == 30


OpenHomeOfHand = Callable[..., object]


@pytest.fixture
def home_of_hand(open_orca, clock: StillClock) -> OpenHomeOfHand:
    """An Orca with two episodes that are due, one that will be, one that never is."""

    @asynccontextmanager
    async def opened(**forget: object) -> AsyncIterator[tuple[Orca, Stores]]:
        kept: list[Stores] = []
        settings = Settings(memory=MemorySettings(forget=ForgetSettings(**forget)))  # type: ignore[arg-type]
        async with open_orca(settings=settings, behind=lambda stores: kept.append(stores) or stores) as orca:
            [stores] = kept
            for number, (days, outcome) in enumerate(
                ((90, Outcome.FAILED), (80, Outcome.UNKNOWN), (10, Outcome.FAILED), (300, Outcome.SUCCESS))
            ):
                made = clock.now() - timedelta(days=days)
                fields = {"uid": f"u{number}", "aged_from": made, "created_at": made, "outcome": outcome}
                header = OperationHeader(Actor.USER, "add", made)
                await stores.records[EPISODE].add(an_episode(**fields), header)
            yield orca, stores

    return opened


async def test_above_the_cap_the_least_important_go_and_say_why(home_of_hand) -> None:
    async with home_of_hand(max_episodes=1) as (orca, _stores):
        report = await orca.work.forgetting.run()

        assert [view.episode.id for view in report.forgotten] == [1, 2, 4]
        assert report.above_cap == frozenset({4})
        assert report.next is not None
        assert report.next.episode.id == 3
