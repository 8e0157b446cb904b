"""Amid a change of models a search compares the newest vectors alone, until all are at hand; and it says so."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from fakes.asking import asked
from fakes.at_hand import asked_in, vector
from fakes.records import header, remember

from orca_core.model.recall import Which
from orca_core.model.records import memory_ref
from orca_core.rules.memory import memory_curation
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index import vector_cache, vector_index, word_index
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES
from orca_core.store.sqlite.index.vector_index import Sought
from orca_core.store.sqlite.store import open_stores

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
        await at_hand.stores.memories.change(ids[:5], header("hold"), held)

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
