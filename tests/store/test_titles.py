"""Names and titles of records, glimpsed without opening a store: nothing is written, and nothing is ever raised."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.records import AT, chat, header, remember

from orca_core.model.episodes import Episode
from orca_core.model.memories import State
from orca_core.model.records import EPISODE
from orca_core.store.sqlite.store import open_stores
from orca_core.store.sqlite.upkeep.completions import TABLES, titles

pytestmark = pytest.mark.long


async def filled(path: Path) -> None:
    for scope in ("me", "team"):
        stores = await open_stores(path, scope=scope, must_exist=False)
        await chat(stores, f"s-{scope}")
        ids = await remember(stores, f"{scope} owl", f"{scope} wren", f"{scope} " + "long " * 100)
        await stores.memories.change(ids[:1], header("pin"), lambda some: {some[0].id: {"pinned": True}})
        await stores.records[EPISODE].add(Episode(0, scope, f"{scope} 502", f"{scope} 502", AT, AT, AT), header())
        waits = Episode(0, f"{scope}2", f"{scope} 504", f"{scope} 504", AT, AT, AT, state=State.CANDIDATE)
        await stores.records[EPISODE].add(waits, header())
        await stores.housekeeping.aclose()


async def test_those_of_a_scope_come_newest_first_and_short(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    await filled(path)

    found = titles(path, "me", "memory", "", 9)

    assert [(name, title[:8]) for name, title in found] == [("3", "me long "), ("2", "me wren"), ("1", "me owl")]
    assert max(len(title) for _name, title in found) == 200
    assert titles(path, "team", "memory", "", 9)[-1] == ("4", "team owl")
    assert titles(path, "me", "memory", "2", 9) == [("2", "me wren")]
    assert titles(path, "me", "memory", "", 1) == [found[0]]
    assert titles(path, "me", "pinned memory", "", 9) == [("1", "me owl")]
    assert titles(path, "me", "episode", "e1", 9) == [("e1", "me 502")]
    assert titles(path, "me", "candidate", "", 9) == [("e2", "me 504")]
    assert titles(path, "me", "session", "", 9) == [("s-me", "a title")]
    assert titles(path, "nobody", "memory", "", 9) == []


@pytest.mark.parametrize("what", sorted(TABLES))
async def test_every_kind_can_be_looked_at(tmp_path: Path, what: str) -> None:
    path = tmp_path / "orca.db"
    await filled(path)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    for each in TABLES[what]:  # a name that is no table of the schema raises
        connection.execute(f"SELECT count(*) FROM {each.rows}").fetchall()
    connection.close()

    assert isinstance(titles(path, "me", what, "", 9), list)


@pytest.mark.parametrize("content", [None, b"", b"this is no database\n" * 99])
def test_without_a_database_there_is_nothing_to_see(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "orca.db"
    if content is not None:
        path.write_bytes(content)

    assert titles(path, "me", "memory", "", 9) == []
    assert path.exists() is (content is not None)


async def test_beside_a_writer_it_reads_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    await filled(path)
    writer = apsw.Connection(str(path))
    writer.execute("BEGIN EXCLUSIVE")
    try:
        assert len(titles(path, "me", "memory", "", 9)) == 3
    finally:
        writer.close()
