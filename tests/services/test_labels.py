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
    open_orca, labels: dict[str, str], state: tuple[str, str | None]
) -> None:
    found = fact("User writes code with Nano", "I write code with Nano", **labels)
    async with open_orca(agent=ScriptedModel(finds(found))) as orca:
        await turn(orca, "I write code with Nano", session_id="s")
        await learn(orca)

        [memory] = [view.memory for view in (await orca.memories.page(ListQuery("all"))).records]
        assert (memory.state.value, memory.held_because) == state
