"""What a person merged stays so when its words are said again."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.model.views import ListQuery
from orca_core.orca import Orca

VIM = "User writes code with Vim"
I_USE_VIM = fact(VIM, "I write code with Vim")


async def say(engine: Orca, clock, text: str, session_id: str) -> None:
    clock.advance(3600)
    await turn(engine, text, session_id=session_id)
    await engine.worker.drain()


async def live(engine: Orca) -> list[str]:
    return sorted(memory.content for memory in (await engine.memories.page(ListQuery())).memories)


@pytest.mark.parametrize("quote", ["Vim is the editor that I like", "of all editors I like Vim"])
async def test_a_merge_by_hand_stands_when_the_merged_words_are_said_again(open_engine, clock, quote: str) -> None:
    liked = "Vim is the editor that the user likes"
    agent = ScriptedModel(
        finds(I_USE_VIM), finds(fact(liked, "Vim is the editor that I like")), finds(fact(liked, quote))
    )
    async with open_engine(agent=agent) as engine:
        for text, session_id in (("I write code with Vim", "a"), ("Vim is the editor that I like", "b")):
            await say(engine, clock, text, session_id)
            await learn(engine)
        await engine.inbox.merge(1, [2])
        [kept] = await engine.memories.get([1])
        await say(engine, clock, quote, "c")
        [event] = await learn(engine)

        [after] = await engine.memories.get([1])
        assert (await live(engine), event.learnt.confirmed, after.seen) == ([VIM], (1,), kept.seen + 1)
