"""What later words do to what waits, and earlier ones to what was said since."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.domain.events import Extraction
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


HELIX = "User writes code with Helix"
I_SWITCHED = fact(HELIX, "I switched from Vim to Helix", replace=VIM)


async def read_again(engine: Engine, session_id: str) -> Extraction:
    return [event async for event in engine.extraction.run_again(session_id)][-1]


async def test_older_words_read_again_replace_nothing_that_was_said_since(open_engine, clock) -> None:
    agent = ScriptedModel(finds(), finds(I_USE_VIM), finds(I_SWITCHED))
    async with open_engine(agent=agent) as engine:
        await say(engine, clock, "I switched from Vim to Helix", "old")
        await learn(engine)
        await say(engine, clock, "I write code with Vim", "new")
        await learn(engine)
        event = await read_again(engine, "old")

        [candidate] = await engine.inbox.inbox()
        assert (event.learnt.replaced, await live(engine), candidate.would_replace) == ((), [VIM], 1)


async def test_what_was_confirmed_since_counts_as_said_then(open_engine, clock) -> None:
    agent = ScriptedModel(finds(I_USE_VIM), finds(), finds(I_USE_VIM), finds(I_SWITCHED))
    async with open_engine(agent=agent) as engine:
        for text, session_id in (("I write code with Vim", "a"), ("I switched from Vim to Helix", "old")):
            await say(engine, clock, text, session_id)
            await learn(engine)
        await say(engine, clock, "I write code with Vim", "new")
        await learn(engine)
        event = await read_again(engine, "old")

        assert (event.learnt.replaced, await live(engine)) == ((), [VIM])


async def test_older_words_bring_nothing_back_over_what_superseded_it_since(open_engine, clock) -> None:
    agent = ScriptedModel(finds(), finds(I_USE_VIM), finds(I_SWITCHED), finds(I_USE_VIM))
    async with open_engine(agent=agent) as engine:
        for text, session_id in (
            ("I write code with Vim", "a"),
            ("I write code with Vim", "b"),
            ("I switched from Vim to Helix", "c"),
        ):
            await say(engine, clock, text, session_id)
            await learn(engine)
        before = await live(engine)
        event = await read_again(engine, "a")

        assert (before, await live(engine)) == ([HELIX], [HELIX])
        assert [each.reason for each in event.learnt.dropped] == ["archived: superseded"]


async def test_older_words_of_an_end_retract_nothing_that_was_said_since(open_engine, clock) -> None:
    gone = {"retract": VIM, "quote": "I no longer write code with Vim"}
    agent = ScriptedModel(finds(), finds(I_USE_VIM), finds(gone))
    async with open_engine(agent=agent) as engine:
        await say(engine, clock, "I no longer write code with Vim", "old")
        await learn(engine)
        await say(engine, clock, "I write code with Vim", "new")
        await learn(engine)
        event = await read_again(engine, "old")

        assert (event.learnt.retracted, await live(engine)) == ((), [VIM])


async def test_older_words_bring_nothing_back_that_was_retracted_since(open_engine, clock) -> None:
    gone = {"retract": VIM, "quote": "I no longer write code with Vim"}
    agent = ScriptedModel(finds(), finds(I_USE_VIM), finds(gone), finds(I_USE_VIM))
    async with open_engine(agent=agent) as engine:
        for text, session_id in (
            ("I write code with Vim", "a"),
            ("I write code with Vim", "b"),
            ("I no longer write code with Vim", "c"),
        ):
            await say(engine, clock, text, session_id)
            await learn(engine)
        event = await read_again(engine, "a")

        assert (await live(engine), [each.reason for each in event.learnt.dropped]) == ([], ["archived: retracted"])


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
