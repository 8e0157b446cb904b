"""Sending a message, and stopping its answer, are acts: noted with the round, by a turn that is kept."""

from __future__ import annotations

from fakes.scripted_model import ScriptedModel, says
from fakes.turns import turn

from orca_core.orca import Orca


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
