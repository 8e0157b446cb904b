"""Vectors in memory: whatever changes, also in other processes and between two slices, the next search knows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from fakes.asking import asked
from fakes.looks import meanwhile
from fakes.records import header, remember
from hypothesis import given, settings
from hypothesis import strategies as st

from orca_core.model.recall import Which
from orca_core.model.record_types import memory_ref
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index import ram_index, vector_format
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES
from orca_core.store.sqlite.index.ram_index import RamIndex
from orca_core.store.sqlite.index.vector_index import Sought
from orca_core.store.sqlite.store import open_stores

DIMENSIONS = 64


def vector(number: int, turn: int = 0) -> list[float]:
    return np.random.default_rng([number, turn]).standard_normal(DIMENSIONS).tolist()


class SearchedHome:
    """What one process holds in memory, asked beside the exact search of the file that another one writes."""

    def __init__(self, path: Path, stores: Stores, exact: Stores) -> None:
        self.path, self.stores, self.exact = path, stores, exact
        self.index = RamIndex(path)
        self._connection = connect(path)
        self._said = 0

    def found(self, limit: int = 60, model: str = "m", which: Which = Which.LIVE) -> list[int] | None:
        wanted = vector_format.unit(vector(0))
        hits = self.index.nearest(self._connection, Sought(MEMORY_TABLES, ("me",), model, wanted, limit, which))
        return None if hits is None else [hit.ref.id for hit in hits]

    async def truth(self, model: str = "m") -> list[int]:
        return [hit.ref.id for hit in await asked(self.exact).by_vector(model, vector(0), 60)]

    async def bring(self, model: str = "m") -> None:
        while self.found(model=model) is None:
            self.index.bring()
            await self.index.wait()

    async def embed(self, memory_id: int, model: str = "m", turn: int = 0) -> None:
        [memory] = await self.stores.memories.get([memory_id])
        await self.stores.vectors.put(model, [(memory_ref(memory_id), memory.content, vector(memory_id, turn))])

    async def add(self, count: int = 1) -> list[int]:
        begin = self._said
        self._said += count
        ids = await remember(self.stores, *(f"memory {number}" for number in range(begin, self._said)))
        for each in ids:
            await self.embed(each)
        return ids

    async def change(self, memory_id: int, **fields: object) -> None:
        await self.stores.memories.change_all([memory_id], header(), memory_curation.each(lambda _memory: fields))

    async def aclose(self) -> None:
        await self.index.aclose()
        self._connection.close()
        await self.stores.upkeep.aclose()
        await self.exact.upkeep.aclose()


@asynccontextmanager
async def searched_home(folder: Path) -> AsyncIterator[SearchedHome]:
    path = folder / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    exact = await open_stores(path, scope="me", must_exist=True, vector_index=False)
    made = SearchedHome(path, stores, exact)
    yield made
    await made.aclose()


async def test_one_search_brings_nothing_and_two_do(tmp_path: Path) -> None:
    async with searched_home(tmp_path) as home:
        await home.add(3)

        assert home.found() is None
        home.index.bring()
        await home.index.wait()
        assert home.found() is None
        home.index.bring()
        await home.index.wait()

        assert home.found() == await home.truth()


CHANGES = st.lists(
    st.tuples(st.sampled_from(["add", "archive", "restore", "edit", "embed", "delete", "say"]), st.integers(0, 9)),
    max_size=14,
)


@pytest.mark.long
@given(changes=CHANGES)
@settings(max_examples=12, deadline=None)
def test_whatever_another_process_changes_the_next_search_knows(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, int]]
) -> None:
    async def play() -> None:
        async with searched_home(tmp_path_factory.mktemp("home")) as home:
            ids = await home.add(4)
            await home.bring()
            for change, chosen in changes:
                number = ids[chosen % len(ids)] if ids else None
                if change == "add" or number is None:
                    ids += await home.add()
                elif change == "delete":
                    ids.remove(number)
                    await home.stores.memories.delete([number], header("delete"))
                elif change == "embed":
                    await home.embed(number, turn=chosen)
                else:
                    fields = {
                        "archive": {"state": "archived"}, "restore": {"state": "live"},
                        "edit": {"content": f"edited {number} {chosen}"}, "say": {"weight": 2.0},
                    }[change]  # fmt: skip
                    await home.change(number, **fields)

                assert home.found() == await home.truth(), change

    asyncio.run(play())


async def test_who_is_far_behind_reads_all_anew_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with searched_home(tmp_path) as home:
        monkeypatch.setattr(ram_index, "MOST_CAUGHT_UP", 4)
        await home.add(2)
        await home.bring()
        await home.add(5)

        assert home.found() is None
        await home.bring()

        assert home.found() == await home.truth()


async def test_who_misses_a_change_reads_all_anew(tmp_path: Path) -> None:
    async with searched_home(tmp_path) as home:
        await home.add(2)
        await home.bring()
        await home.add(2)
        connection = connect(home.path)
        connection.execute("DELETE FROM vector_changes WHERE seq < (SELECT max(seq) FROM vector_changes)")
        connection.close()

        assert home.found() is None
        await home.bring()

        assert home.found() == await home.truth()


async def test_what_can_not_be_read_is_left_alone_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with searched_home(tmp_path) as home:
        await home.add(2)
        tried = []

        def breaks(*_arguments: object) -> None:
            tried.append(1)
            raise apsw.IOError("disk I/O error")

        monkeypatch.setattr(ram_index, "_last_change", breaks)
        with caplog.at_level(logging.WARNING, "orca_core"):
            for _ in range(20):
                assert home.found() is None
                home.index.bring()
                await home.index.wait()

        assert len(tried) == 1
        assert "disk I/O error" in caplog.text


async def test_closing_cuts_what_is_being_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with searched_home(tmp_path) as home:
        monkeypatch.setattr(ram_index, "A_SLICE", 1)
        await home.add(5)
        home.found()
        home.found()
        home.index.bring()
        await asyncio.sleep(0)

        await home.index.aclose()

        assert home.found() is None


async def test_what_changes_between_two_slices_is_known_after_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ram_index, "A_SLICE", 2)
    async with searched_home(tmp_path) as home:
        ids = await home.add(5)
        await home.change(ids[0], state="archived")
        restore = meanwhile(lambda: home.change(ids[0], state="live"))
        read, slices = ram_index._next_slice, []

        def watched(*given: Any) -> int | None:
            slices.append(given[2])
            if len(slices) == 2:
                restore()
            return read(*given)

        monkeypatch.setattr(ram_index, "_next_slice", watched)
        await home.bring()

        assert len(slices) == 3
        assert sorted(home.found() or []) == ids
