"""The index of messages: no text that holds what is looked for is beyond it, whatever both hold; nothing stays of what
is gone; older databases get theirs in the background."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import apsw
import pytest
from fakes.records import begin, header, record, said_with
from hypothesis import assume, example, given
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput, StorageError
from orca_core.model.sessions import Speaker
from orca_core.operations.stores import Stores
from orca_core.rules.text.literal_search import read_search
from orca_core.store.sqlite.engine.connection import connect, load_vectors
from orca_core.store.sqlite.index import message_index, message_search
from orca_core.store.sqlite.index.message_index import Said
from orca_core.store.sqlite.store import open_database, open_stores

SPELT = (
    "go Go golang C++ foo:bar -x ' \" * OR NEAR( 数据 數據库 库 。 用 é ｶ ﬁ ß İ Σς _ 9 ３ 😀 ไทย 가 ( ) ^ { + :".split()
)
UNSEEN = [
    "e\u0301",
    "\uff9e",
    "\u3099",
    "\u1100\u1161",
    "\u200d",
    "\ufe0f",
    "\u200b",
    "\x00",
    "\ud83d",
    " ",
    "\n",
    "\u3000",
]
PIECES = st.sampled_from([*SPELT, *UNSEEN, "x" * 70])
TEXT = st.lists(PIECES | st.text(max_size=3), max_size=8).map("".join)


@pytest.fixture(scope="module")
def index() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
    connection.execute("CREATE TABLE unindexed_messages (id INTEGER PRIMARY KEY)")
    message_index.make_index(connection)
    return connection


@given(before=TEXT, search=TEXT, behind=TEXT)
@example(before="数", search="据", behind="库")
@example(before="", search="ｶ", behind="\uff9e")
@example(before="x" * 40, search="x" * 40, behind="x")
def test_whatever_a_look_at_the_text_finds_the_index_knows(
    index: apsw.Connection, before: str, search: str, behind: str
) -> None:
    try:
        sought = read_search(search)
    except InvalidInput:
        assume(False)
    text = f"{before}{search}{behind}".replace("\ud83d", "\ufffd")
    said = Said(1, "me", "s", "user", text)
    query = message_index.expression("me", [(each.words, each.is_open) for each in sought.phrases])
    assume("\ud83d" not in query)
    message_index.put(index, said)
    try:
        is_known = index.execute("SELECT 1 FROM message_text WHERE message_text MATCH ?", (query,)).fetchone()
    finally:
        message_index.drop(index, [said])
    if sought.judge(text) is not None:
        assert is_known
    assert index.execute("SELECT count(*) FROM message_text_docsize").fetchone() == (0,)


async def opened(path: Path) -> Stores:
    return await open_stores(path, scope="me", must_exist=False)


async def said(stores: Stores, question: str, answer: str = "an answer", session_id: str = "s") -> None:
    started = await begin(stores, session_id, question)
    await stores.sessions.finish_round(record(started, answer, short_term=None))


def places(folder: Path, *needles: bytes) -> int:
    files = [each.read_bytes() for each in folder.iterdir() if each.is_file()]
    return sum(content.count(needle) for content in files for needle in needles)


@pytest.mark.parametrize(
    ("secret", "pieces"), [("长颈鹿四十二", ("长颈鹿", "颈鹿", "鹿四")), ("giraffequartz", ("giraffequartz",))]
)
async def test_no_byte_of_the_words_of_a_deleted_chat_is_left(
    tmp_path: Path, secret: str, pieces: tuple[str, ...]
) -> None:
    path = tmp_path / "orca.db"
    stores = await opened(path)
    for number in range(60):
        await said(stores, f"another matter {number} 别的事情", session_id="t")
    await said(stores, f"my {secret} word", f"your {secret}word", session_id="s")
    await stores.sessions.fork("s", 1, "f", header().at)
    await stores.messages.catch_up()
    forms = [each.encode() for each in pieces]
    assert all(places(tmp_path, form) for form in forms)

    for session_id in ("s", "f"):
        assert await stores.sessions.delete(session_id, header("delete"))

    assert places(tmp_path, *forms) == 0
    assert len(await said_with(stores, "另 matter 别的事情".replace("另", "another"), 99)) == 60
    assert (await stores.messages.examine()).is_in_step


def changed(path: Path, *statements: str) -> None:
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    for statement in statements:
        connection.execute(statement).fetchall()
    connection.close()


async def test_an_index_that_is_made_anew_is_filled_in_slices(tmp_path: Path) -> None:
    stores = await opened(tmp_path / "orca.db")
    for number in range(150):
        await said(stores, f"giraffe {number} 长颈鹿")
    await stores.messages.rebuild()

    assert await stores.messages.backlog() == 300
    assert await said_with(stores, "giraffe") == []
    assert await stores.messages.catch_up(0.0) < 300
    assert [each.content for each in await said_with(stores, "长颈鹿 giraffe", 1)] == ["giraffe 149 长颈鹿"]
    assert await stores.messages.catch_up() == 0
    assert len(await said_with(stores, "长颈鹿 giraffe", 999)) == 150
    assert (await stores.messages.examine()).is_in_step


async def test_an_index_of_other_rules_is_made_anew_once(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await opened(path)
    await said(stores, "a giraffe")
    changed(path, "UPDATE meta SET value = 'other rules' WHERE key = 'message_text'")
    assert (await stores.messages.examine()).is_stale
    await said(stores, "another giraffe")
    assert await stores.messages.backlog() == 4
    assert await stores.sessions.delete("s", header("delete"))
    await said(stores, "one more giraffe", session_id="t")
    assert await stores.messages.catch_up() == 0
    assert [each.content for each in await said_with(stores, "giraffe")] == ["one more giraffe"]
    assert (await stores.messages.examine()).is_in_step
    changed(path, "UPDATE meta SET value = 'other rules' WHERE key = 'message_text'")
    assert await stores.messages.catch_up() == 2  # whoever keeps it so is not fought


@pytest.mark.parametrize("blocks", ["id = 1", "id = 10", "id > 10", "id >= 0"])
async def test_a_damaged_index_keeps_nothing_from_being_said_and_is_made_anew(tmp_path: Path, blocks: str) -> None:
    path = tmp_path / "orca.db"
    stores = await opened(path)
    await said(stores, "a giraffe")
    changed(path, f"UPDATE message_text_data SET block = x'00ff' WHERE {blocks}")
    await said(stores, "a zebra")
    started = await begin(stores, "s", "an okapi", replaces=2)
    await stores.sessions.finish_round(record(started, short_term=None))
    with pytest.raises(StorageError, match="damaged") if blocks == "id > 10" else nullcontext():
        await said_with(stores, "giraffe")
    await stores.messages.rebuild()
    assert await stores.messages.catch_up() == 0
    assert [each.content for each in await said_with(stores, "giraffe")] == ["a giraffe"]
    assert [each.content for each in await said_with(stores, "okapi")] == ["an okapi"]
    assert await said_with(stores, "zebra") == []


async def test_messages_that_were_missed_and_orphans_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await opened(path)
    await said(stores, "a giraffe")
    assert (await stores.messages.examine()).is_in_step
    await stores.upkeep.aclose()
    changed(
        path,
        "DROP TRIGGER message_waits",
        "INSERT INTO rounds (scope, session_id, number, attempt, state, started_at)"
        " VALUES ('me', 's', 2, 1, 'done', '2026-11-20T12:00:00.000000Z')",
        "INSERT INTO main_messages (round_id, role, content, at) SELECT max(id), 'user', 'missed', '' FROM rounds",
        "INSERT INTO message_text (rowid, tokens) VALUES (99, 'orphan')",
    )
    stores = await opened(path)
    state = await stores.messages.examine()
    assert (state.missing, state.orphans, state.is_in_step) == (1, 1, False)
    await stores.messages.rebuild()
    await stores.messages.catch_up()
    assert (await stores.messages.examine()).is_in_step


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
        await stores.sessions.finish_round(record(started, f"goat {number}, zebra" if number % 5 else "no"))


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
        await scope.upkeep.aclose()
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
    await stores.upkeep.aclose()
    await database.aclose()
