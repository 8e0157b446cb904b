"""What the doctor says of tasks, episodes, knowledge and what they are found by."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from fakes.clocks import StillClock
from fakes.work import an_episode
from msgspec.structs import replace

from orca_core.model.doctor import Finding
from orca_core.model.knowledge import Knowledge
from orca_core.model.learning import Run, RunKind, RunState
from orca_core.model.memories import State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import EPISODE, KNOWLEDGE, Kind
from orca_core.orca import Orca
from orca_core.settings import MemorySettings, Settings
from orca_core.settings.work import ForgetSettings
from orca_core.store.protocols import Stores
from orca_core.store.protocols.index import IndexState

OpenHome = Callable[..., object]
OF_WORK = ("search index", "tasks", "episodes", "knowledge", "tools", "acts", "reading of work")


@pytest.fixture
def home(open_engine) -> OpenHome:
    @asynccontextmanager
    async def opened(
        behind: Callable[[Stores], Stores] = lambda stores: stores, **forget: object
    ) -> AsyncIterator[tuple[Orca, Stores]]:
        kept: list[Stores] = []

        def keep(stores: Stores) -> Stores:
            kept.append(behind(stores))
            return kept[0]

        settings = Settings(memory=MemorySettings(forget=ForgetSettings(**forget)))  # type: ignore[arg-type]
        async with open_engine(settings=settings, behind=keep) as engine:
            yield engine, kept[0]

    return opened


async def checks(engine: Orca) -> dict[str, Finding]:
    return {each.name: each for each in (await engine.doctor.examine()).checks if each.name in OF_WORK}


def header(clock: StillClock) -> OperationHeader:
    return OperationHeader(Actor.USER, "add", clock.now())


async def test_an_empty_home_is_well(home) -> None:
    async with home() as (engine, _stores):
        found = await checks(engine)

        assert list(found) == list(OF_WORK)
        assert {each.state for each in found.values()} == {"ok"}


async def test_a_task_that_nobody_touches_is_named_with_what_ends_it(home, clock: StillClock) -> None:
    async with home() as (engine, _stores):
        await engine.work.tasks.start("s", "mend the proxy")
        clock.advance(14 * 86_400.0)
        await engine.work.tasks.start("s", "another")

        found = (await checks(engine))["tasks"]
        assert (found.state, found.detail) == ("warn", "1 were touched by nobody for 14 days: w1")
        assert found.fix == "orca task done w1 ends it, orca task drop w1 drops it"


@pytest.mark.parametrize(
    ("enabled", "fix"),
    [
        (True, "orca episode fade forgets the rest"),
        (False, "set memory.forget.enabled = true, or raise memory.forget.max_episodes"),
    ],
)
async def test_episodes_above_the_cap_are_counted(home, clock: StillClock, enabled: bool, fix: str) -> None:
    async with home(max_episodes=1, enabled=enabled) as (engine, stores):
        for number in range(2):
            await stores.records[EPISODE].add(an_episode(uid=f"u{number}"), header(clock))

        found = (await checks(engine))["episodes"]
        assert (found.state, found.detail, found.fix) == ("warn", "2 live, and at most 1 are to", fix)


async def test_knowledge_that_stands_alone_is_listed_and_left(home, clock: StillClock) -> None:
    async with home() as (engine, stores):
        now = clock.now() - timedelta(days=200)
        for number, state in enumerate((State.ARCHIVED, State.LIVE), start=1):
            await stores.records[EPISODE].add(an_episode(uid=f"u{number}", state=state), header(clock))
            known = Knowledge(0, f"k{number}", "nginx", "nginx", "restart it", now, now, source_episodes=(number,))
            await stores.records[KNOWLEDGE].add(known, header(clock))

        found = (await checks(engine))["knowledge"]
        assert found.state == "warn"
        assert found.detail == "1 were not used for 180 days, and no episode that they rest on lives: k1"
        assert found.fix.startswith("orca knowledge show k1 ")
        await engine.worker.tidy()
        assert [each.state for each in await stores.records[KNOWLEDGE].get([1, 2])] == [State.LIVE] * 2


class RunsOfWork:
    """A record of one parked run and one that is well."""

    def __init__(self, kind: RunKind, at: StillClock) -> None:
        well = Run(7, kind, "s", (1,), RunState.DONE, 1, at.now())
        self._runs = [replace(well, id=8, state=RunState.FAILED, tries=5, error="no answer"), well]

    async def runs(self, limit: int) -> list[Run]:
        return self._runs[:limit]


@pytest.mark.parametrize("kind", [each for each in RunKind if each not in (RunKind.EXTRACT, RunKind.SUMMARIZE)])
async def test_parked_runs_are_named_with_what_went_wrong(home, clock: StillClock, kind: RunKind) -> None:
    def parked(stores: Stores) -> Stores:
        return replace(stores, runs=RunsOfWork(kind, clock))  # type: ignore[arg-type]

    async with home(behind=parked) as (engine, _stores):
        found = (await checks(engine))["reading of work"]

        assert (found.state, found.detail) == ("warn", f"1 runs are parked ({kind.value}): no answer")
        assert "orca extract --show 8" in found.fix


class BrokenIndex:
    """The indexes of a database as something else left them."""

    def __init__(self) -> None:
        self.mended: list[str] = []

    async def states(self) -> list[IndexState]:
        return [IndexState(EPISODE, 1, 2, 3, 4, 5, word_counts=90, looked_at=80), IndexState(KNOWLEDGE)]

    async def counts(self) -> dict[Kind, int]:
        return {EPISODE: 3, KNOWLEDGE: 0}

    async def mend(self, kind: object, tell: object) -> None:
        self.mended.append(kind.name)  # type: ignore[attr-defined]


async def test_an_index_out_of_step_is_told_and_made_anew(home) -> None:
    index = BrokenIndex()
    async with home(behind=lambda stores: replace(stores, indexes=index)) as (engine, _stores):
        found = (await checks(engine))["search index"]
        await engine.doctor.reindex()

        assert found.detail == (
            "episode: 1 without words, words of 2 and vectors of 3 that are gone, 4 stale;"
            " of 90 word counts 80 were looked at, 5 are wrong"
        )
        assert found.fix == "orca memory reindex makes it anew"
        assert index.mended == ["episode", "knowledge"]
