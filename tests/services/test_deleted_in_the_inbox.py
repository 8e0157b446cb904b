"""What a person deleted does not come back from the inbox unless the person says so again, knowing it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from fakes.facts import fact, finds, learn, written
from fakes.scripted_model import ScriptedModel, answers
from fakes.turns import turn

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import Added, State
from orca_core.model.views import Since
from orca_core.orca import Orca

BIKE = "用户喜欢骑自行车上班"
DELETED = "用户喜欢骑自行车上班。"


async def waits(engine: Orca) -> int:
    """A candidate, of what is deleted as soon as it waits."""
    await turn(engine, "今天天气不错", session_id="s")
    await learn(engine)
    [waiting] = await engine.inbox.inbox()
    assert (await engine.inbox.case(waiting.id)).standing.since == ()
    await engine.memories.delete([(await written(engine, DELETED)).id])
    return waiting.id


def agent() -> ScriptedModel:
    return ScriptedModel(finds(fact(BIKE, "")), verifier=[answers(False)])


async def accept(engine: Orca, waiting: int) -> object:
    return await engine.inbox.accept([waiting])


async def accept_with_another_type(engine: Orca, waiting: int) -> object:
    return await engine.inbox.accept_edited(waiting, BIKE, type_word="preference")


async def keep_it_in_a_merge(engine: Orca, waiting: int) -> object:
    other = (await engine.memories.add("the staging server is called heron")).memory
    return await engine.inbox.merge(waiting, [other.id])


@pytest.mark.parametrize("let_live", [accept, accept_with_another_type, keep_it_in_a_merge])
async def test_what_was_deleted_is_not_accepted_unseen(
    open_engine, let_live: Callable[[Orca, int], Awaitable[object]]
) -> None:
    async with open_engine(agent=agent()) as engine:
        waiting = await waits(engine)

        with pytest.raises(InvalidInput, match=f"#{waiting} says what you deleted") as refused:
            await let_live(engine, waiting)
        [left] = await engine.memories.get([waiting])

    assert f"orca memory accept {waiting} --content" in refused.value.hint
    assert left.state is State.CANDIDATE


async def test_the_case_says_so_and_who_saw_it_may_accept(open_engine) -> None:
    async with open_engine(agent=agent()) as engine:
        waiting = await waits(engine)
        assert (await engine.inbox.case(waiting)).standing.since == (Since.DELETED,)

        await engine.inbox.accept([waiting], {waiting: BIKE})
        [now] = await engine.memories.get([waiting])

    assert now.state is State.LIVE


async def test_saying_it_again_is_enough(open_engine) -> None:
    async with open_engine(agent=agent()) as engine:
        waiting = await waits(engine)
        await engine.inbox.accept_edited(waiting, BIKE, content=BIKE)
        [now] = await engine.memories.get([waiting])

    assert now.state is State.LIVE


async def test_what_a_person_says_again_by_hand_lives(open_engine) -> None:
    async with open_engine(agent=agent()) as engine:
        waiting = await waits(engine)
        again = await engine.memories.add(DELETED)

    assert (again.outcome, again.memory.id, again.memory.state) == (Added.PROMOTED, waiting, State.LIVE)
