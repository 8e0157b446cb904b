"""From schema 8 to this one: each memory that was learnt, added or changed by then says what it lives on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from fakes.records import header, later

from orca_core.domain.memories import ConfirmedBy, State
from orca_core.domain.stores import Stores
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.rules.keeping import curation, undo
from orca_core.storage.sqlite.engine.connection import load_vectors
from orca_core.storage.sqlite.schema import migrations
from orca_core.storage.sqlite.store import open_stores

V8 = (Path(__file__).parent / "fixtures" / "v8.sql").read_text(encoding="utf-8")
HAND, TYPED = ConfirmedBy.HAND, ConfirmedBy.TYPED
MEMORIES = [
    (1, "learnt", State.LIVE, TYPED),
    (2, "learnt, and held back", State.CANDIDATE, None),
    (3, "rejected", State.REJECTED, None),
    (4, "added by hand", State.LIVE, HAND),
    (5, "accepted", State.LIVE, HAND),
    (6, "edited", State.LIVE, HAND),
    (7, "accepted, and that taken back", State.CANDIDATE, None),
    (8, "edited, and that taken back", State.LIVE, TYPED),
    (9, "archived by hand", State.ARCHIVED, HAND),
]


@pytest.fixture
def v8(tmp_path: Path) -> Path:
    path = tmp_path / "orca.db"
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    connection.execute("PRAGMA journal_mode=WAL").fetchall()
    for _ in connection.execute(V8):
        pass
    assert migrations.version_of(connection) == 8
    connection.close()
    return path


async def opened(path: Path, scope: str = "me") -> Stores:
    return await open_stores(path, scope=scope, must_exist=True, rules=JOURNAL_RULES)


async def test_each_memory_says_what_it_lives_on(v8: Path) -> None:
    stores = await opened(v8)
    found = await stores.memories.get([number for number, *_ in MEMORIES])
    assert [(each.id, each.state, each.confirmed_by) for each in found] == [
        (number, state, by) for number, _name, state, by in MEMORIES
    ]
    await stores.housekeeping.aclose()


async def test_what_another_profile_learnt_was_typed(v8: Path) -> None:
    stores = await opened(v8, "team")
    [memory] = await stores.memories.get([10])
    assert (memory.content, memory.confirmed_by) == ("Deploys happen on Fridays", TYPED)
    await stores.housekeeping.aclose()


async def test_the_words_of_every_memory_come_along(v8: Path) -> None:
    said = "SELECT id, uid, scope, content, state, held_because FROM long_term_memories ORDER BY id"
    with closing(sqlite3.connect(v8)) as connection:
        before = connection.execute(said).fetchall()
    stores = await opened(v8)
    await stores.housekeeping.aclose()

    with closing(sqlite3.connect(v8)) as connection:
        assert connection.execute(said).fetchall() == before
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert len(before) == len(MEMORIES) + 1


async def test_what_was_done_before_is_taken_back_as_ever(v8: Path) -> None:
    stores = await opened(v8)
    undone = await stores.history.undo(None, later(100), undo.plan)
    assert [each.id for each in undone.memories] == [9]
    [archived] = await stores.memories.get([9])
    assert archived.state is State.LIVE

    accepted = curation.accept({7: "The user prefers short answers"})
    await stores.memories.change([7], header("accept", later(101)), accepted)
    assert (await stores.memories.get([7]))[0].confirmed_by is HAND
    await stores.history.undo(None, later(102), undo.plan)
    [candidate] = await stores.memories.get([7])
    assert (candidate.state, candidate.confirmed_by) == (State.CANDIDATE, None)
    await stores.housekeeping.aclose()
