"""What is held in memory knows what the rows know, whoever wrote them."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import apsw
import pytest
from fakes.asking import asked
from fakes.at_hand import asked_in, vector
from fakes.records import header, remember
from hypothesis import given, settings
from hypothesis import strategies as st

from orca_core.model.records import memory_ref
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index import vector_cache, vector_index
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES
from orca_core.store.sqlite.index.vector_index import Sought
from orca_core.store.sqlite.store import open_stores


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
