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
from orca_core.operations.stores import Stores
from orca_core.rules.text.literal_search import read_search
from orca_core.store.sqlite.engine.connection import load_vectors
from orca_core.store.sqlite.index import message_index
from orca_core.store.sqlite.index.message_index import Said
from orca_core.store.sqlite.store import open_stores

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
