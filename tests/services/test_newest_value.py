"""Two values of one thing, said in two conversations: both are recalled until a person decides, the newer first."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import only, turn

from orca_core.model.events import Injected
from orca_core.model.recall import Injection
from orca_core.orca import Orca

LOW = fact("用户的房租是900元", "我的房租是900元")
HIGH = fact("用户的房租是950元", "我的房租是950元", type="project")
QUESTION = "你知道我的房租是多少吗"


async def hear(engine: Orca, clock: StillClock, text: str, session_id: str) -> None:
    clock.advance(3600)
    await turn(engine, text, session_id=session_id)


async def recalled(engine: Orca, text: str = QUESTION) -> Injection:
    return only(await turn(engine, text, session_id="asked"), Injected).injection


async def in_a_later_round(engine: Orca, text: str) -> Injection:
    await turn(engine, "good morning", session_id="later")
    return only(await turn(engine, text, session_id="later"), Injected).injection


def long_term(injection: Injection) -> list[str]:
    return [item.content for item in injection.injected if item.is_citable]


BOTH_TRUE = [
    ("The blog is built with Hugo", "The blog is hosted on Netlify"),
    ("User's wife plays the oboe", "User's wife works in Ghent"),
    ("Reports run on ClickHouse", "Reports run on Mondays"),
]


@pytest.mark.parametrize("contents", BOTH_TRUE)
async def test_a_pair_hides_neither_of_two_true_memories(
    open_engine, clock: StillClock, contents: tuple[str, str]
) -> None:
    async with open_engine() as engine:
        for content in contents:
            await engine.memories.add(content)
            clock.advance(86_400)
        injection = await recalled(engine, "What do you remember about me?")
        assert set(long_term(injection)) == set(contents)


async def test_the_newer_of_a_pair_takes_no_place_that_it_has_not_by_itself(open_engine, clock: StillClock) -> None:
    async with open_engine(ScriptedModel(says("a"), says("b"))) as engine:
        for content in (
            "The survey warehouse runs on ClickHouse with twelve materialised views and nightly merges.",
            "Coffee for the office comes from Hasbean.",
            "Since May the survey warehouse has been living in Doris.",
        ):
            await engine.memories.add(content)
            clock.advance(30 * 86_400)

        injection = await in_a_later_round(engine, "why do nightly merges of materialised views block ClickHouse")

        assert [item.ref.id for item in injection.injected if item.is_citable][:1] == [1]


async def test_of_two_values_that_have_a_slot_the_newer_stands_first(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(LOW), finds(HIGH))) as engine:
        for number, text in enumerate(("我的房租是900元", "我的房租是950元")):
            await hear(engine, clock, text, f"s{number}")
            await learn(engine)
        assert len(await engine.inbox.undecided()) == 1
        assert long_term(await recalled(engine)) == ["用户的房租是950元", "用户的房租是900元"]


async def test_what_a_person_put_away_is_not_recalled_until_that_is_undone(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(LOW), finds(HIGH))) as engine:
        for number, text in enumerate(("我的房租是900元", "我的房租是950元")):
            await hear(engine, clock, text, f"s{number}")
            await learn(engine)
        [pair] = await engine.inbox.undecided()
        assert (pair.newer.memory.content, pair.why) == ("用户的房租是950元", "conflict")

        await engine.memories.archive([pair.older.memory.id])
        assert long_term(await recalled(engine)) == ["用户的房租是950元"]
        await engine.history.undo()
        assert set(long_term(await recalled(engine))) == {"用户的房租是900元", "用户的房租是950元"}


async def test_a_pinned_memory_hides_no_newer_one(open_engine, clock: StillClock) -> None:
    async with open_engine() as engine:
        await engine.memories.add("The blog is built with Hugo", pinned=True)
        clock.advance(86_400)
        await engine.memories.add("The blog is hosted on Netlify")
        assert set(long_term(await recalled(engine, "What do you remember about me?"))) == {
            "The blog is built with Hugo",
            "The blog is hosted on Netlify",
        }


async def test_another_fact_of_the_same_subject_takes_no_slot(open_engine, clock: StillClock) -> None:
    async with open_engine(ScriptedModel(says("a"), says("b"))) as engine:
        for content in (
            "Kafka cluster prod-eu runs version 3.6 with 12 brokers and rack awareness.",
            "Kafka cluster prod-eu alerts go to the pager of Lena.",
            "Kafka cluster prod-eu costs 900 euros a month.",
        ):
            await engine.memories.add(content)
            clock.advance(30 * 86_400)

        question = "upgrade the 12 brokers with rack awareness from kafka version 3.6"
        injection = await in_a_later_round(engine, question)
        assert [item.ref.id for item in injection.injected if item.is_citable] == [1]
        left_out = {item.ref.id: item.reason for item in injection.dropped if item.is_citable}
        assert left_out == {2: "no_trigger", 3: "no_trigger"}
