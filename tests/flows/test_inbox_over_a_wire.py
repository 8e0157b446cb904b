"""A front end that knows memories by their JSON alone decides as one in the same process does."""

from __future__ import annotations

from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.domain.memories import Memory, State
from orca_core.engine import Engine
from orca_core.wire.memories import memory_from, view_json

MOVED = fact("用户住在杭州", "", replace="用户住在上海")


async def told_candidate(engine: Engine) -> Memory:
    """The one candidate, as its JSON tells it: without what it would replace."""
    await turn(engine, "今天天气不错", session_id="s")
    await learn(engine)
    [waiting] = await engine.inbox.inbox()
    assert waiting.would_replace is not None
    [view] = await engine.memories.views([waiting.id])
    return memory_from(view_json(view))


async def test_accepting_in_other_words_archives_what_the_candidate_replaces(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(MOVED))) as engine:
        old = (await engine.memories.add("用户住在上海")).memory
        told = await told_candidate(engine)

        await engine.inbox.accept_edited(told.id, told.content, content="用户住在杭州西湖区")

        [now] = await engine.memories.get([old.id])
        assert (now.state, now.superseded_by) == (State.ARCHIVED, told.id)


async def test_a_case_shows_what_the_candidate_replaces(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(MOVED))) as engine:
        old = (await engine.memories.add("用户住在上海")).memory
        told = await told_candidate(engine)

        case = await engine.inbox.case(told.id)

        assert case.memory.would_replace == old.id
        assert case.nearest == old
