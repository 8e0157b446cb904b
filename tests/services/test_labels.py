"""The extractor's own label holds a fact back, whatever the verifier says; none releases one."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.model.views import ListQuery


@pytest.mark.parametrize(
    ("labels", "state"),
    [
        ({"about": "user", "when": "now"}, ("live", None)),
        ({"about": "theirs", "when": "past"}, ("live", None)),
        ({"about": "other"}, ("candidate", "not_said")),
        ({"about": "other", "when": "now"}, ("candidate", "not_said")),
    ],
)
async def test_a_fact_that_is_labelled_as_anothers_waits(
    open_engine, labels: dict[str, str], state: tuple[str, str | None]
) -> None:
    found = fact("User writes code with Nano", "I write code with Nano", **labels)
    async with open_engine(agent=ScriptedModel(finds(found))) as engine:
        await turn(engine, "I write code with Nano", session_id="s")
        await learn(engine)

        [memory] = [view.memory for view in (await engine.memories.page(ListQuery("all"))).records]
        assert (memory.state.value, memory.held_because) == state
