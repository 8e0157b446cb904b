"""Vectors for what has none, whatever one text does to the embedder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest
from fakes.embedders import FailingEmbedder, SilentEmbedder
from fakes.jobs import job_status

from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import EmbeddingError
from orca_core.model.events import Embedded
from orca_core.model.llm import Vector
from orca_core.model.recall import Level
from orca_core.settings import EmbeddingSettings, Settings


class PickyEmbedder(LocalEmbedder):
    """Takes no text that holds a certain word; counts its calls."""

    def __init__(self, refused: str) -> None:
        self.refused = refused
        self.calls = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += 1
        if any(self.refused in text for text in texts):
            raise EmbeddingError(retryable=False, provider="picky", detail="not this one")
        return await super().embed(texts)


def vectors(database: Path) -> int:
    return int(apsw.Connection(str(database)).execute("SELECT count(*) FROM vectors").get or 0)


async def test_every_memory_gets_its_vector(open_engine, database: Path) -> None:
    async with open_engine() as engine:
        for number in range(40):
            await engine.memories.add(f"memory number {number}")
        await engine.worker.tidy()
        assert (vectors(database), job_status(engine, "embedding").failure) == (40, "")


@pytest.mark.long
async def test_it_is_told_how_far_it_is_where_much_waits(open_engine, database: Path) -> None:
    async with open_engine(embedder=FailingEmbedder()) as engine:  # nothing is embedded as it is added
        for number in range(100):
            await engine.memories.add(f"memory number {number}")
    told: list[object] = []
    async with open_engine() as engine:
        engine.worker.subscribe(told.append)
        await engine.worker.tidy()
        assert told == [Embedded(have, 100) for have in (0, 32, 64, 96)] + [Embedded(100, 100)]
        await engine.memories.add("one memory more")
        await engine.worker.tidy()
        assert (vectors(database), len(told)) == (101, 5)


async def test_a_text_that_can_not_be_embedded_does_not_keep_the_others_from_it(open_engine, database: Path) -> None:
    embedder = PickyEmbedder("number 7")
    async with open_engine(embedder=embedder) as engine:
        for number in range(10):
            await engine.memories.add(f"memory number {number}")
        await engine.worker.tidy()
        assert vectors(database) == 9
        calls = embedder.calls
        await engine.worker.tidy()
        assert embedder.calls == calls


async def test_an_embedder_that_takes_nothing_is_said_and_asked_again(open_engine, database: Path) -> None:
    embedder = PickyEmbedder("memory")
    async with open_engine(embedder=embedder) as engine:
        await engine.memories.add("memory number one")
        await engine.worker.tidy()
        assert "not this one" in job_status(engine, "embedding").failure
        embedder.refused = "nothing at all"
        await engine.worker.tidy()
        assert (vectors(database), job_status(engine, "embedding").failure) == (1, "")


async def test_vectors_that_fail_in_the_background_lower_the_level_until_they_work(open_engine) -> None:
    embedder = FailingEmbedder()
    async with open_engine(embedder=embedder) as engine:
        await engine.memories.add("memory number one")
        await engine.worker.tidy()
        level, cause = await engine.levels.current()
        assert (level, "the server is down" in cause.sentence) == (Level.TEXT_ONLY, True)
        embedder.fails = False
        await engine.worker.tidy()
        assert await engine.levels.current() == (Level.FULL, None)


async def test_a_question_whose_vector_does_not_come_in_time_lowers_the_level(open_engine) -> None:
    settings = Settings(embedding=EmbeddingSettings(query_timeout=0.01))
    async with open_engine(embedder=SilentEmbedder(), settings=settings) as engine:
        found = await engine.search.find("which database", 5)
        assert (found.level, "0.01 s" in found.cause.sentence) == (Level.TEXT_ONLY, True)
