"""A candidate that would replace a memory: how it is shown, and what becomes of the two."""

from __future__ import annotations

from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.model.memories import Memory, State
from orca_core.orca import Orca

MOVED = fact("用户住在杭州", "", replace="用户住在上海")


async def only_candidate(engine: Orca) -> Memory:
    await turn(engine, "我住在杭州", session_id="s")
    await learn(engine)
    [waiting] = await engine.inbox.inbox()
    assert waiting.would_replace is not None
    return waiting


async def test_accepting_in_other_words_archives_what_the_candidate_replaces(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(MOVED))) as engine:
        old = (await engine.memories.add("用户住在上海")).memory
        candidate = await only_candidate(engine)

        await engine.inbox.accept_edited(candidate.id, candidate.content, content="用户住在杭州西湖区")

        [now] = await engine.memories.get([old.id])
        assert (now.state, now.superseded_by) == (State.ARCHIVED, candidate.id)


async def test_a_case_shows_what_the_candidate_replaces(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(MOVED))) as engine:
        old = (await engine.memories.add("用户住在上海")).memory
        candidate = await only_candidate(engine)

        case = await engine.inbox.case(candidate.id)

        assert case.memory.would_replace == old.id
        assert case.nearest == old
