"""Indexes of words are joined into one piece, in slices, whatever is written meanwhile."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.asking import asked
from fakes.deleting import opened
from fakes.records import header, remember

from orca_core.model.errors import IndexDamaged
from orca_core.store.sqlite.index import word_index
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES

WORDS = MEMORY_TABLES.words


def many_pieces(database: Path) -> int:
    connection = apsw.Connection(str(database))
    count = word_index._count(connection, WORDS)
    connection.close()
    return count


async def test_pieces_that_single_writes_leave_are_joined(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    for number in range(9):
        await remember(stores, f"giraffe {number}")
    before = many_pieces(stores.cleaning._scope.path)
    await stores.indexes.join_words()

    assert (before, many_pieces(stores.cleaning._scope.path)) == (9, 1)
    assert len(await asked(stores).by_tokens(["giraff"], 20)) == 9
    assert [each for each in await stores.indexes.states() if not each.is_in_step] == []


@pytest.mark.long
async def test_joining_ends_whatever_is_written_meanwhile(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    for number in range(9):
        texts = (" ".join(f"word{number}x{each}x{at}" for at in range(40)) for each in range(20))
        await remember(stores, *(f"giraffe {text}" for text in texts))
    path = stores.cleaning._scope.path
    connection = apsw.Connection(str(path))
    slices = 0
    while word_index.join_pieces(connection, WORDS, 1, is_begun=slices > 0):
        slices += 1
        await remember(stores, f"giraffe of the meantime {slices}")
    connection.close()

    assert 3 < slices < 100
    assert many_pieces(path) <= 1 + slices
    assert len(await asked(stores).by_tokens(["giraff"], 1000)) == 180 + slices
    assert len(await asked(stores).by_tokens(["meantim"], 1000)) == slices
    assert [each for each in await stores.indexes.states() if not each.is_in_step] == []


async def test_a_damaged_index_keeps_no_other_from_being_joined(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    for number in range(9):
        await remember(stores, f"giraffe {number}")
    connection = apsw.Connection(str(stores.cleaning._scope.path))
    connection.execute("DROP TABLE episodes_text_idx")
    connection.close()
    with pytest.raises(IndexDamaged):
        await stores.indexes.join_words()

    assert many_pieces(stores.cleaning._scope.path) == 1


async def test_a_deleted_word_stands_in_no_piece(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    ids = [number for each in range(9) for number in await remember(stores, f"giraffe {each}")]
    connection = apsw.Connection(str(stores.cleaning._scope.path))
    connection.execute(f"INSERT INTO {WORDS} ({WORDS}, rank) VALUES ('merge', -1)")
    connection.close()
    await stores.memories.delete([ids[3]], header("delete"))
    await stores.indexes.join_words()

    assert len(await asked(stores).by_tokens(["giraff"], 20)) == 8
    assert [each for each in await stores.indexes.states() if not each.is_in_step] == []
