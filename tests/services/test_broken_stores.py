"""A database that fails costs memory, never the answer."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import names, of, only, turn

from orca_core.model.events import Done, Failed, Injected, LevelChanged, Reply
from orca_core.model.recall import Level

TECHNICAL = "docker 里的 postgres 连不上"


def break_long_term(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("DELETE FROM sqlite_schema WHERE name = 'long_term_text'")
    connection.close()


async def test_damaged_tables_of_long_term_memory_leave_level_three(open_engine, database: Path) -> None:
    async with open_engine() as engine:
        await turn(engine, "你好，今天我们继续")
    break_long_term(database)
    async with open_engine(ScriptedModel(says("先看端口。"))) as engine:
        events = await turn(engine, TECHNICAL)
        again = await turn(engine, TECHNICAL)

    assert only(events, LevelChanged).level is Level.SHORT_TERM_ONLY
    assert only(events, Injected).injection.level is Level.SHORT_TERM_ONLY
    assert only(events, Reply).text == "先看端口。"
    assert only(again, Done).round == 3
    assert not of(again, LevelChanged)


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE long_term_text",
        "DROP TABLE long_term_vocabulary",
        "DROP TABLE long_term_memories",
        "ALTER TABLE vectors RENAME COLUMN vector TO lost",
    ],
)
async def test_the_conversation_is_remembered_beside_damaged_tables(open_engine, database: Path, damage: str) -> None:
    async with open_engine() as engine:
        await turn(engine, "postgres 在 docker 里用 5433 端口", session_id="earlier")
        await engine.worker.tidy()
    connection = apsw.Connection(str(database))
    connection.execute(damage)
    connection.close()
    async with open_engine(ScriptedModel(says("先看端口。"))) as engine:
        await turn(engine, "你好，今天我们继续", session_id="later")
        injection = only(await turn(engine, TECHNICAL, session_id="later"), Injected).injection
        _, rounds = await engine.sessions.show("later")

    assert injection.level is Level.SHORT_TERM_ONLY
    assert "s1" in [str(item.ref) for item in injection.injected]
    assert [each.assistant for each in rounds] == ["先看端口。", "先看端口。"]


async def test_what_can_not_be_saved_still_gets_its_answer(open_engine, database: Path) -> None:
    async with open_engine(ScriptedModel(says("an answer"))) as engine:
        await turn(engine, "a first question")
        database.unlink()
        events = await turn(engine, "a second question")

    assert only(events, Reply).text == "an answer"
    [failure] = of(events, Failed)
    assert failure.kind == "not_saved"
    assert failure.message.startswith("not saved: ")
    assert names(events)[-1] == "done"


async def test_a_database_that_goes_while_the_model_speaks_costs_the_record_only(open_engine, database: Path) -> None:
    async def unlink() -> None:
        database.unlink()

    async with open_engine(ScriptedModel([unlink, *says("an answer")])) as engine:
        events = await turn(engine, "a question")

    assert only(events, Reply).text == "an answer"
    assert [failure.kind for failure in of(events, Failed)] == ["not_saved"]
