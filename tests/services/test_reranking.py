"""A reranker in a turn and in a search: its order where it answers, the order of the scores where it does not."""

from __future__ import annotations

from fakes.rerankers import FailingReranker, ScriptedReranker
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import only, turn

from orca_core.model.events import Injected
from orca_core.model.recall import Injection
from orca_core.orca import Orca
from orca_core.settings import InjectSettings, MemorySettings, Settings

SAID = (
    "版本 16 的 postgres 在 docker 里",
    "端口 5433 给 docker 里的 postgres",
    "备份每天做，docker 里的 postgres 也是",
    "公司的 NAS 上有 docker 里的 postgres",
    "猫叫年糕",
)
QUESTION = "docker 里的 postgres 连不上"
ALL_THAT_IS_NEAR = MemorySettings(inject=InjectSettings(lookups=0))
PLAIN = Settings(memory=ALL_THAT_IS_NEAR)


async def filled(engine: Orca) -> None:
    for each in SAID:
        await engine.memories.add(each, type_word="fact")
    await turn(engine, "你好，今天我们继续")
    await engine.worker.tidy()  # whoever searches next finds their vectors


async def injection(engine: Orca, **request: object) -> Injection:
    return only(await turn(engine, QUESTION, **request), Injected).injection


def long_term(injected: Injection) -> list[str]:
    return [item.content for item in injected.injected if item.is_citable]


async def test_a_turn_takes_the_best_of_the_rerankers_order(open_engine) -> None:
    reranker = ScriptedReranker()
    async with open_engine(ScriptedModel(says("ok")), reranker=reranker, settings=PLAIN) as engine:
        await filled(engine)
        got = await injection(engine)
        receipt = await engine.sessions.receipt("s", None)

    [(query, texts)] = reranker.asked
    assert query == QUESTION
    assert 2 < len(texts) <= 6
    assert "猫叫年糕" not in texts  # it is below the floor
    assert long_term(got) == texts[::-1][:2]
    scores = {item.content: item.score for item in (*got.injected, *got.dropped)}
    assert texts == sorted(texts, key=lambda each: -scores[each])
    assert got.rules[-1] == "reranked: p/r"
    assert receipt.injection.rules == got.rules
    assert reranker.was_closed


async def test_a_search_is_ordered_by_the_reranker_and_keeps_its_scores(open_engine) -> None:
    async with open_engine() as engine:
        await filled(engine)
        plain = await engine.search.find("docker 里的 postgres", 10)
    async with open_engine(reranker=ScriptedReranker()) as engine:
        reranked = await engine.search.find("docker 里的 postgres", 10)
        best = await engine.search.find("docker 里的 postgres", 1)

    assert [hit.memory.id for hit in reranked.hits] == [hit.memory.id for hit in plain.hits][::-1]
    assert {hit.memory.id: hit.parts for hit in reranked.hits} == {hit.memory.id: hit.parts for hit in plain.hits}
    assert (plain.rules, reranked.rules) == ((), ("reranked: p/r",))
    assert [hit.memory.id for hit in best.hits] == [plain.hits[2].memory.id]


async def test_nobody_is_asked_where_there_is_nothing_to_choose(open_engine) -> None:
    reranker = ScriptedReranker()
    async with open_engine(ScriptedModel(says("ok")), reranker=reranker, settings=PLAIN) as engine:
        await engine.memories.add(SAID[0], type_word="fact")
        await engine.memories.add(SAID[1], type_word="fact")
        await turn(engine, "你好，今天我们继续")
        got = await injection(engine)

    assert reranker.asked == []
    assert not any("rerank" in rule for rule in got.rules)


async def test_pinned_memories_have_places_of_their_own_and_are_not_sent(open_engine) -> None:
    reranker = ScriptedReranker()
    async with open_engine(ScriptedModel(says("ok")), reranker=reranker, settings=PLAIN) as engine:
        await filled(engine)
        await engine.memories.pin([1])
        got = await injection(engine)

    assert long_term(got)[0] == SAID[0]
    assert all(SAID[0] not in texts for _query, texts in reranker.asked)


async def test_a_failure_keeps_the_order_and_the_receipt_says_so_without_the_servers_words(open_engine) -> None:
    async with open_engine(ScriptedModel(says("ok")), settings=PLAIN) as engine:
        await filled(engine)
        plain = await injection(engine)
    async with open_engine(ScriptedModel(says("ok")), reranker=FailingReranker(), settings=PLAIN) as engine:
        got = await injection(engine)

    assert got.rules[-1] == "rerank_refused: 429"
    assert long_term(got) == long_term(plain)


async def test_three_failures_leave_the_reranker_alone_for_a_minute_and_embedding_goes_on(open_engine, clock) -> None:
    reranker = FailingReranker()
    async with open_engine(reranker=reranker) as engine:
        await filled(engine)
        said = [(await engine.search.find("docker 里的 postgres", 3)).rules for _ in range(4)]
        level = (await engine.levels.current())[0]
        clock.advance(61)
        reranker.fails = False
        risen = await engine.search.find("docker 里的 postgres", 3)

    assert said == [("rerank_refused: 429",)] * 3 + [("rerank_resting",)]
    assert level == 1
    assert risen.rules == ("reranked: p/r",)
