"""The stores of a database that can not be opened: every read finds nothing, every write says why."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from fakes.records import AT, header, remember

from orca_core.model.errors import NotFound, StoreOutOfReach
from orca_core.model.memories import MEMORIES
from orca_core.model.records import EPISODE
from orca_core.model.views import MemoryQuery
from orca_core.rules.memory.memory_curation import criteria
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.store import open_stores_or_none


@asynccontextmanager
async def out_of_reach(tmp_path: Path) -> AsyncIterator[Stores]:
    (tmp_path / "orca.db").write_bytes(b"\x00" * 100)
    opened = await open_stores_or_none(tmp_path / "orca.db", scope="me", must_exist=False)
    yield opened
    await opened.housekeeping.aclose()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["orca.db"]


READS: dict[str, Callable[[Stores], Awaitable[object]]] = {
    "sessions": lambda stores: stores.dialogues.sessions(10),
    "counts": lambda stores: stores.cleaning.sunk(0.3),
    "unembedded": lambda stores: stores.vectors.unembedded("local", 10),
    "deleted": lambda stores: stores.cleaning.texts(0, 10),
    "cleaned_at": lambda stores: stores.cleaning.cleaned_at(),
    "last_operation": lambda stores: stores.feed.last_operation(),
    "short term": lambda stores: stores.housekeeping.expire_short_term(AT, 30),
    "recover": lambda stores: stores.housekeeping.recover(),
}
WRITES: dict[str, Callable[[Stores], Awaitable[object]]] = {
    "a memory": lambda stores: remember(stores, "an owl"),
    "upkeep": lambda stores: stores.cleaning.note_upkeep(AT),
    "saving": lambda stores: stores.housekeeping.try_to_write(),
    "health": lambda stores: stores.housekeeping.health(),
    "delete": lambda stores: stores.memories.delete([1], header("delete"), False),
}


@pytest.mark.parametrize("name", READS)
async def test_a_read_finds_nothing(tmp_path: Path, name: str) -> None:
    async with out_of_reach(tmp_path) as stores:
        assert not await READS[name](stores)


async def test_lists_are_empty_and_what_is_named_is_missing(tmp_path: Path) -> None:
    async with out_of_reach(tmp_path) as stores:
        assert isinstance(stores.failure, StoreOutOfReach)
        assert (await stores.memories.page(MemoryQuery(criteria("all", 5.0)))).total == 0
        assert await stores.search.at_once(lambda snapshot: snapshot.lists.get(MEMORIES, [1])) == []
        with pytest.raises(NotFound):
            await stores.memories.get([1])
        with pytest.raises(NotFound):
            await stores.records[EPISODE].get([1])


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_says_why(tmp_path: Path, name: str) -> None:
    async with out_of_reach(tmp_path) as stores:
        with pytest.raises(StoreOutOfReach) as raised:
            await WRITES[name](stores)
        assert raised.value is stores.failure


async def test_its_orca_leads_and_leaves_no_file(tmp_path: Path) -> None:
    async with out_of_reach(tmp_path) as stores:
        assert await stores.leadership.acquire()
        await stores.leadership.resign()
