"""Two values of one thing, said in two conversations: until a person decides, only the newest is recalled."""

from __future__ import annotations

from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, only, turn

from orca_core.domain.events import Injected, WeightMoved
from orca_core.domain.recall import Injection
from orca_core.engine import Engine

HANGZHOU = fact("用户住在杭州", "我住在杭州")
SUZHOU = fact("用户住在苏州", "我住在苏州", type="project")
WUXI = fact("用户住在无锡", "我住在无锡")
QUESTION = "你知道我住在哪里吗"


async def hear(engine: Engine, clock: StillClock, text: str, session_id: str) -> None:
    clock.advance(3600)
    await turn(engine, text, session_id=session_id)


async def recalled(engine: Engine) -> Injection:
    return only(await turn(engine, QUESTION, session_id="asked"), Injected).injection


async def in_a_later_round(engine: Engine, text: str) -> Injection:
    await turn(engine, "good morning", session_id="later")
    return only(await turn(engine, text, session_id="later"), Injected).injection


def long_term(injection: Injection) -> list[str]:
    return [item.content for item in injection.injected if item.is_citable]


def older(injection: Injection) -> set[str]:
    return {item.content for item in injection.dropped if item.reason == "older_of_a_pair"}


async def test_only_the_newest_value_is_recalled_also_across_types(open_engine, clock: StillClock) -> None:
    agent = ScriptedModel(finds(HANGZHOU), finds(SUZHOU), finds(WUXI))
    async with open_engine(ScriptedModel(says("无锡。")), agent=agent) as engine:
        for number, text in enumerate(("我住在杭州", "我住在苏州", "我住在无锡")):
            await hear(engine, clock, text, f"s{number}")
            await learn(engine)

        events = await turn(engine, QUESTION, session_id="asked")
        injection = only(events, Injected).injection
        assert long_term(injection) == ["用户住在无锡"]
        assert older(injection) == {"用户住在杭州", "用户住在苏州"}
        assert {event.ref.id for event in of(events, WeightMoved)} <= {3}
        assert {memory.weight for memory in await engine.memories.get([1, 2])} == {1.0}
        await engine.worker.tidy()  # each has its vector
        found = await engine.search.find("住在", 9, cached=False)
        assert {hit.memory.content for hit in found.hits} >= {"用户住在杭州", "用户住在苏州", "用户住在无锡"}
        receipt = await engine.sessions.receipt("asked", 1)
        assert older(receipt.injection) == {"用户住在杭州", "用户住在苏州"}


async def test_a_pair_that_a_person_decided_counts_no_more(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU), finds(SUZHOU))) as engine:
        for number, text in enumerate(("我住在杭州", "我住在苏州")):
            await hear(engine, clock, text, f"s{number}")
            await learn(engine)
        [pair] = await engine.inbox.undecided()
        assert (pair.newer.memory.content, pair.why) == ("用户住在苏州", "other_value")

        await engine.memories.archive([pair.newer.memory.id])
        assert long_term(await recalled(engine)) == ["用户住在杭州"]
        await engine.history.undo()
        assert long_term(await recalled(engine)) == ["用户住在苏州"]
        await engine.inbox.keep_both(pair.newer.memory.id, pair.older.memory.id)
        injection = await recalled(engine)
        assert set(long_term(injection)) == {"用户住在杭州", "用户住在苏州"}
        assert older(injection) == set()


async def test_a_value_that_is_said_again_is_the_newest(open_engine, clock: StillClock) -> None:
    back = fact("用户住在杭州", "我又住在杭州了")
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU), finds(SUZHOU), finds(back))) as engine:
        for number, text in enumerate(("我住在杭州", "我住在苏州", "我又住在杭州了")):
            await hear(engine, clock, text, f"s{number}")
            await learn(engine)
        injection = await recalled(engine)
        assert (long_term(injection), older(injection)) == (["用户住在杭州"], {"用户住在苏州"})
        assert len(await engine.inbox.undecided()) == 1


async def test_a_search_shows_both_values_the_newer_first_with_its_own_score(open_engine, clock: StillClock) -> None:
    async with open_engine(ScriptedModel(says("a"), says("b"))) as engine:
        await engine.memories.add("The user's backend database is MySQL 5.7 on the old server.")
        clock.advance(30 * 86_400)
        await engine.memories.add("The user's backend database is PostgreSQL 16 in the cloud.")

        [newer, older] = (await engine.search.find("backend database on the old server", 2)).hits
        assert (newer.memory.id, older.memory.id) == (2, 1)
        assert newer.parts.total < older.parts.total

        injection = await in_a_later_round(engine, "tell me everything about our backend database")
        assert [(item.ref.id, item.parts.recency) for item in injection.injected if item.is_citable] == [(2, 0.05)]


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
        assert left_out == {2: "far_behind", 3: "far_behind"}


async def test_what_is_true_now_of_the_same_thing_comes_in_other_words(open_engine, clock: StillClock) -> None:
    async with open_engine(ScriptedModel(says("a"), says("b"))) as engine:
        for content in (
            "The survey warehouse runs on ClickHouse with twelve materialised views and nightly merges.",
            "Coffee for the office comes from Hasbean.",
            "Since May the survey warehouse has been living in Doris.",
        ):
            await engine.memories.add(content)
            clock.advance(30 * 86_400)

        injection = await in_a_later_round(engine, "why do nightly merges of materialised views block ClickHouse")

        assert [item.ref.id for item in injection.injected if item.is_citable] == [3]
        assert (1, "older_of_a_pair") in [(item.ref.id, item.reason) for item in injection.dropped]
