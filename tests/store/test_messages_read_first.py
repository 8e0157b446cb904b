"""Messages by a beginning that stands in many: the newest are read before the index is asked, and what is found is the
same."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.records import EVOLVE, begin, record, said_with

from orca_core.model.sessions import Speaker
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index import message_index
from orca_core.store.sqlite.store import open_database
from orca_core.store.sqlite.talk import message_search

SOUGHT = (
    {"text": "g"},
    {"text": "gi"},
    {"text": "g zebra"},
    {"text": "giraffe 1"},
    {"text": "库"},
    {"text": "g", "session_id": "s1"},
    {"text": "g", "speaker": Speaker.USER},
    {"text": "qq"},
)


async def talk(stores: Stores, rounds: int) -> None:
    for number in range(rounds):
        question = f"giraffe {number}" if number % 3 else f"数据库 {number} zebra"
        started = await begin(stores, f"s{number % 2}", question)
        await stores.dialogues.finish_round(record(started, f"goat {number}, zebra" if number % 5 else "no"), EVOLVE)


@pytest.mark.parametrize("limit", [3, 50])
async def test_the_same_is_found_however_many_are_read_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    database = await open_database(tmp_path / "orca.db", must_exist=False)
    other, mine = database.scope("other", ()), database.scope("me", ())
    await talk(mine, 12)
    await talk(other, 3)
    await talk(mine, 12)
    monkeypatch.setattr(message_search, "FEW_PAGES", 10**9)
    by_index = [await said_with(mine, each["text"], limit, **_rest(each)) for each in SOUGHT]
    assert all(by_index[:-1])
    monkeypatch.setattr(message_search, "FEW_PAGES", -1)
    monkeypatch.setattr(message_index, "pages_of_beginning", lambda *_given: 1)
    for read_first in (1, 7, 20, 10_000):
        monkeypatch.setattr(message_search, "READ_A_PAGE", read_first)
        assert [await said_with(mine, each["text"], limit, **_rest(each)) for each in SOUGHT] == by_index
    for scope in (mine, other):
        await scope.housekeeping.aclose()
    await database.aclose()


def _rest(sought: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in sought.items() if name != "text"}


def test_the_pages_of_a_beginning_grow_with_the_messages_that_hold_it(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "words.db"))
    connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
    message_index.make_index(connection)
    text = f"INSERT INTO {message_index.TABLE} (rowid, tokens) VALUES (?, ?)"
    tag = message_index.tagged("me", [""])
    with connection:
        for number in range(1, 20_001):
            connection.execute(text, (number, f"{tag}a{number % 50} {tag}z{number}" + f" {tag}rare" * (number == 9)))
    pages = {word: message_index.pages_of_beginning(connection, "me", word) for word in ("a", "a1", "rare", "none")}
    assert pages["a"] > pages["a1"] > pages["rare"] == pages["none"] == 0
    [held] = connection.execute(f"SELECT count(*) FROM {message_index.TABLE}_data").fetchone() or (0,)
    assert pages["a"] < held
    connection.close()


async def test_the_index_is_not_asked_where_the_newest_are_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = await open_database(tmp_path / "orca.db", must_exist=False)
    stores = database.scope("me", ())
    await talk(stores, 12)
    monkeypatch.setattr(message_search, "FEW_PAGES", -1)
    monkeypatch.setattr(message_index, "pages_of_beginning", lambda *_given: 4)
    connection = connect(tmp_path / "orca.db")
    connection.execute(f"DELETE FROM {message_index.TABLE}_data WHERE id > 10")  # so that asking it would fail
    connection.close()
    assert len(await said_with(stores, "g", 5)) == 5
    await stores.housekeeping.aclose()
    await database.aclose()
