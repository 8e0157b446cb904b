"""What is left of a deleted memory: a keyed hash of what it said, in its own profile."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.deleting import count, database_of, opened
from fakes.records import header, remember

from orca_core.rules.learning.likeness.duplicates import statement
from orca_core.storage.sqlite.memories import tombstones


@pytest.mark.parametrize(
    ("said", "again", "is_known"),
    [
        ("User likes quokkas", "user likes Quokkas!", True),
        ("用户用 nvim 写代码", "用户用 Neovim 写代码。", True),
        ("用户用 vim", "用户用 emacs", False),
        ("postgres on port 5433", "postgres on port 5432", False),
    ],
)
async def test_a_deleted_memory_is_known_again(tmp_path: Path, said: str, again: str, is_known: bool) -> None:
    stores = await opened(tmp_path)
    [memory_id] = await remember(stores, said)
    await stores.memories.delete([memory_id], header("delete"))

    database = database_of(stores)
    for scope, wanted in (("me", is_known), ("work", False)):
        found = await database.read(
            lambda connection, scope=scope: tombstones.is_laid(connection, scope, statement(again))
        )
        assert found is wanted
    assert await stores.history.deleted([again, "something else"]) == ({again} if is_known else set())
    await stores.housekeeping.aclose()


async def test_it_can_not_be_read(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    [memory_id] = await remember(stores, "User likes quokkas")
    await stores.memories.delete([memory_id], header("delete"))
    await stores.housekeeping.aclose()
    assert count(tmp_path / "orca.db", "SELECT count(*) FROM tombstones") == 1
    assert b"quokka" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file()).lower()
