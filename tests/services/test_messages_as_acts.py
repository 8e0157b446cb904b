"""Sending a message, and stopping its answer, are acts: noted with the round, by a turn that is kept."""

from __future__ import annotations

import asyncio

import pytest
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import turn

from orca_core.model.llm import Span
from orca_core.model.sessions import SessionById, TurnRequest
from orca_core.orca import Orca
from orca_core.settings import MemorySettings, Settings
from orca_core.settings.feedback import ActionSettings

OFF = Settings(memory=MemorySettings(actions=ActionSettings(enabled=False)))
NO_MEMORY = Settings(memory=MemorySettings(enabled=False))


async def noted(engine: Orca) -> list[tuple[str, int | None]]:
    page = await engine.feedback.actions.page()
    return [(each.type.value, each.round) for each in sorted(page.records, key=lambda each: each.id)]


async def test_the_first_and_the_next_message_are_noted(open_engine) -> None:
    async with open_engine(ScriptedModel(says("one"), says("two"), says("three"))) as engine:
        await turn(engine, "which port?")
        await turn(engine, "and which version?")
        await turn(engine, "and which version?", replaces=2)

        assert await noted(engine) == [("START_CHAT", 1), ("FOLLOWUP_CHAT", 2)]
        assert await engine.feedback.actions.marks("s") == []
        assert await engine.history.activity(10) == []


async def test_a_stopped_answer_is_noted(open_engine) -> None:
    stop = asyncio.Event()
    async with open_engine(ScriptedModel(says("one two three"))) as engine:
        request = TurnRequest((Span("which port?"),), SessionById("s", may_be_new=True))
        async for event in engine.chat.turn(request, stop):
            if event.event == "delta":
                stop.set()

        assert await noted(engine) == [("START_CHAT", 1), ("BREAK_CHAT", 1)]


@pytest.mark.parametrize(
    ("settings", "asked"),
    [(OFF, {}), (NO_MEMORY, {}), (None, {"use_memory": False}), (None, {"is_private": True})],
    ids=["acts are off", "memory is off", "a turn without memory", "in private"],
)
async def test_no_act_is_noted(open_engine, settings: Settings | None, asked: dict[str, bool]) -> None:
    async with open_engine(ScriptedModel(says("one")), settings=settings) as engine:
        await turn(engine, "which port?", **asked)
        assert await noted(engine) == []
