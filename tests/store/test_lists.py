"""Lists, and what a turn or a key waits for: found by an index, and no page walks through what grows with the home."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.records import AT, begin, chat, header, receipt, record, remember
from msgspec import Struct

from orca_core.model.episodes import Episode
from orca_core.model.memories import Memory, MemoryType, State, Use
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, memory_ref
from orca_core.model.views import MemoryQuery, MemorySort, RecordQuery, StatusCriteria
from orca_core.operations.stores import Stores
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.engine.database import Database, Work
from orca_core.store.sqlite.lists import MemoryList
from orca_core.store.sqlite.store import open_stores
from orca_core.store.sqlite.upkeep.completions import TABLES, titles

_READS = ("SELECT", "WITH")


class Plan(Struct, frozen=True):
    """The steps of all statements that read."""

    steps: tuple[str, ...]

    @property
    def walks(self) -> list[str]:
        """Steps that read a table or an index from its beginning to its end; values that were given do not count."""
        scans = [each for each in self.steps if each.startswith("SCAN") and each != "SCAN CONSTANT ROW"]
        return [each for each in scans if "VIRTUAL TABLE" not in each]

    @property
    def sorts(self) -> list[str]:
        """Steps that read all before the first row comes out."""
        return [each for each in self.steps if "TEMP B-TREE FOR ORDER BY" in each]

    def uses(self, index: str) -> bool:
        return any(f"INDEX {index} " in f"{each} " for each in self.steps)


def plan_of(connection: apsw.Connection, work: Callable[[], object]) -> Plan:
    """The plan of what the work asks of this connection."""
    said: list[tuple[str, Any]] = []

    def note(_cursor: apsw.Cursor, text: str, bindings: Any) -> bool:
        said.append((text, bindings))
        return True

    connection.exec_trace = note
    try:
        work()
    finally:
        connection.exec_trace = None
    steps = [
        str(row[3])
        for text, bindings in said
        if text.lstrip().upper().startswith(_READS)
        for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", bindings)
    ]
    assert steps, "nothing was asked"
    return Plan(tuple(steps))


async def plan_of_reads(stores: Stores, ask: Callable[[], Awaitable[object]]) -> Plan:
    """The plan of what stores read on the database while they are asked."""
    database = stores.upkeep._scope._database  # type: ignore[attr-defined]
    assert isinstance(database, Database)
    read, steps = database.read, []

    async def noted(work: Work[Any]) -> object:
        def followed(connection: apsw.Connection) -> object:
            came: list[object] = []
            steps.extend(plan_of(connection, lambda: came.append(work(connection))).steps)
            return came[0]

        return await read(followed)

    database.read = noted  # type: ignore[method-assign, assignment]
    try:
        await ask()
    finally:
        database.read = read  # type: ignore[method-assign]
    return Plan(tuple(steps))


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
            await stores.upkeep.aclose()

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
        await stores.upkeep.aclose()
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
    await stores.memories.change_all([first], header("archive"), lambda _all: {first: {"state": "archived"}})
    await stores.memories.change_all([second], header("edit"), lambda _all: {second: {"weight": 7.0, "type": "event"}})
    await stores.memories.delete([third], header("delete"))

    assert await stores.memories.counts() == {"state": {"archived": 1, "live": 1}, "type": {"event": 1, "fact": 1}}
    heavy = await stores.memories.page(MemoryQuery(StatusCriteria(LIVE, weight_above=5.0), limit=0))
    assert heavy.total == 1
    await stores.upkeep.aclose()
    with connect(tmp_path / "orca.db") as connection:
        kept = connection.execute("SELECT count(*), sum(memories) FROM memory_counts").fetchall()
    assert kept == [(2, 2)]


Ask = Callable[[Stores], Awaitable[object]]
SORTED = {"what waits to be learnt": 2 * ["USE TEMP B-TREE FOR ORDER BY"]}
"""Chats whose rounds wait, and runs that failed, are few."""
OLDEST = RecordQuery({"state": (State.CANDIDATE.value,)}, order=("updated_at", "id"), limit=1)
ASKED: dict[str, Ask] = {
    "the header's counts": lambda stores: stores.memories.counts(),
    "what waits to be learnt": lambda stores: stores.learning.queue(),
    "episodes that wait": lambda stores: stores.records[EPISODE].page(OLDEST),
    "knowledge that waits": lambda stores: stores.records[KNOWLEDGE].page(OLDEST),
    "guides that wait": lambda stores: stores.records[GUIDE].page(OLDEST),
    "the chats": lambda stores: stores.sessions.sessions(20),
    "the latest chat": lambda stores: stores.sessions.latest_session(),
    "a chat's name": lambda stores: stores.sessions.session("s"),
    "the end of a chat": lambda stores: stores.sessions.rounds("s", 20),
    "rounds before it": lambda stores: stores.sessions.rounds("s", 20, below=9),
    "questions": lambda stores: stores.sessions.questions(20),
    "the latest receipt": lambda stores: stores.sessions.receipt(None, None),
    "where a memory was shown": lambda stores: stores.sessions.appearances(memory_ref(1), 20),
    "how a model counts": lambda stores: stores.sessions.token_ratio("a model"),
    "the history of a memory": lambda stores: stores.memories.history(1),
    "operations": lambda stores: stores.history.operations(20),
    "runs": lambda stores: stores.learning.runs(20),
}


async def filled(path: Path) -> Stores:
    stores = await open_stores(path, scope="me", must_exist=False)
    await remember(stores, "a giraffe", "a zebra", tags=("zoo",))
    for _ in range(3):
        await chat(stores, uses={1: Use.USED}, receipt=receipt(content="a giraffe", block="a giraffe"))
    return stores


@pytest.mark.parametrize("what", sorted(ASKED))
async def test_an_index_finds_what_is_shown(tmp_path: Path, what: str) -> None:
    stores = await filled(tmp_path / "orca.db")
    plan = await plan_of_reads(stores, lambda: ASKED[what](stores))
    await stores.upkeep.aclose()
    assert plan.walks == []
    assert plan.sorts == SORTED.get(what, [])


@pytest.mark.long
async def test_numbers_are_completed_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await remember(stores, *(f"memory {number}" for number in range(1, 125)))
    await stores.upkeep.aclose()

    def named(beginning: str, most: int = 99) -> list[str]:
        return [name for name, _title in titles(path, "me", "memory", beginning, most)]

    assert named("12") == ["124", "123", "122", "121", "120", "12"]
    assert named("1", 3) == ["124", "123", "122"]
    assert named("7") == ["79", "78", "77", "76", "75", "74", "73", "72", "71", "70", "7"]
    assert named("0") == named("e1") == named("125") == []


async def test_tags_are_counted_as_they_come_change_and_go(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    first, second, third = await remember(stores, "a giraffe", "a zebra", "an owl", tags=("zoo", "animal"))
    await stores.memories.change_all([first], header("edit"), lambda _all: {first: {"tags": ["zoo", "tall"]}})
    await stores.memories.delete([second], header("delete"))
    await stores.memories.change_all([third], header("edit"), lambda _all: {third: {"weight": 3.0}})
    await stores.upkeep.aclose()

    assert titles(path, "me", "tag", "", 9) == [("zoo", "2 ×"), ("animal", "1 ×"), ("tall", "1 ×")]
    assert titles(path, "me", "profile", "", 9) == [("me", "")]


async def test_what_was_asked_is_told_once_as_it_was_asked_last(tmp_path: Path) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    for text in ("first", "again", "again", "again", "last"):
        await stores.sessions.finish_round(record(await begin(stores, text=text)))

    asked = [[span.text for span in spans] for spans in await stores.sessions.questions(9)]
    assert asked == [["first"], ["again"], ["last"]]
    assert len(await stores.sessions.questions(2)) == 2


pytestmark = pytest.mark.long


async def of_two_scopes(path: Path) -> None:
    for scope in ("me", "team"):
        stores = await open_stores(path, scope=scope, must_exist=False)
        await chat(stores, f"s-{scope}")
        ids = await remember(stores, f"{scope} owl", f"{scope} wren", f"{scope} " + "long " * 100)
        await stores.memories.change_all(ids[:1], header("pin"), lambda some: {some[0].id: {"pinned": True}})
        await stores.records[EPISODE].add(Episode(0, scope, f"{scope} 502", f"{scope} 502", AT, AT, AT), header())
        waits = Episode(0, f"{scope}2", f"{scope} 504", f"{scope} 504", AT, AT, AT, state=State.CANDIDATE)
        await stores.records[EPISODE].add(waits, header())
        await stores.upkeep.aclose()


@pytest.mark.parametrize("what", sorted(TABLES))
async def test_every_kind_can_be_looked_at(tmp_path: Path, what: str) -> None:
    path = tmp_path / "orca.db"
    await of_two_scopes(path)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    for each in TABLES[what]:  # a name that is no table of the schema raises
        connection.execute(f"SELECT count(*) FROM {each.rows}").fetchall()
    connection.close()

    assert isinstance(titles(path, "me", what, "", 9), list)


async def test_beside_a_writer_it_reads_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    await of_two_scopes(path)
    writer = apsw.Connection(str(path))
    writer.execute("BEGIN EXCLUSIVE")
    try:
        assert len(titles(path, "me", "memory", "", 9)) == 3
    finally:
        writer.close()
