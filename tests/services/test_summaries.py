"""Long conversations: the older rounds become a running summary, and the prompt stays steady between folds."""

from __future__ import annotations

from fakes.scripted_model import ScriptedModel, says
from fakes.turns import turn

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Folded
from orca_core.orca import Orca
from orca_core.settings import MemoryAgentSettings, Settings, SummarizeSettings

SETTINGS = Settings(memory_agent=MemoryAgentSettings(summarize=SummarizeSettings(trigger_tokens=300)))
LONG = "We looked at the container and its ports, and changed the compose file to 5433. " * 4


async def talk(engine: Orca, rounds: int, first: int = 1) -> list[Folded]:
    heard: list[Folded] = []
    unsubscribe = engine.worker.subscribe(lambda event: heard.append(event) if isinstance(event, Folded) else None)
    for number in range(first, first + rounds):
        await turn(engine, f"question {number}", session_id="s")
        await engine.worker.drain()
    unsubscribe()
    return heard


async def test_older_rounds_are_folded_and_stand_before_the_first_verbatim_one(open_engine) -> None:
    model = ScriptedModel(says(LONG))
    agent = ScriptedModel(says("They changed the port to 5433."))
    async with open_engine(model, settings=SETTINGS, agent=agent) as engine:
        [folded, *_] = await talk(engine, 5)
        await turn(engine, "and now?", session_id="s")

        first = model.requests[-1].messages[0]
        assert "They changed the port to 5433." in first.content
        assert f"question {folded.through + 1}" in first.content
        assert not any("question 1" in message.content for message in model.requests[-1].messages)


async def test_the_prompt_only_grows_between_folds(open_engine) -> None:
    model = ScriptedModel(says(LONG))
    agent = ScriptedModel(says("A summary."))
    async with open_engine(model, settings=SETTINGS, agent=agent) as engine:
        folds = await talk(engine, 12)
        await turn(engine, "and now?", session_id="s")
        changed = 0
        for before, after in zip(model.requests, model.requests[1:], strict=False):
            kept = before.messages[:-1]
            changed += after.messages[: len(kept)] != kept
        assert changed == len(folds)
        assert folds


async def test_the_next_fold_goes_on_from_the_summary(open_engine) -> None:
    agent = ScriptedModel(says("First summary."), says('{"facts": []}'), says("Second summary."))
    async with open_engine(ScriptedModel(says(LONG)), settings=SETTINGS, agent=agent) as engine:
        await talk(engine, 10)
        asked = [request.messages[-1].content for request in agent.requests if not request.json_object]
        assert "First summary." in asked[1]
        assert "question 1\n" not in asked[1]


async def test_without_a_model_the_rounds_stay_and_the_failure_is_told(open_engine) -> None:
    agent = ScriptedModel([ModelUnavailable(provider="p", detail="down")])
    model = ScriptedModel(says(LONG))
    async with open_engine(model, settings=SETTINGS, agent=agent) as engine:
        folds = await talk(engine, 4)
        assert folds[0].error == "p: down"
        await turn(engine, "and now?", session_id="s")
        assert "question 1" in model.requests[-1].messages[0].content
        assert len([each for each in folds if each.error]) == 1  # then it waits for its time


async def test_deleting_a_round_that_is_folded_takes_the_summary_with_it(open_engine) -> None:
    model = ScriptedModel(says(LONG))
    async with open_engine(model, settings=SETTINGS, agent=ScriptedModel(says("Secret giraffe."))) as engine:
        await turn(engine, "remember that my animal is the giraffe", session_id="s")
        await talk(engine, 5)
        await engine.memories.delete([1], with_messages=True)
        await turn(engine, "and now?", session_id="s")
        assert not any("giraffe" in message.content for message in model.requests[-1].messages)


async def test_a_summary_tells_nothing_that_was_deleted(open_engine) -> None:
    told = "User's animal is the giraffe. User's plant is the fern."
    model = ScriptedModel(says(LONG))
    async with open_engine(model, settings=SETTINGS, agent=ScriptedModel(says(told))) as engine:
        added = await engine.memories.add("My animal is the giraffe")
        await talk(engine, 5)
        assert "the giraffe" in (await summary_shown(engine, model))
        await engine.memories.delete([added.memory.id])
        await talk(engine, 5, first=6)

        shown = await summary_shown(engine, model)

        assert "giraffe" not in shown
        assert "User's plant is the fern." in shown


async def summary_shown(engine: Orca, model: ScriptedModel) -> str:
    await turn(engine, "and now?", session_id="s")
    return model.requests[-1].messages[0].content
