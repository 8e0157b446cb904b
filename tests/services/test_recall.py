"""Recall: gathering, reranking, slips of the pen, and what breaks in a source or a port."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from fakes.looks import WatchedSearch, meanwhile
from fakes.rerankers import FailingReranker, ScriptedReranker
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, only, turn
from msgspec.structs import replace

from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.events import Injected, LevelChanged, Reply
from orca_core.model.llm import Vector
from orca_core.model.memories import NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import Injection, Level, Which
from orca_core.model.record_types import MEMORY
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.rules.retrieval.ranking import ItemSelection
from orca_core.services.chat.recall import RecallRun
from orca_core.services.endpoint_checks import rerank_check
from orca_core.settings import InjectSettings, MemorySettings, Settings

TECHNICAL = "docker 里的 postgres 连不上"


async def test_a_memory_that_is_very_near_opens_the_gate_for_itself(open_orca) -> None:
    async with open_orca(ScriptedModel(says("看端口。"))) as orca:
        await turn(orca, "你好，今天我们继续")
        await orca.memories.add("The old fiddle is tuned to open D in the workshop")
        await orca.memories.add("The workshop is closed on Mondays")
        injection = only(await turn(orca, "the old fiddle is tuned to open D and won't stay tuned"), Injected).injection
    assert injection.rules == ("short_term", "near")
    assert [item.reason for item in injection.injected if item.ref.kind == MEMORY] == ["near"]


async def test_a_read_of_long_term_memory_that_fails_lowers_the_level_of_the_next_turn(
    open_orca, database: Path
) -> None:
    async with open_orca(ScriptedModel(says("看端口。"))) as orca:
        await orca.memories.add("docker 镜像放在 Harbor 仓库")
        await turn(orca, "你好，今天我们继续")
        connection = apsw.Connection(str(database))
        connection.set_busy_timeout(30_000)
        connection.execute("DROP TABLE long_term_text")
        connection.close()
        events = [*await turn(orca, TECHNICAL), *await turn(orca, TECHNICAL)]
    assert of(events, Injected)[-1].injection.level is Level.SHORT_TERM_ONLY
    assert [event.level for event in of(events, LevelChanged)] == [Level.SHORT_TERM_ONLY]


AT = datetime(2026, 11, 20, tzinfo=UTC)


async def test_the_answer_beside_its_question_is_found_where_a_person_asks(open_orca) -> None:
    """It shares no word with what is asked, and comes from the same conversation; others are as far away."""
    said = [("Which cat did you take home?", "s", 1), ("A tabby named Miso.", "s", 2), ("Rain since Monday.", "t", 1)]
    kept: list[Stores] = []

    def behind(stores: Stores) -> Stores:
        kept.append(stores)
        return stores

    async with open_orca(behind=behind) as orca:
        for text, session, number in said:
            origin = Origin(OriginKind.EXTRACTION, session, (number,))
            header = OperationHeader(Actor.IMPORT, "add", AT)
            await kept[0].memories.add(NewMemory(text, origin=origin), header)
        await orca.worker.tidy()
        found = [hit.memory.content for hit in (await orca.search.find("which cat did she take home", 5)).hits]
        unasked = (await orca.search.look("which cat did she take home")).found

    assert found == ["Which cat did you take home?", "A tabby named Miso."]
    assert unasked[0].memory.content == "Which cat did you take home?"
    assert all(each.parts.text == 0 for each in unasked[1:])


class BrokenSource:
    """Looks nowhere."""

    async def select(self, looking: RecallRun) -> ItemSelection:
        raise RuntimeError("the shelf fell down")


async def test_a_source_that_breaks_is_named_and_the_others_are_asked(open_orca) -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, report: reported.append(report))
    async with open_orca(ScriptedModel(says("Two hours."))) as orca:
        orca.recall._sources = (BrokenSource(), *orca.recall._sources)
        await orca.memories.add("my quokka stew simmers for two hours")

        events = await turn(orca, "do you remember how long my quokka stew simmers?")

        injection = only(events, Injected).injection
        assert [str(item.ref) for item in injection.injected] == ["m1"]
        assert injection.failed is not None
        assert "RuntimeError" in injection.failed.sentence
        assert only(events, Reply).text == "Two hours."
        assert (await orca.sessions.receipt("s", 1)).injection.failed == injection.failed
        assert [str(report["exception"]) for report in reported] == ["the shelf fell down"]


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


async def filled(orca: Orca) -> None:
    for each in SAID:
        await orca.memories.add(each, type_word="fact")
    await turn(orca, "你好，今天我们继续")
    await orca.worker.tidy()  # whoever searches next finds their vectors


async def injection(orca: Orca, **request: object) -> Injection:
    return only(await turn(orca, QUESTION, **request), Injected).injection


def long_term(injected: Injection) -> list[str]:
    return [item.content for item in injected.injected if item.is_citable]


async def test_a_turn_takes_the_best_of_the_rerankers_order(open_orca) -> None:
    reranker = ScriptedReranker()
    async with open_orca(ScriptedModel(says("ok")), reranker=reranker, settings=PLAIN) as orca:
        await filled(orca)
        got = await injection(orca)
        receipt = await orca.sessions.receipt("s", None)

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


async def test_a_search_is_ordered_by_the_reranker_and_keeps_its_scores(open_orca) -> None:
    async with open_orca() as orca:
        await filled(orca)
        plain = await orca.search.find("docker 里的 postgres", 10)
    async with open_orca(reranker=ScriptedReranker()) as orca:
        reranked = await orca.search.find("docker 里的 postgres", 10)
        best = await orca.search.find("docker 里的 postgres", 1)

    assert [hit.memory.id for hit in reranked.hits] == [hit.memory.id for hit in plain.hits][::-1]
    assert {hit.memory.id: hit.parts for hit in reranked.hits} == {hit.memory.id: hit.parts for hit in plain.hits}
    assert (plain.rules, reranked.rules) == ((), ("reranked: p/r",))
    assert [hit.memory.id for hit in best.hits] == [plain.hits[2].memory.id]


async def test_a_failure_keeps_the_order_and_the_receipt_says_so_without_the_servers_words(open_orca) -> None:
    async with open_orca(ScriptedModel(says("ok")), settings=PLAIN) as orca:
        await filled(orca)
        plain = await injection(orca)
    async with open_orca(ScriptedModel(says("ok")), reranker=FailingReranker(), settings=PLAIN) as orca:
        got = await injection(orca)

    assert got.rules[-1] == "rerank_refused: 429"
    assert long_term(got) == long_term(plain)


AT_ONCE_PORTS = Settings(memory=MemorySettings(inject=InjectSettings(first_round_empty=False, lookups=0)))
QUESTION_PORTS = "docker postgres port error"
SECRET = "the pin is 4711"


def raising(error: Exception) -> Callable[[object], object]:
    def call(_given: object) -> object:
        raise error

    return call


async def filled_ports(orca: Orca) -> None:
    for said in ("an error of the docker postgres port", "the port of docker postgres", "docker postgres, at home"):
        await orca.memories.add(said, type_word="fact")
    await orca.worker.drain()


@pytest.mark.parametrize(
    ("ranks", "rule"),
    [
        (raising(ValueError(SECRET)), "rerank_mistake: ValueError"),
        (raising(OSError(SECRET)), "rerank_mistake: OSError"),
        (lambda texts: None, "rerank_unreadable"),
        (lambda texts: ["a"], "rerank_unreadable"),
        (lambda texts: [1.0, 0.0], "rerank_unreadable"),
        (lambda texts: [True], "rerank_unreadable"),
        (lambda texts: [[0]], "rerank_unreadable"),
        (lambda texts: "10", "rerank_unreadable"),
    ],
)
async def test_whatever_a_reranker_does_the_order_stays(open_orca, caplog, clock, ranks, rule: str) -> None:
    async with open_orca() as orca:
        await filled_ports(orca)
        plain = await orca.search.find(QUESTION_PORTS, 3)
    with caplog.at_level(logging.ERROR):
        async with open_orca(reranker=ScriptedReranker(ranks)) as orca:
            found = await orca.search.find(QUESTION_PORTS, 3)
            check = await rerank_check(lambda: ScriptedReranker(ranks), clock, 1.0)

    assert found.rules == (rule,)
    assert check.state in ("ok", "warn")
    assert [hit.memory.id for hit in found.hits] == [hit.memory.id for hit in plain.hits]
    assert ("the reranker broke" in caplog.text) is ("mistake" in rule)
    assert SECRET not in caplog.text


class Breaking(LocalEmbedder):
    """Embeds, until it gives something else."""

    def __init__(self) -> None:
        self.instead: Callable[[list[Vector]], object] | None = None

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        vectors = await super().embed(texts)
        return vectors if self.instead is None else self.instead(vectors)  # type: ignore[return-value]


@pytest.mark.parametrize("is_cached", [True, False])
@pytest.mark.parametrize(
    "instead",
    [
        lambda vectors: [np.asarray(each) * np.nan for each in vectors],
        lambda vectors: [np.asarray(each) * 0 for each in vectors],
        lambda vectors: [list(each)[:512] for each in vectors],
        lambda vectors: [None for _ in vectors],
        lambda vectors: None,
        lambda vectors: [],
        lambda vectors: ["x" * 1024 for _ in vectors],
        raising(TypeError(SECRET)),
        raising(RuntimeError(SECRET)),
    ],
)
async def test_what_is_no_vector_costs_the_vectors_only(open_orca, caplog, instead, *, is_cached: bool) -> None:
    embedder = Breaking()
    async with open_orca() as orca:
        await filled_ports(orca)
    with caplog.at_level(logging.ERROR):
        async with open_orca(ScriptedModel(says("ok")), settings=AT_ONCE_PORTS, embedder=embedder) as orca:
            embedder.instead = instead
            found = await orca.search.find(QUESTION_PORTS, 3, cached=is_cached)
            got = only(await turn(orca, QUESTION_PORTS), Injected).injection
            checks = {each.name: each for each in (await orca.doctor.examine()).checks}

    assert checks["embedding"].state == "warn"
    assert len(found.hits) == 3
    assert found.level is Level.TEXT_ONLY
    assert found.cause is not None
    assert SECRET not in f"{found.cause}{caplog.text}"
    assert not got.failed
    assert got.injected


async def test_a_look_sees_one_moment_whatever_happens_in_it(open_orca) -> None:
    """What is archived in the middle of a look was live when it began; the next one sees that it is not."""
    orcas: list[Orca] = []
    archived: list[object] = []

    async def archive() -> None:
        if orcas and not archived:
            archived.append(await orcas[0].memories.archive([1]))

    def behind(stores: Stores) -> Stores:
        return replace(stores, search=WatchedSearch(stores, "lists", "get", meanwhile(archive)))

    async with open_orca(behind=behind) as orca:
        await filled_ports(orca)
        orcas.append(orca)
        first = await orca.search.look(QUESTION_PORTS)
        second = await orca.search.look(QUESTION_PORTS)
        everything = await orca.search.look(QUESTION_PORTS, which=Which.ALL)

    assert {each.memory.id: each.memory.state for each in first.found} == dict.fromkeys([1, 2, 3], State.LIVE)
    assert sorted(each.memory.id for each in second.found) == [2, 3]
    assert {each.memory.state for each in everything.found} == {State.LIVE, State.ARCHIVED}
