"""What acts show often enough goes live in the background, in sight; and how the inbox shows it coming."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.supported import LIKES_TABLES, by_act, shown, supported
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, StorageError
from orca_core.model.events import ActsRead, Promoted
from orca_core.model.memories import State
from orca_core.model.operations import Actor
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.serialize.memory_json import candidate_json
from orca_core.settings import ExtractSettings, MemoryAgentSettings, MemorySettings, PromoteSettings, Settings
from orca_core.store.sqlite.store import open_stores

DAYS = (0, 1, 2)


async def acts_showed(database: Path, *contents: str, days: tuple[int, ...] = DAYS) -> None:
    stores = await open_stores(database, scope="me", must_exist=False)
    for content in contents:
        number = await shown(stores, content)
        await supported(stores, *(by_act(number, 10 * number + day, day) for day in days))
    await stores.housekeeping.aclose()


async def passed(engine: Orca) -> list[object]:
    """One pass of the worker; the events of it."""
    told: list[object] = []
    unsubscribe = engine.worker.subscribe(told.append)
    engine.worker.wake()
    await engine.worker.drain()
    unsubscribe()
    return told


UNREAD = MemoryAgentSettings(extract=ExtractSettings(verify="off"))
"""The rules alone decide: no candidate is read against other acts."""


def settings(**promote: object) -> Settings:
    memory = MemorySettings(promote=PromoteSettings(**promote))  # type: ignore[arg-type]
    return Settings(memory=memory, memory_agent=UNREAD)


async def test_what_is_ready_goes_live_and_says_so(open_engine, database: Path) -> None:
    async with open_engine(settings=settings()) as engine:
        await acts_showed(database, LIKES_TABLES, "用户喜欢短的回答")

        told = [*await passed(engine), *await passed(engine), *await passed(engine)]

        first, second = (each for each in told if isinstance(each, Promoted))
        assert (first.id, first.content) == (1, LIKES_TABLES)
        assert (second.id, second.content) == (2, "用户喜欢短的回答")
        assert [each.state for each in await engine.memories.get([1, 2])] == [State.LIVE, State.LIVE]
        [(operation, changes), *_] = await engine.history.activity(1)
        assert (operation.header.actor, operation.header.action, len(changes)) == (Actor.PROMOTION, "promote", 1)
        assert await passed(engine) == []


@pytest.mark.parametrize("chosen", [settings(enabled=False), settings(min_support=4)])
async def test_what_the_settings_leave_alone_waits(open_engine, database: Path, chosen: Settings) -> None:
    async with open_engine(settings=chosen) as engine:
        await acts_showed(database, LIKES_TABLES)
        assert await passed(engine) == []
        assert [each.state for each in await engine.memories.get([1])] == [State.CANDIDATE]


async def test_a_failure_is_an_event(open_engine) -> None:
    def broken(stores: Stores) -> Stores:
        class Promotions:
            async def next_at(self) -> None:
                return None

            async def claim(self, *_given: object) -> None:
                raise StorageError(path="orca.db", detail="no")

        return replace(stores, promotions=Promotions())  # type: ignore[arg-type]

    async with open_engine(behind=broken) as engine:
        [told] = await passed(engine)
        assert isinstance(told, ActsRead)
        assert (told.state, bool(told.error)) == ("failed", True)


async def test_candidates_show_how_near_they_are(open_engine, database: Path) -> None:
    async with open_engine() as engine:
        await acts_showed(database, LIKES_TABLES, days=(0, 1))
        await engine.feedback.pools.searched([1, 99])
        pool = await engine.feedback.pools.page("candidates")
        [view] = pool.records
        weighed = await engine.feedback.pools.weighed([1, 99])

        figures = candidate_json(view, weighed[1])
        assert list(weighed) == [1]
        assert [each["ref"] for each in figures["supports"]] == ["a10", "a11"]
        assert (figures["days"], figures["needed"], figures["visited"], figures["blocked_by"]) == (2, 3, 3, None)
        assert figures["threshold"] == 0.0
        assert await engine.feedback.pools.weighed([]) == {}


async def test_the_pools_are_views(open_engine, database: Path) -> None:
    async with open_engine() as engine:
        await acts_showed(database, LIKES_TABLES, days=(0,))
        for text, word in (("用户用 vim", "fact"), ("用户喜欢茶", "preference"), ("请用中文", "instruction")):
            await engine.memories.add(text, type_word=word)

        pools = engine.feedback.pools
        found = {word: [each.memory.id for each in (await pools.page(word)).records] for word in POOLS}
        assert found == {"candidates": [1], "info": [2], "profile": [3, 4]}
        paged = await pools.page("profile", 1, 1)
        assert ([each.memory.id for each in paged.records], paged.total) == ([4], 2)
        with pytest.raises(InvalidInput, match="there is no pool everything"):
            await pools.page("everything")


POOLS = ("candidates", "info", "profile")
