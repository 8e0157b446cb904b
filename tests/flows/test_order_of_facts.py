"""What an answer comes to does not depend on the order of its facts."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.domain.queries import ListQuery

GYM = fact("User goes to the Apex gym", "I go to the Apex gym")
NO_GYM = {"retract": "User goes to the Apex gym", "quote": "we cancelled the Apex gym"}
VIM = fact("User writes with Vim", "I write with Vim")
HELIX = fact("User writes with Helix", "I switched from Vim to Helix", replace="User writes with Vim")


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize(
    ("said", "facts", "lives"),
    [
        (("I go to the Apex gym", "we cancelled the Apex gym"), (GYM, NO_GYM), []),
        (("we cancelled the Apex gym", "I go to the Apex gym"), (GYM, NO_GYM), ["User goes to the Apex gym"]),
        (("I write with Vim", "I switched from Vim to Helix"), (VIM, HELIX), ["User writes with Helix"]),
    ],
)
async def test_what_was_said_last_counts(open_engine, said, facts, lives: list[str], is_turned: bool) -> None:
    answer = facts[::-1] if is_turned else facts
    async with open_engine(agent=ScriptedModel(finds(*answer))) as engine:
        for text in said:
            await turn(engine, text, session_id="s")
        await learn(engine)

        assert [memory.content for memory in (await engine.memories.page(ListQuery())).memories] == lives
