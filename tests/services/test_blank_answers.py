"""An answer in which nothing is said is none; thoughts that came as an answer are thoughts."""

from __future__ import annotations

import pytest
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, only, turn

from orca_core.model.events import Delta, Failed, Reasoning, Reply
from orca_core.model.llm import Completed, Finish, ReasoningDelta, TextDelta
from orca_core.model.sessions import RoundState


@pytest.mark.parametrize("text", ["", "  \n", "\u200b\u200e", "\x07", "[m1]", " [m1] "])
async def test_a_blank_answer_is_a_failed_round_and_leaves_no_memory(open_engine, text: str) -> None:
    async with open_engine(model := ScriptedModel(says(text, pieces=1), says("ok"))) as engine:
        await engine.memories.add("docker 镜像放在公司的 Harbor 仓库", pinned=True)
        events = await turn(engine, "docker 镜像放在哪里？", session_id="s")
        _, [only_round] = await engine.sessions.show("s")
        [memory] = await engine.memories.get([1])
        await turn(engine, "and now?", session_id="s")

    assert not of(events, Reply)
    assert only(events, Failed).kind == "bad_model_reply"
    assert (only_round.assistant, only_round.state) == ("", RoundState.FAILED)
    assert (memory.weight, memory.access_count) == (1.0, 0)
    assert not any("docker 镜像放在哪里？" in each for each in model.last_prompt())


async def test_thoughts_that_came_as_an_answer_are_taken_back(open_engine) -> None:
    steps = [
        TextDelta("let me think [m1] of "),
        TextDelta("it"),
        ReasoningDelta(".", takes_back=True),
        TextDelta("The answer [m1]"),
        Completed(Finish.STOP),
    ]
    async with open_engine(ScriptedModel(steps)) as engine:
        await engine.memories.add("docker 镜像放在公司的 Harbor 仓库", pinned=True)
        events = await turn(engine, "docker 镜像放在哪里？", session_id="s")
        _, [only_round] = await engine.sessions.show("s")

    reply = only(events, Reply)
    assert (reply.text, [citation.at for citation in reply.citations]) == ("The answer", [len("The answer")])
    taken = only(events, Reasoning)
    assert (taken.text, taken.takes_back) == ("let me think of it.", True)
    assert "".join(event.text for event in of(events, Delta)).endswith("The answer")
    assert only_round.assistant == "The answer"
