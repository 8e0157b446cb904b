"""What a turn or a key waits for walks through nothing that grows with the home: its plan says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw
import pytest
from fakes.records import EVOLVE, begin, chat, header, receipt, record, remember
from fakes.steps import plan_of, plan_of_reads

from orca_core.model.memories import State, Use
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, Kind, memory_ref
from orca_core.model.views import RecordQuery
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.store import open_stores
from orca_core.store.sqlite.upkeep.completions import TABLES, _read, titles

Ask = Callable[[Stores], Awaitable[object]]
SORTED = {"what waits to be learnt": 2 * ["USE TEMP B-TREE FOR ORDER BY"]}
"""Chats whose rounds wait, and runs that failed, are few."""
OLDEST = RecordQuery({"state": (State.CANDIDATE.value,)}, order=("updated_at", "id"), limit=1)
ASKED: dict[str, Ask] = {
    "the header's counts": lambda stores: stores.memories.counts(),
    "what waits to be learnt": lambda stores: stores.learning.queue(),
    "episodes that wait": lambda stores: stores.records[EPISODE].page(OLDEST),
    "knowledge that waits": lambda stores: stores.records[KNOWLEDGE].page(OLDEST),
    "guides that wait": lambda stores: stores.records[GUIDE].page(OLDEST),
    "the chats": lambda stores: stores.dialogues.sessions(20),
    "the latest chat": lambda stores: stores.dialogues.latest_session(),
    "a chat's name": lambda stores: stores.dialogues.session("s"),
    "the end of a chat": lambda stores: stores.dialogues.rounds("s", 20),
    "rounds before it": lambda stores: stores.dialogues.rounds("s", 20, below=9),
    "questions": lambda stores: stores.sessions.questions(20),
    "the latest receipt": lambda stores: stores.receipts.receipt(None, None),
    "where a memory was shown": lambda stores: stores.receipts.appearances(memory_ref(1), 20),
    "how a model counts": lambda stores: stores.receipts.token_ratio("a model"),
    "the history of a memory": lambda stores: stores.history.history(1),
    "operations": lambda stores: stores.history.operations(20),
    "runs": lambda stores: stores.runs.runs(20),
}


async def filled(path: Path) -> Stores:
    stores = await open_stores(path, scope="me", must_exist=False)
    await remember(stores, "a giraffe", "a zebra", tags=("zoo",))
    for _ in range(3):
        await chat(stores, uses={1: Use.USED}, receipt=receipt(content="a giraffe", block="a giraffe"))
    return stores


@pytest.mark.parametrize("what", sorted(ASKED))
async def test_an_index_finds_what_is_shown(tmp_path: Path, what: str) -> None:
    stores = await filled(tmp_path / "orca.db")
    plan = await plan_of_reads(stores, lambda: ASKED[what](stores))
    await stores.housekeeping.aclose()
    assert plan.walks == []
    assert plan.sorts == SORTED.get(what, [])


@pytest.mark.parametrize("kind", [EPISODE, KNOWLEDGE, GUIDE])
async def test_what_waits_longest_is_the_first_of_its_index(tmp_path: Path, kind: Kind) -> None:
    stores = await filled(tmp_path / "orca.db")
    plan = await plan_of_reads(stores, lambda: stores.records[kind].page(OLDEST))
    await stores.housekeeping.aclose()
    assert plan.uses(f"{kind.name}s_waiting".replace("knowledges", "knowledge"))


@pytest.mark.parametrize(("what", "beginning"), [("memory", "1"), ("run", "2"), ("tag", ""), ("operation", "12")])
async def test_names_are_completed_by_an_index(tmp_path: Path, what: str, beginning: str) -> None:
    path = tmp_path / "orca.db"
    await (await filled(path)).housekeeping.aclose()
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    [table] = TABLES[what]
    plan = plan_of(connection, lambda: _read(connection, table, "me", beginning, 9))
    connection.close()
    assert plan.walks == []


@pytest.mark.long
async def test_numbers_are_completed_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await remember(stores, *(f"memory {number}" for number in range(1, 125)))
    await stores.housekeeping.aclose()

    def named(beginning: str, most: int = 99) -> list[str]:
        return [name for name, _title in titles(path, "me", "memory", beginning, most)]

    assert named("12") == ["124", "123", "122", "121", "120", "12"]
    assert named("1", 3) == ["124", "123", "122"]
    assert named("7") == ["79", "78", "77", "76", "75", "74", "73", "72", "71", "70", "7"]
    assert named("0") == named("e1") == named("125") == []


async def test_tags_are_counted_as_they_come_change_and_go(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    first, second, third = await remember(stores, "a giraffe", "a zebra", "an owl", tags=("zoo", "animal"))
    await stores.memories.change([first], header("edit"), lambda _all: {first: {"tags": ["zoo", "tall"]}})
    await stores.memories.delete([second], header("delete"))
    await stores.memories.change([third], header("edit"), lambda _all: {third: {"weight": 3.0}})
    await stores.housekeeping.aclose()

    assert titles(path, "me", "tag", "", 9) == [("zoo", "2 ×"), ("animal", "1 ×"), ("tall", "1 ×")]
    assert titles(path, "me", "profile", "", 9) == [("me", "")]


async def test_what_was_asked_is_told_once_as_it_was_asked_last(tmp_path: Path) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    for text in ("first", "again", "again", "again", "last"):
        await stores.dialogues.finish_round(record(await begin(stores, text=text)), EVOLVE)

    asked = [[span.text for span in spans] for spans in await stores.sessions.questions(9)]
    assert asked == [["first"], ["again"], ["last"]]
    assert len(await stores.sessions.questions(2)) == 2


async def test_figures_are_told_without_reading_the_file(tmp_path: Path) -> None:
    stores = await filled(tmp_path / "orca.db")
    told, examined = await stores.housekeeping.health(examines=False), await stores.housekeeping.health()
    await stores.housekeeping.aclose()
    assert (told.integrity, examined.integrity) == ("", "ok")
    assert told.counts == examined.counts
    assert told.counts["rounds"] == 3
    assert told.counts["long_term"] == 2
