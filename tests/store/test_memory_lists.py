"""Lists of memories: every page is a piece of the whole list, and none is found by walking through the memories."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import apsw
import pytest
from fakes.records import header, remember
from fakes.steps import plan_of

from orca_core.model.memories import Memory, MemoryType, State
from orca_core.model.views import MemoryQuery, MemorySort, StatusCriteria
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.memories.memory_lists import MemoryList
from orca_core.store.sqlite.store import open_stores

MEMORIES = 120
LIVE, ALL = (State.LIVE,), tuple(State)
KEYS: dict[MemorySort, Callable[[Memory], tuple[object, ...]]] = {
    MemorySort.WEIGHT: lambda each: (not each.pinned, -each.weight, each.id),
    MemorySort.USED: lambda each: (-(each.last_accessed.timestamp() if each.last_accessed else 0), each.id),
    MemorySort.NEW: lambda each: (-each.created_at.timestamp(), -each.id),
    MemorySort.TYPE: lambda each: (each.type.value, -each.weight, each.id),
    MemorySort.WAITING: lambda each: (each.updated_at, each.id),
    MemorySort.ID: lambda each: (each.id,),
}


@pytest.fixture(scope="module")
def module_run() -> Iterator[Callable[..., object]]:
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, module_run: Callable[..., object]) -> Path:
    """Two scopes with memories of every state and type, many of which weigh the same."""
    path = tmp_path_factory.mktemp("lists") / "orca.db"

    async def fill() -> None:
        for scope in ("me", "team"):
            stores = await open_stores(path, scope=scope, must_exist=False)
            await remember(stores, *(f"{scope} {number}" for number in range(MEMORIES // 2)))
            await stores.housekeeping.aclose()

    module_run(fill())
    connection, chance = connect(path), random.Random(4)
    for number in range(1, MEMORIES + 1):
        at = f"2026-10-{chance.randint(1, 9):02}T12:00:00.000000Z"
        connection.execute(
            "UPDATE long_term_memories SET state = ?, type = ?, weight = ?, pinned = ?, last_accessed = ?,"
            " created_at = ?, updated_at = ? WHERE id = ?",
            (
                chance.choice([*State, State.LIVE, State.LIVE]).value, chance.choice(list(MemoryType)).value,
                chance.choice((0.5, 1.0, 1.2, 6.0)), chance.random() < 0.2, chance.choice((at, None)), at, at, number,
            ),
        )  # fmt: skip
    connection.close()
    return path


@pytest.fixture(scope="module")
def connection(home: Path) -> Iterator[apsw.Connection]:
    opened = connect(home)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def memories(home: Path, module_run: Callable[..., object]) -> list[Memory]:
    async def read() -> list[Memory]:
        stores = await open_stores(home, scope="me", also=("team",), must_exist=True)
        found = await stores.memories.get(range(1, MEMORIES + 1))
        await stores.housekeeping.aclose()
        return found

    found = module_run(read())
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("sort", list(MemorySort))
@pytest.mark.parametrize("states", [LIVE, ALL], ids=["live", "all"])
@pytest.mark.parametrize("bounds", [(None, None), (1.0, None), (None, 1.0)], ids=["any weight", "heavy", "light"])
@pytest.mark.parametrize("pinned", [None, True, False])
def test_pages_by_their_offset_or_behind_a_memory_are_pieces_of_the_list(
    connection, memories, sort, states, bounds, pinned
) -> None:
    criteria = StatusCriteria(states, *bounds)
    for types, limit in product(((), (MemoryType.FACT, MemoryType.EVENT)), (7, None)):
        wanted = sorted(filter(lambda each: _fits(each, criteria, types, pinned), memories), key=KEYS[sort])
        ids = [each.id for each in wanted]
        most = len(ids) if limit is None else limit
        for at in range(0, len(ids), 9):
            query = MemoryQuery(criteria, types, sort=sort, pinned=pinned, limit=limit, offset=at)
            assert MemoryList(connection, ("me", "team"), query).page() == (ids[at : at + most], len(ids))
            behind = MemoryQuery(criteria, types, sort=sort, pinned=pinned, limit=limit, after=ids[at])
            assert MemoryList(connection, ("me", "team"), behind).page()[0] == ids[at + 1 : at + 1 + most]


def _fits(memory: Memory, criteria: StatusCriteria, types: tuple[MemoryType, ...], pinned: bool | None) -> bool:
    return (
        memory.state in criteria.states
        and (criteria.weight_above is None or memory.weight > criteria.weight_above)
        and (criteria.weight_at_most is None or memory.weight <= criteria.weight_at_most)
        and (not types or memory.type in types)
        and (pinned is None or memory.pinned is pinned)
    )


def test_what_is_filtered_by_text_or_numbers_is_paged_all_the_same(connection, memories) -> None:
    live = sorted((each for each in memories if each.state is State.LIVE), key=KEYS[MemorySort.WEIGHT])
    ids = [each.id for each in live if "1" in each.content]
    for asked in ({"text": "1"}, {"ids": tuple(ids)}):
        query = MemoryQuery(StatusCriteria(LIVE), limit=5, offset=3, **asked)
        assert MemoryList(connection, ("me", "team"), query).page() == (ids[3:8], len(ids))
        behind = MemoryQuery(StatusCriteria(LIVE), limit=5, after=ids[7], **asked)
        assert MemoryList(connection, ("me", "team"), behind).page()[0] == ids[8:13]


@pytest.mark.parametrize("states", [LIVE, ALL, (State.CANDIDATE,)], ids=["live", "all", "candidate"])
@pytest.mark.parametrize("sort", [MemorySort.WEIGHT, MemorySort.USED, MemorySort.NEW, MemorySort.TYPE])
@pytest.mark.parametrize("where", [{}, {"after": 60}, {"offset": 40}], ids=["first", "behind", "from the end"])
@pytest.mark.parametrize("types", [(), (MemoryType.EVENT,)], ids=["any type", "one type"])
def test_a_page_is_found_by_an_index_in_its_order(connection, states, sort, where, types) -> None:
    query = MemoryQuery(StatusCriteria(states), types, sort=sort, limit=20, **where)
    plan = plan_of(connection, lambda: MemoryList(connection, ("me",), query).page())
    assert plan.walks == []
    assert plan.sorts == []


async def test_memories_are_counted_as_they_come_change_and_go(tmp_path: Path) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    first, second, third = await remember(stores, "a giraffe", "a zebra", "an okapi")
    await stores.memories.change([first], header("archive"), lambda _all: {first: {"state": "archived"}})
    await stores.memories.change([second], header("edit"), lambda _all: {second: {"weight": 7.0, "type": "event"}})
    await stores.memories.delete([third], header("delete"))

    assert await stores.memories.counts() == {"state": {"archived": 1, "live": 1}, "type": {"event": 1, "fact": 1}}
    heavy = await stores.memories.page(MemoryQuery(StatusCriteria(LIVE, weight_above=5.0), limit=0))
    assert heavy.total == 1
    await stores.housekeeping.aclose()
    with connect(tmp_path / "orca.db") as connection:
        kept = connection.execute("SELECT count(*), sum(memories) FROM memory_counts").fetchall()
    assert kept == [(2, 2)]
