"""What no longer holds, from a typed word to the record, and back."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn, pasted
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.domain.dialogues import NewSession, TurnRequest
from orca_core.domain.memories import ArchivedBecause, State
from orca_core.domain.queries import ListQuery
from orca_core.engine import Engine

GYM = fact("User goes to the Apex gym", "I go to the Apex gym")
CANCELLED = "we cancelled the Apex gym"


def gone(quote: str = CANCELLED, retract: str = "User goes to the Apex gym") -> dict[str, object]:
    """A retraction that says nothing else."""
    return {"retract": retract, "quote": quote}


async def say(engine: Engine, *texts: str) -> None:
    for text in texts:
        await turn(engine, text, session_id="s")
    await engine.worker.drain()


async def live(engine: Engine) -> list[str]:
    return [memory.content for memory in (await engine.memories.page(ListQuery())).memories]


async def test_typed_words_of_an_end_archive_what_they_end_and_say_so(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(GYM), finds(gone()))) as engine:
        await say(engine, "I go to the Apex gym")
        await learn(engine)
        await say(engine, CANCELLED)
        [event] = await learn(engine)

        [gym] = await engine.memories.get([1])
        assert (event.state, event.learnt.retracted, await live(engine)) == ("done", (1,), [])
        assert (gym.state, gym.archived_because, gym.superseded_by) == (State.ARCHIVED, ArchivedBecause.RETRACTED, None)
        lesson = await engine.runs.show(event.run)
        assert lesson.run.result is not None
        assert (lesson.run.result.retracted, lesson.memories[1]) == ((1,), gym)
        assert (await engine.history.changes_of(1))[-1].after["archived_because"] == "retracted"


async def test_a_retraction_is_taken_back_and_done_again_with_its_run(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(GYM), finds(gone()), finds(GYM, gone()))) as engine:
        await say(engine, "I go to the Apex gym")
        await learn(engine)
        await say(engine, CANCELLED)
        [event] = await learn(engine)
        await engine.history.undo(event.learnt.operation)
        undone = await live(engine)

        again = [told async for told in engine.extraction.run_again("s")][-1]
        assert [each.reason for each in again.learnt.dropped] == ["undone"]
        assert undone == await live(engine) == ["User goes to the Apex gym"]
        await engine.history.redo()
        assert await live(engine) == []


async def test_reading_again_retracts_nothing_twice(open_engine) -> None:
    agent = ScriptedModel(finds(GYM), finds(gone()), finds(GYM, gone()), finds(GYM, gone()))
    async with open_engine(agent=agent) as engine:
        await say(engine, "I go to the Apex gym")
        await learn(engine)
        await say(engine, CANCELLED)
        await learn(engine)

        again = [told async for told in engine.extraction.run_again("s")][-1]
        assert [each.reason for each in again.learnt.dropped] == ["archived: retracted", "nothing_known"]
        await engine.memories.restore([1])
        once_more = [told async for told in engine.extraction.run_again("s")][-1]

        assert once_more.learnt.retracted == once_more.learnt.candidates == ()
        assert [each.reason for each in once_more.learnt.dropped] == ["retracted_before"]
        assert await live(engine) == ["User goes to the Apex gym"]


async def test_what_was_retracted_lives_again_when_it_is_said_anew(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(GYM), finds(gone()), finds(GYM))) as engine:
        await say(engine, "I go to the Apex gym")
        await learn(engine)
        await say(engine, CANCELLED)
        await learn(engine)
        await say(engine, "I go to the Apex gym")
        [event] = await learn(engine)

        assert [each.memory.id for each in event.learnt.stored] == [1]
        assert await live(engine) == ["User goes to the Apex gym"]


async def test_a_fact_that_says_what_ended_takes_the_place(open_engine) -> None:
    uses = fact("用户用 vim 写代码", "我用 vim 写代码")
    no_more = fact("用户不再用 vim 写代码", "vim 我已经不用了", retract="用户使用vim写代码")
    async with open_engine(agent=ScriptedModel(finds(uses), finds(no_more))) as engine:
        await say(engine, "我用 vim 写代码")
        await learn(engine)
        await say(engine, "vim 我已经不用了，写代码换了别的")
        [event] = await learn(engine)

        assert (event.learnt.replaced, event.learnt.retracted) == (((1, 2),), ())
        assert await live(engine) == ["用户不再用 vim 写代码"]
        await engine.history.undo(event.learnt.operation)
        assert await live(engine) == ["用户用 vim 写代码"]


@pytest.mark.parametrize("hand", ["pin", "edit"])
async def test_what_a_hand_keeps_is_only_proposed_to_be_retracted(open_engine, hand: str) -> None:
    async with open_engine(agent=ScriptedModel(finds(GYM), finds(gone()))) as engine:
        await say(engine, "I go to the Apex gym")
        await learn(engine)
        await (engine.memories.pin([1]) if hand == "pin" else engine.memories.edit(1, tags=["sport"]))
        await say(engine, CANCELLED)
        await learn(engine)
        [waiting] = await engine.inbox.inbox()

        assert (waiting.content, waiting.would_replace) == ("No longer so: User goes to the Apex gym", 1)
        assert waiting.held_because == {"pin": "contradicts_pinned", "edit": "kept_by_hand"}[hand]
        assert await live(engine) == ["User goes to the Apex gym"]
        if hand == "edit":
            await engine.inbox.accept([waiting.id])
            assert await live(engine) == ["No longer so: User goes to the Apex gym"]


async def test_what_was_pasted_retracts_nothing(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(GYM), finds(gone("I no longer go to the Apex gym")))) as engine:
        await say(engine, "I go to the Apex gym")
        await learn(engine)
        request = TurnRequest((pasted("I no longer go to the Apex gym"),), NewSession())
        async for _ in engine.chat.turn(request):
            pass
        [event] = await learn(engine)

        assert (event.learnt.retracted, await live(engine)) == ((), ["User goes to the Apex gym"])
        [waiting] = await engine.inbox.inbox()
        assert (waiting.origin.quote, waiting.would_replace) == (None, 1)


async def test_a_quote_that_was_never_typed_holds_a_fact_and_is_not_kept(open_engine) -> None:
    invented = fact("User lives in Oslo", "I live in Oslo by the fjord")
    async with open_engine(agent=ScriptedModel(finds(invented))) as engine:
        await say(engine, "I live in Oslo, what is the weather like?")
        await learn(engine)
        [waiting] = await engine.inbox.inbox()

        assert (waiting.held_because, waiting.origin.quote) == ("weak_evidence", None)


async def test_a_quote_that_was_typed_is_kept_with_its_round(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(GYM))) as engine:
        await say(engine, "hello there", "I go to the Apex gym")
        await learn(engine)

        [gym] = await engine.memories.get([1])
        assert (gym.state, gym.origin.quote, gym.origin.rounds) == (State.LIVE, "I go to the Apex gym", (2,))


async def test_one_retraction_of_a_memory_waits_and_its_refusal_stands(open_engine) -> None:
    doubtful = [
        {"retract": name} for name in ("User goes to the Apex gym", "the user goes to Apex gym", "goes to the Apex gym")
    ]
    agent = ScriptedModel(finds(GYM), *(finds(each) for each in doubtful))
    async with open_engine(agent=agent) as engine:
        await say(engine, "I go to the Apex gym")
        await learn(engine)
        for _ in range(2):
            await say(engine, "so, the gym thing")
            await learn(engine)
        [waiting] = await engine.inbox.inbox()
        await engine.inbox.never([waiting.id])
        await say(engine, "so, the gym thing")
        [event] = await learn(engine)

        assert (waiting.would_replace, waiting.seen) == (1, 2)
        assert ([each.reason for each in event.learnt.dropped], await engine.inbox.inbox()) == (["never"], [])


async def test_a_waiting_retraction_goes_with_its_memory_and_comes_back_with_an_undo(open_engine) -> None:
    doubtful = {"retract": "User goes to the Apex gym"}
    async with open_engine(agent=ScriptedModel(finds(GYM), finds(doubtful), finds(gone()))) as engine:
        await say(engine, "I go to the Apex gym")
        await learn(engine)
        await say(engine, "so, the gym thing")
        await learn(engine)
        await say(engine, CANCELLED)
        [event] = await learn(engine)
        after = await engine.inbox.inbox()
        await engine.history.undo(event.learnt.operation)

        assert (event.learnt.retracted, after, await live(engine)) == ((1,), [], ["User goes to the Apex gym"])
        assert [each.would_replace for each in await engine.inbox.inbox()] == [1]


async def test_accepting_a_retraction_whose_memory_is_gone_makes_nothing_live(open_engine) -> None:
    doubtful = {"retract": "User goes to the Apex gym"}
    async with open_engine(agent=ScriptedModel(finds(GYM), finds(doubtful))) as engine:
        await say(engine, "I go to the Apex gym")
        await learn(engine)
        await say(engine, "so, the gym thing")
        await learn(engine)
        [waiting] = await engine.inbox.inbox()
        await engine.memories.archive([1])
        await engine.inbox.accept([waiting.id])

        assert (await live(engine), await engine.inbox.inbox()) == ([], [])
