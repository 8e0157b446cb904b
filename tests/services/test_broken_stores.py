"""A database that fails costs memory, never the answer."""

from __future__ import annotations

from pathlib import Path

import apsw
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
