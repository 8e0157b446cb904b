"""What the doctor says of looking up: offered, switched off, or refused by the server."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, Step, says
from fakes.turns import turn

from orca_core.model.doctor import Finding
from orca_core.model.llm import ToolsRefused
from orca_core.orca import Orca
from orca_core.settings import InjectSettings, LongTermSettings, MemorySettings, Settings


async def of_lookups(engine: Orca) -> Finding | None:
    return next((each for each in (await engine.doctor.examine()).checks if each.name == "look-ups"), None)


async def test_a_model_that_refused_nothing_is_offered_it(open_engine) -> None:
    async with open_engine() as engine:
        found = await of_lookups(engine)
    assert found is not None
    assert (found.state, found.detail) == (
        "ok",
        "scripted-1 may look up what is remembered, unless its server refuses tools",
    )


async def test_a_server_that_refused_tools_is_named_until_it_is_asked_again(open_engine, clock: StillClock) -> None:
    refused: list[Step] = [ToolsRefused("m does not support tools"), *says("hello")]
    async with open_engine(ScriptedModel(refused, says("again"))) as engine:
        await turn(engine, "hello there")
        told = await of_lookups(engine)
        clock.advance(timedelta(days=8).total_seconds())
        later = await of_lookups(engine)
    assert told is not None
    assert told.state == "warn"
    assert "scripted-1: its server refused tools on 2" in told.detail
    again = (clock.now() - timedelta(days=1)).date().isoformat()
    assert told.fix.format(**told.fields).endswith(f"this one is asked again from {again} on")
    assert later is not None
    assert later.state == "ok"


@pytest.mark.parametrize(
    ("memory", "detail"),
    [
        (MemorySettings(inject=InjectSettings(lookups=0)), "off: memory.inject.lookups is 0"),
        (MemorySettings(long_term=LongTermSettings(enabled=False)), "off: memory.long_term.enabled is false"),
    ],
)
async def test_what_is_switched_off_is_said(open_engine, memory: MemorySettings, detail: str) -> None:
    async with open_engine(settings=Settings(memory=memory)) as engine:
        found = await of_lookups(engine)
    assert found is not None
    assert (found.state, found.detail) == ("ok", detail)


async def test_without_any_memory_nothing_is_said_of_it(open_engine) -> None:
    async with open_engine(settings=Settings(memory=MemorySettings(enabled=False))) as engine:
        assert await of_lookups(engine) is None
