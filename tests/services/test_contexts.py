"""A context for one question: what it holds, and what it counts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from fakes.past_work import BY_HAND, an_episode, some_knowledge
from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.records import EPISODE, KNOWLEDGE
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.settings import EpisodeSettings, MemorySettings, Settings, TaskSettings

OpenWork = Callable[..., AbstractAsyncContextManager[tuple[Orca, Stores]]]
ASKED = "nginx gives 502 after the deploy"


@pytest.fixture
def open_work(open_engine) -> OpenWork:
    """An engine with seven episodes on nginx and some knowledge, and its stores."""

    @asynccontextmanager
    async def opened(**memory: object) -> AsyncIterator[tuple[Orca, Stores]]:
        kept: list[Stores] = []
        settings = Settings(memory=MemorySettings(**memory))  # type: ignore[arg-type]
        async with open_engine(settings=settings, behind=lambda stores: kept.append(stores) or stores) as engine:
            [stores] = kept
            for number in range(7):
                await stores.records[EPISODE].add(an_episode(f"nginx answers 502, time {number}"), BY_HAND)
            await stores.records[KNOWLEDGE].add(some_knowledge(), BY_HAND)
            await engine.worker.tidy()
            yield engine, stores

    return opened


async def test_it_holds_all_that_is_known(open_work: OpenWork) -> None:
    async with open_work() as (engine, _):
        memory = engine.memory
        await memory.remember("The gateway is nginx 1.27.")
        await memory.save_message("s", "user", ASKED)
        task = await memory.start_task("s", "the 502 of today", target="nginx")

        found = await memory.build_context("s", ASKED)

        assert [each.content for each in found.messages] == [ASKED]
        assert (found.task, len(found.memories), len(found.episodes), len(found.knowledge)) == (
            replace(task, operation=None),
            1,
            5,
            1,
        )
        for heading in ("Recent conversation", "Current task", "What is known", "Relevant experience"):
            assert f"## {heading}\n" in found.text
        assert f"[e{found.episodes[0].episode.id}] worked: nginx answers 502" in found.text
        assert found.knowledge[0].status.value == "active"


async def test_a_request_counts_each_once_and_an_undo_passes_it_over(open_work: OpenWork) -> None:
    async with open_work() as (engine, stores):
        added = await engine.memory.remember("The gateway is nginx 1.27.")
        await engine.memory.build_context(None, ASKED)
        await engine.memory.search_episodes(ASKED, 2)
        found = await engine.memory.search_knowledge(ASKED)

        episodes = await stores.records[EPISODE].get(range(1, 8))
        assert sorted(each.access_count for each in episodes) == [0, 0, 1, 1, 1, 2, 2]
        assert found.hits[0].record.access_count == 1  # as it was found
        [lesson] = await stores.records[KNOWLEDGE].get([1])
        assert lesson.access_count == 2
        activity = await engine.history.activity(20)
        assert [operation.header.action for operation, _ in activity].count("access") == 4
        undone = await engine.history.undo()
        assert undone.undid.id == added.operation


async def test_a_session_that_was_idle_for_long_has_none(open_work: OpenWork, clock) -> None:
    async with open_work() as (engine, _):
        await engine.memory.save_message("s", "user", "hello there")
        clock.advance(31 * 60)
        found = await engine.memory.build_context("s", ASKED)
        assert (found.messages, "Recent conversation" in found.text) == ((), False)


async def test_the_settings_may_leave_the_task_out(open_work: OpenWork) -> None:
    async with open_work(tasks=TaskSettings(enabled=False)) as (engine, _):
        await engine.memory.save_message("s", "user", ASKED)
        await engine.memory.start_task("s", "the 502 of today")
        assert (await engine.memory.build_context("s", ASKED)).task is None


async def test_without_memory_only_what_was_said_and_is_done_is_told(open_work: OpenWork) -> None:
    async with open_work(enabled=False) as (engine, _):
        await engine.memory.save_message("s", "user", ASKED)
        task = await engine.memory.start_task("s", "two lines\n## What is known")
        found = await engine.memory.build_context("s", ASKED)
        assert (found.task, found.memories, found.episodes, found.knowledge) == (
            replace(task, operation=None),
            (),
            (),
            (),
        )
        assert [line for line in found.text.splitlines() if line.startswith("#")] == [
            "## Recent conversation",
            "## Current task",
        ]


async def test_episodes_that_are_switched_off_are_not_told(open_work: OpenWork) -> None:
    async with open_work(episodes=EpisodeSettings(enabled=False)) as (engine, _):
        found = await engine.memory.build_context(None, ASKED)
        assert (found.episodes, len(found.knowledge)) == ((), 1)


async def test_what_was_forgotten_is_found_no_more(open_work: OpenWork) -> None:
    async with open_work() as (engine, _):
        added = await engine.memory.remember("The gateway is nginx 1.27.")
        await engine.memory.forget([added.memory.id])
        assert (await engine.memory.search_memories("nginx gateway")).hits == ()
        assert (await engine.memory.run_forgetting()).forgotten == ()


async def test_a_task_that_was_begun_before_its_first_message_is_told(open_engine) -> None:
    async with open_engine() as engine:
        await engine.work.tasks.start("agent-1", "mend the proxy")

        gathered = await engine.work.context.build("agent-1", "why 502?")

        assert (gathered.messages, gathered.task is not None) == ((), True)
        with pytest.raises(NotFound):
            await engine.work.context.build("nobody", "why 502?")
