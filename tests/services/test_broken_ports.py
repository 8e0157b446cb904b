"""An embedder or a reranker that breaks what it promises: the turn keeps what words find, and says what is amiss."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from fakes.looks import WatchedSearch, meanwhile
from fakes.rerankers import ScriptedReranker
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import only, turn
from msgspec.structs import replace

from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.events import Injected
from orca_core.model.llm import Vector
from orca_core.model.memories import State
from orca_core.model.recall import Level, Which
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.services.endpoint_checks import rerank_check
from orca_core.settings import InjectSettings, MemorySettings, Settings

AT_ONCE = Settings(memory=MemorySettings(inject=InjectSettings(first_round_empty=False, lookups=0)))
QUESTION = "docker postgres port error"
SECRET = "the pin is 4711"


def raising(error: Exception) -> Callable[[object], object]:
    def call(_given: object) -> object:
        raise error

    return call


async def filled(engine: Orca) -> None:
    for said in ("an error of the docker postgres port", "the port of docker postgres", "docker postgres, at home"):
        await engine.memories.add(said, type_word="fact")
    await engine.worker.drain()


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
async def test_whatever_a_reranker_does_the_order_stays(open_engine, caplog, clock, ranks, rule: str) -> None:
    async with open_engine() as engine:
        await filled(engine)
        plain = await engine.search.find(QUESTION, 3)
    with caplog.at_level(logging.ERROR):
        async with open_engine(reranker=ScriptedReranker(ranks)) as engine:
            found = await engine.search.find(QUESTION, 3)
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
async def test_what_is_no_vector_costs_the_vectors_only(open_engine, caplog, instead, *, is_cached: bool) -> None:
    embedder = Breaking()
    async with open_engine() as engine:
        await filled(engine)
    with caplog.at_level(logging.ERROR):
        async with open_engine(ScriptedModel(says("ok")), settings=AT_ONCE, embedder=embedder) as engine:
            embedder.instead = instead
            found = await engine.search.find(QUESTION, 3, cached=is_cached)
            got = only(await turn(engine, QUESTION), Injected).injection
            checks = {each.name: each for each in (await engine.doctor.examine()).checks}

    assert checks["embedding"].state == "warn"
    assert len(found.hits) == 3
    assert found.level is Level.TEXT_ONLY
    assert found.cause is not None
    assert SECRET not in f"{found.cause}{caplog.text}"
    assert not got.failed
    assert got.injected


async def test_a_look_sees_one_moment_whatever_happens_in_it(open_engine) -> None:
    """What is archived in the middle of a look was live when it began; the next one sees that it is not."""
    engines: list[Orca] = []
    archived: list[object] = []

    async def archive() -> None:
        if engines and not archived:
            archived.append(await engines[0].memories.archive([1]))

    def behind(stores: Stores) -> Stores:
        return replace(stores, search=WatchedSearch(stores, "lists", "get", meanwhile(archive)))

    async with open_engine(behind=behind) as engine:
        await filled(engine)
        engines.append(engine)
        first = await engine.search.look(QUESTION)
        second = await engine.search.look(QUESTION)
        everything = await engine.search.look(QUESTION, which=Which.ALL)

    assert {each.memory.id: each.memory.state for each in first.found} == dict.fromkeys([1, 2, 3], State.LIVE)
    assert sorted(each.memory.id for each in second.found) == [2, 3]
    assert {each.memory.state for each in everything.found} == {State.LIVE, State.ARCHIVED}
