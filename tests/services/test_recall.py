"""What a turn gets of what was said before, and what is left where the database can not tell."""

from __future__ import annotations

from pathlib import Path

import apsw
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, only, turn

from orca_core.model.events import Injected, LevelChanged
from orca_core.model.recall import Level
from orca_core.model.records import MEMORY

TECHNICAL = "docker 里的 postgres 连不上"
DAY_S = 86_400


async def test_of_two_summaries_that_say_the_same_the_fresher_counts_more(open_engine, clock: StillClock) -> None:
    async with open_engine(ScriptedModel(says("看端口。"))) as engine:
        await turn(engine, TECHNICAL, session_id="old")
        clock.advance(20 * DAY_S)
        await turn(engine, TECHNICAL, session_id="new")
        clock.advance(60)
        await turn(engine, "你好，今天我们继续", session_id="now")
        injection = only(await turn(engine, TECHNICAL, session_id="now"), Injected).injection
    age = {item.created_at: item.parts.recency for item in (*injection.injected, *injection.dropped)}
    [oldest, *_, newest] = [age[at] for at in sorted(age)]
    assert 0 < oldest < newest


async def test_a_memory_that_is_very_near_opens_the_gate_for_itself(open_engine) -> None:
    async with open_engine(ScriptedModel(says("看端口。"))) as engine:
        await turn(engine, "你好，今天我们继续")
        await engine.memories.add("The old fiddle is tuned to open D in the workshop")
        await engine.memories.add("The workshop is closed on Mondays")
        injection = only(
            await turn(engine, "the old fiddle is tuned to open D and won't stay tuned"), Injected
        ).injection
    assert injection.rules == ("short_term", "near")
    assert [item.reason for item in injection.injected if item.ref.kind == MEMORY] == ["near"]


async def test_a_read_of_long_term_memory_that_fails_lowers_the_level_of_the_next_turn(
    open_engine, database: Path
) -> None:
    async with open_engine(ScriptedModel(says("看端口。"))) as engine:
        await engine.memories.add("docker 镜像放在 Harbor 仓库")
        await turn(engine, "你好，今天我们继续")
        connection = apsw.Connection(str(database))
        connection.set_busy_timeout(30_000)
        connection.execute("DROP TABLE long_term_text")
        connection.close()
        events = [*await turn(engine, TECHNICAL), *await turn(engine, TECHNICAL)]
    assert of(events, Injected)[-1].injection.level is Level.SHORT_TERM_ONLY
    assert [event.level for event in of(events, LevelChanged)] == [Level.SHORT_TERM_ONLY]
