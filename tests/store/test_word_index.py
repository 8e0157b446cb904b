"""Words are indexed and counted as they come and go; what came at once is counted later, whatever comes meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import pytest
from fakes.asking import asked
from fakes.documents import a_memory, brought, document
from fakes.records import header, later, remember
from hypothesis import given, settings
from hypothesis import strategies as st

from orca_core.model.record_types import MEMORY
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index import word_index
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES, make_words
from orca_core.store.sqlite.store import open_stores
from orca_core.store.sqlite.upkeep.maintenance import SQLiteUpkeep

SAID = ("kayak tour", "kayak paddle", "red paddle", "茶 杯子", "tour of rome")
JAPANESE_MARKS = "\u3099\u309a\u309b\u309c\u30a0\u30fb\uff65\uff9e\uff9f"
ASKED = ("kayak", "tour", "paddl", "red", "rome", "杯子", "nowhere")


def counted(connection: apsw.Connection) -> dict[str, int]:
    rows = connection.execute("SELECT word, records FROM word_counts WHERE kind = 'memory'")
    return {str(word): int(str(records)) for word, records in rows}


def in_the_index(connection: apsw.Connection) -> dict[str, int]:
    """What the full-text index and the rows themselves say."""
    found = {str(term): int(str(doc)) for term, doc in connection.execute("SELECT term, doc FROM long_term_vocabulary")}
    [count] = connection.execute("SELECT count(*) FROM long_term_memories WHERE scope = 'me'").fetchone() or (0,)
    return found | ({word_index.tag("me"): int(count)} if count else {})


async def opened_in(folder: Path) -> Stores:
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=False)
    while await stores.upkeep.fill_words(5):
        continue
    return stores


STEPS = st.lists(st.tuples(st.sampled_from(["add", "edit", "delete", "rebuild"]), st.integers(0, 4)), max_size=16)


@pytest.mark.long
@given(steps=STEPS)
@settings(max_examples=15, deadline=None)
def test_whatever_comes_and_goes_each_word_is_counted_once_a_record(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    async def play() -> None:
        folder = tmp_path_factory.mktemp("home")
        stores = await opened_in(folder)
        connection = connect(folder / "orca.db")
        ids: list[int] = []
        for number, (step, chosen) in enumerate(steps):
            if step == "add" or (not ids and step in ("edit", "delete")):
                ids += await remember(stores, f"{SAID[chosen]} {number}")
            elif step == "edit":
                said = f"{SAID[chosen]} anew {number}"
                await stores.memories.change_all(
                    ids[:1], header(), memory_curation.each(lambda _memory, said=said: {"content": said})
                )
            elif step == "delete":
                await stores.memories.delete([ids.pop(chosen % len(ids))], header("delete"))
            else:
                await stores.upkeep.mend(MEMORY_TABLES.kind)

            by_store = await asked(stores).statistics(ASKED)
            truth = in_the_index(connection)
            mark = word_index.tag("me")
            assert by_store.documents == len(ids)
            assert by_store.frequencies == {token: truth.get(mark + token, 0) for token in ASKED}
        while await stores.upkeep.fill_words(1):
            continue
        assert counted(connection) == in_the_index(connection)
        assert all(state.is_in_step for state in await stores.upkeep.states())
        connection.close()
        await stores.upkeep.aclose()

    asyncio.run(play())


@pytest.mark.long
def test_every_letter_is_counted_as_the_index_has_it() -> None:
    """The index makes other letters of some small ones, and splits words at others."""
    letters = [chr(code) for code in range(0x80, 0x30000) if chr(code).isalnum() and chr(code) == chr(code).lower()]
    letters += [each for each in JAPANESE_MARKS if not each.isalnum()]
    connection = apsw.Connection(":memory:")
    make_words(connection, MEMORY_TABLES)
    connection.execute("CREATE VIRTUAL TABLE each_word USING fts5vocab (long_term_text, instance)")
    with connection:
        connection.executemany(
            "INSERT INTO long_term_text (rowid, tokens) VALUES (?, ?)",
            [(ord(letter), f"mark_a{letter}b") for letter in letters],
        )

    found: dict[int, list[str]] = {}
    for term, number in connection.execute("SELECT term, doc FROM each_word ORDER BY doc, offset"):
        found.setdefault(int(str(number)), []).append(str(term))
    assert {ord(letter): word_index.as_indexed(f"mark_a{letter}b") for letter in letters} == found


async def test_a_word_that_the_index_spells_otherwise_is_found_counted_and_gone(tmp_path: Path) -> None:
    stores = await opened_in(tmp_path)
    [number] = await remember(stores, "ο λόγος µs ſtraße")

    assert (await asked(stores).statistics(["λόγος"])).frequencies == {"λόγος": 1}
    assert [hit.ref.id for hit in await asked(stores).by_tokens(["λόγος"], 5)] == [number]
    assert all(each.is_in_step for each in await stores.upkeep.states())
    await stores.upkeep.mend(MEMORY_TABLES.kind)
    while await stores.upkeep.fill_words(1):
        continue
    await stores.memories.delete([number], header("delete"))

    connection = connect(tmp_path / "orca.db")
    assert counted(connection) == {}
    connection.close()


async def test_a_large_profile_beside_it_takes_no_word_from_a_small_one(opened) -> None:
    """Words that are common elsewhere are rare here."""
    async with opened("work") as work, opened("me") as mine:
        await remember(work, *(f"giraffe number {number}" for number in range(30)), "a zebra")
        [wanted] = await remember(mine, "the giraffe is mine")

        hits = await asked(mine).by_tokens(["zebra", "giraff"], 5)
        assert [hit.ref.id for hit in hits] == [wanted]
        assert (await asked(mine).statistics(["zebra", "giraff"])).frequencies == {"zebra": 0, "giraff": 1}


MEMORIES = 150
"""More than the background indexes in one transaction."""


async def left_to_the_background(*_given: object) -> None:
    return


async def imported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Stores:
    """As an indexing leaves it that is killed when it has begun."""
    monkeypatch.setattr(SQLiteUpkeep, "_fill", left_to_the_background)
    stores = await opened_in(folder)
    memories = (a_memory(f"giraffe {number}") for number in range(MEMORIES))
    await brought(stores, document(*memories))
    await stores.upkeep.mend(MEMORY)
    return stores


async def found(stores: Stores, word: str) -> int:
    return len(await asked(stores).by_tokens([word], 1000))


async def test_what_happens_to_records_meanwhile_is_indexed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = await imported(tmp_path, monkeypatch)
    await stores.memories.change_all(
        [7], header("edit", later()), memory_curation.each(lambda _memory: {"content": "a zebra"})
    )
    await stores.memories.delete([8], header("delete", later()))
    await stores.upkeep.fill_words(1)
    await stores.memories.change_all(
        [9], header("edit", later()), memory_curation.each(lambda _memory: {"content": "a zebu"})
    )
    await stores.memories.change_all(
        [140], header("edit", later()), memory_curation.each(lambda _memory: {"content": "a lion"})
    )
    await stores.history.undo(None, later(2))
    while await stores.upkeep.fill_words(1):
        continue

    assert [await found(stores, word) for word in ("giraff", "zebra", "zebu", "lion")] == [MEMORIES - 3, 1, 1, 0]
    assert [each for each in await stores.upkeep.states() if not each.is_in_step] == []
    assert (await stores.upkeep.health()).integrity == "ok"


WORDS = MEMORY_TABLES.words


def many_pieces(database: Path) -> int:
    connection = apsw.Connection(str(database))
    count = word_index._count(connection, WORDS)
    connection.close()
    return count


async def test_pieces_that_single_writes_leave_are_joined(tmp_path: Path) -> None:
    stores = await opened_in(tmp_path)
    for number in range(9):
        await remember(stores, f"giraffe {number}")
    before = many_pieces(stores.upkeep._scope.path)
    await stores.upkeep.join_words()

    assert (before, many_pieces(stores.upkeep._scope.path)) == (9, 1)
    assert len(await asked(stores).by_tokens(["giraff"], 20)) == 9
    assert [each for each in await stores.upkeep.states() if not each.is_in_step] == []


async def test_a_deleted_word_stands_in_no_piece(tmp_path: Path) -> None:
    stores = await opened_in(tmp_path)
    ids = [number for each in range(9) for number in await remember(stores, f"giraffe {each}")]
    connection = apsw.Connection(str(stores.upkeep._scope.path))
    connection.execute(f"INSERT INTO {WORDS} ({WORDS}, rank) VALUES ('merge', -1)")
    connection.close()
    await stores.memories.delete([ids[3]], header("delete"))
    await stores.upkeep.join_words()

    assert len(await asked(stores).by_tokens(["giraff"], 20)) == 8
    assert [each for each in await stores.upkeep.states() if not each.is_in_step] == []
