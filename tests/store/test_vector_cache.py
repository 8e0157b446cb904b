"""Vectors in memory: whatever changes, also in other processes and between two slices, the next search knows. Amid a
change of models a search compares the newest vectors alone, and says so."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
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
from orca_core.store.sqlite.index import vector_cache, vector_index, word_index
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES
from orca_core.store.sqlite.index.vector_cache import VectorCache
from orca_core.store.sqlite.index.vector_index import Sought
from orca_core.store.sqlite.store import open_stores

DIMENSIONS = 64


def vector(number: int, turn: int = 0) -> list[float]:
    return np.random.default_rng([number, turn]).standard_normal(DIMENSIONS).tolist()


class AtHand:
    """What one process holds in memory, asked beside the exact search of the file that another one writes."""

    def __init__(self, path: Path, stores: Stores, exact: Stores) -> None:
        self.path, self.stores, self.exact = path, stores, exact
        self.held = VectorCache(path)
        self._connection = connect(path)
        self._said = 0

    def found(self, limit: int = 60, model: str = "m", which: Which = Which.LIVE) -> list[int] | None:
        wanted = vector_index.unit(vector(0))
        hits = self.held.nearest(self._connection, Sought(MEMORY_TABLES, ("me",), model, wanted, limit, which))
        return None if hits is None else [hit.ref.id for hit in hits]

    async def truth(self, model: str = "m") -> list[int]:
        return [hit.ref.id for hit in await asked(self.exact).by_vector(model, vector(0), 60)]

    async def bring(self, model: str = "m") -> None:
        while self.found(model=model) is None:
            self.held.bring()
            await self.held.wait()

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
        await self.held.aclose()
        self._connection.close()
        await self.stores.upkeep.aclose()
        await self.exact.upkeep.aclose()


@asynccontextmanager
async def asked_in(folder: Path) -> AsyncIterator[AtHand]:
    path = folder / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    exact = await open_stores(path, scope="me", must_exist=True, vector_index=False)
    made = AtHand(path, stores, exact)
    yield made
    await made.aclose()


async def test_one_search_brings_nothing_and_two_do(tmp_path: Path) -> None:
    async with asked_in(tmp_path) as at_hand:
        await at_hand.add(3)

        assert at_hand.found() is None
        at_hand.held.bring()
        await at_hand.held.wait()
        assert at_hand.found() is None
        at_hand.held.bring()
        await at_hand.held.wait()

        assert at_hand.found() == await at_hand.truth()


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
        async with asked_in(tmp_path_factory.mktemp("home")) as at_hand:
            ids = await at_hand.add(4)
            await at_hand.bring()
            for change, chosen in changes:
                number = ids[chosen % len(ids)] if ids else None
                if change == "add" or number is None:
                    ids += await at_hand.add()
                elif change == "delete":
                    ids.remove(number)
                    await at_hand.stores.memories.delete([number], header("delete"))
                elif change == "embed":
                    await at_hand.embed(number, turn=chosen)
                else:
                    fields = {
                        "archive": {"state": "archived"}, "restore": {"state": "live"},
                        "edit": {"content": f"edited {number} {chosen}"}, "say": {"weight": 2.0},
                    }[change]  # fmt: skip
                    await at_hand.change(number, **fields)

                assert at_hand.found() == await at_hand.truth(), change

    asyncio.run(play())


async def test_who_is_far_behind_reads_all_anew_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asked_in(tmp_path) as at_hand:
        monkeypatch.setattr(vector_cache, "MOST_CAUGHT_UP", 4)
        await at_hand.add(2)
        await at_hand.bring()
        await at_hand.add(5)

        assert at_hand.found() is None
        await at_hand.bring()

        assert at_hand.found() == await at_hand.truth()


async def test_who_misses_a_change_reads_all_anew(tmp_path: Path) -> None:
    async with asked_in(tmp_path) as at_hand:
        await at_hand.add(2)
        await at_hand.bring()
        await at_hand.add(2)
        connection = connect(at_hand.path)
        connection.execute("DELETE FROM vector_changes WHERE seq < (SELECT max(seq) FROM vector_changes)")
        connection.close()

        assert at_hand.found() is None
        await at_hand.bring()

        assert at_hand.found() == await at_hand.truth()


async def test_the_last_changes_alone_are_kept(tmp_path: Path) -> None:
    async with asked_in(tmp_path) as at_hand:
        [number] = await at_hand.add()
        connection = connect(at_hand.path)
        with connection:
            connection.execute("INSERT INTO vector_changes (seq, kind, id) VALUES (90000, 'memory', 1)")
        await at_hand.embed(number, turn=1)
        await at_hand.change(number, state="archived")

        rows = connection.execute("SELECT count(*), min(seq) FROM vector_changes").fetchall()
        connection.close()

        assert rows == [(3, 90000)]


async def test_what_can_not_be_read_is_left_alone_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with asked_in(tmp_path) as at_hand:
        await at_hand.add(2)
        tried = []

        def breaks(*_arguments: object) -> None:
            tried.append(1)
            raise apsw.IOError("disk I/O error")

        monkeypatch.setattr(vector_cache, "_last_change", breaks)
        with caplog.at_level(logging.WARNING, "orca_core"):
            for _ in range(20):
                assert at_hand.found() is None
                at_hand.held.bring()
                await at_hand.held.wait()

        assert len(tried) == 1
        assert "disk I/O error" in caplog.text


async def test_closing_cuts_what_is_being_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with asked_in(tmp_path) as at_hand:
        monkeypatch.setattr(vector_cache, "A_SLICE", 1)
        await at_hand.add(5)
        at_hand.found()
        at_hand.found()
        at_hand.held.bring()
        await asyncio.sleep(0)

        await at_hand.held.aclose()

        assert at_hand.found() is None


async def test_what_the_process_itself_writes_much_of_is_read_before_the_next_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_cache, "MOST_CAUGHT_UP", 4)
    monkeypatch.setattr(vector_cache, "FOLLOWED_AT", 3)
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    exact = await open_stores(path, scope="me", must_exist=True, vector_index=False)
    held = stores.vectors._at_hand  # type: ignore[attr-defined]
    said = [f"memory {number}" for number in range(12)]
    ids = await remember(stores, *said)

    async def embed(numbers: range) -> None:
        await stores.vectors.put("m", [(memory_ref(ids[each]), said[each], vector(ids[each])) for each in numbers])

    await embed(range(2))
    for _ in range(2):
        await asked(stores).by_vector("m", vector(0), 60)
    await held.wait()
    for begin in range(2, 12, 2):
        await embed(range(begin, begin + 2))
        await held.wait()

    connection = connect(path)
    sought = Sought(MEMORY_TABLES, ("me",), "m", vector_index.unit(vector(0)), 60)
    assert held.nearest(connection, sought) == await asked(exact).by_vector("m", vector(0), 60)
    connection.close()


async def test_what_changes_between_two_slices_is_known_after_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_cache, "A_SLICE", 2)
    async with asked_in(tmp_path) as at_hand:
        ids = await at_hand.add(5)
        await at_hand.change(ids[0], state="archived")
        restore = meanwhile(lambda: at_hand.change(ids[0], state="live"))
        read, slices = vector_cache._next_slice, []

        def watched(*given: Any) -> int | None:
            slices.append(given[2])
            if len(slices) == 2:
                restore()
            return read(*given)

        monkeypatch.setattr(vector_cache, "_next_slice", watched)
        await at_hand.bring()

        assert len(slices) == 3
        assert sorted(at_hand.found() or []) == ids


async def asked_for(at_hand: AtHand, model: str) -> None:
    for _ in range(2):
        assert at_hand.found(model=model) is None
    at_hand.held.bring()


MOST = 6


async def embed(stores: Stores, ids: Iterable[int], model: str = "m") -> None:
    for each in ids:
        [memory] = await stores.memories.get([each])
        await stores.vectors.put(model, [(memory_ref(each), memory.content, vector(each))])


def compared(path: Path, *scopes: str, model: str = "m", which: Which = Which.LIVE) -> tuple[list[int], bool]:
    """The numbers of what is compared, where at most so many are, and whether these are all."""
    connection = connect(path)
    sought = Sought(MEMORY_TABLES, scopes, model, vector_index.unit(vector(0)), 99, which)
    hits, is_whole = vector_index.nearest_exact(connection, sought, MOST)
    connection.close()
    return sorted(hit.ref.id for hit in hits), is_whole


async def test_a_home_opened_then_compares_the_newest_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_cache, "MOST_COMPARED", MOST)
    async with asked_in(tmp_path) as at_hand:
        ids = await at_hand.add(12)
        truth = await at_hand.truth()
        stores = at_hand.stores

        def look(now):
            return [hit.ref.id for hit in now.vectors.by_vector("m", vector(0), 60)], now.vectors.is_partial

        first = await stores.search.at_once(look)
        await stores.vectors._at_hand.wait()
        second = await stores.search.at_once(look)

    assert first == ([each for each in truth if each in ids[-MOST:]], True)
    assert second == (truth, False)


async def test_a_scope_is_not_starved_by_one_that_is_read_with_it(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    mine = await open_stores(path, scope="me", must_exist=False)
    team = await open_stores(path, scope="team", must_exist=True)
    own = await remember(mine, *(f"mine {number}" for number in range(MOST)))
    others = await remember(team, *(f"of the team {number}" for number in range(2 * MOST)))
    await embed(mine, own)
    await embed(team, others)

    assert compared(path, "me", "team") == ([*own[-MOST // 2 :], *others[-MOST // 2 :]], False)
    assert compared(path, "me", "team", "nobody", "none") == compared(path, "me", "team")
    assert compared(path, "me", "nobody") == compared(path, "me") == (own, True)


@pytest.mark.parametrize(("which", "count"), [(Which.LIVE, 2), (Which.WAITING, 5), (Which.ALL, 9)])
async def test_only_among_what_lives_some_may_be_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: Which, count: int
) -> None:
    monkeypatch.setattr(vector_cache, "MOST_COMPARED", 2)
    async with asked_in(tmp_path) as at_hand:
        ids = await at_hand.add(9)
        held = memory_curation.each(lambda _: {"state": "candidate"})
        await at_hand.stores.memories.change_all(ids[:5], header("hold"), held)

        assert len(await asked(at_hand.stores).by_vector("m", vector(0), 9, which=which)) == count


@pytest.mark.parametrize(
    ("counts", "shares"),
    [
        ({"a": 9}, {"a": 6}),
        ({"a": 6}, {}),
        ({"a": 4, "b": 0}, {}),
        ({"a": 9, "b": 1}, {"a": 5}),
        ({"a": 9, "b": 9}, {"a": 3, "b": 3}),
        ({"a": 9, "b": 2, "c": 9, "d": 0}, {"a": 2, "c": 2}),
        ({str(each): 1 for each in range(9)} | {"a": 9}, {"0": 0, "1": 0, "2": 0, "3": 0, "a": 1}),
    ],
)
def test_a_scope_has_what_others_leave(counts: dict[str, int], shares: dict[str, int]) -> None:
    assert vector_index.fair_shares(counts, 6) == shares


async def test_what_waits_is_listed_before_words_are_looked_up(tmp_path: Path) -> None:
    """All that lives may hold these words, too: their entries are ranked once, not again and again."""
    async with asked_in(tmp_path) as at_hand:
        await at_hand.add(60)
        await at_hand.change(1, state="candidate")
        statements: list[str] = []
        connection = connect(at_hand.path)

        def traced(_cursor: object, statement: str, _bindings: object) -> bool:
            statements.append(statement)
            return True

        connection.set_exec_trace(traced)
        found = word_index.nearest(connection, MEMORY_TABLES, ("me",), {"memori": 1.0}, 2, Which.WAITING)
        connection.set_exec_trace(None)
        connection.close()

    assert [hit.ref.id for hit in found] == [1]
    assert len([each for each in statements if "MATCH" in each]) == 1
