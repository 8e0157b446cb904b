"""What later words do to what waits, and earlier ones to what was said since."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.domain.memories import State
from orca_core.domain.queries import ListQuery
from orca_core.engine import Engine

VIM, EMACS = "User writes code with Vim", "User writes code with Emacs"
I_USE_VIM = fact(VIM, "I write code with Vim")


async def say(engine: Engine, clock, text: str, session_id: str) -> None:
    clock.advance(3600)
    await turn(engine, text, session_id=session_id)
    await engine.worker.drain()


async def live(engine: Engine) -> list[str]:
    return sorted(memory.content for memory in (await engine.memories.page(ListQuery())).memories)


@pytest.mark.parametrize(
    ("waits_on", "said"),
    [
        ("I am thinking about writing code with Emacs", "I write code with Emacs too"),
        ("I have replaced Vim by Emacs everywhere", "I write code with both Vim and Emacs"),
    ],
)
async def test_later_words_carry_out_no_replacement_that_they_do_not_ask_for(
    open_engine, clock, waits_on: str, said: str
) -> None:
    refused = fact(EMACS, waits_on, replace=VIM)
    agent = ScriptedModel(finds(I_USE_VIM), finds(refused), finds(fact(EMACS, said)))
    async with open_engine(agent=agent) as engine:
        await say(engine, clock, "I write code with Vim", "a")
        await learn(engine)
        await say(engine, clock, "I am thinking about writing code with Emacs", "b")
        await learn(engine)
        [waiting] = await engine.inbox.inbox()
        await say(engine, clock, said, "c")
        [event] = await learn(engine)

        [emacs] = await engine.memories.get([waiting.id])
        [pair] = await engine.inbox.undecided()
        assert (waiting.would_replace, event.learnt.replaced, await live(engine)) == (1, (), [EMACS, VIM])
        assert (emacs.origin.session_id, emacs.origin.rounds, emacs.origin.quote) == ("c", (1,), said)
        assert (pair.newer.memory.id, pair.older.memory.id) == (waiting.id, 1)

        await engine.history.undo(event.learnt.operation)
        [back] = await engine.memories.get([waiting.id])
        assert (back.state, back.origin, back.would_replace) == (State.CANDIDATE, waiting.origin, 1)
