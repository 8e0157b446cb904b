"""The index and the exact scan are each other's oracle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fakes.records import remember

from orca_core.domain.refs import memory_ref
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.storage.sqlite.store import open_stores

COUNT, DIMENSIONS, TOPICS = 1000, 256, 20  # more than are rescored: the codes decide


@pytest.mark.no_cover  # others cover what it does; measured, a thousand memories take twice as long
@pytest.mark.parametrize("dimensions", [DIMENSIONS, 100])
async def test_the_index_finds_what_the_exact_scan_finds(tmp_path: Path, dimensions: int) -> None:
    chance = np.random.default_rng(3)
    topics = chance.standard_normal((TOPICS, dimensions))
    vectors = topics[chance.integers(0, TOPICS, COUNT)] + 0.8 * chance.standard_normal((COUNT, dimensions))

    indexed = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False, rules=JOURNAL_RULES)
    exact = await open_stores(
        tmp_path / "orca.db", scope="me", must_exist=False, rules=JOURNAL_RULES, vector_index=False
    )
    texts = [f"note{number}" for number in range(COUNT)]
    ids = await remember(indexed, *texts)
    await indexed.vectors.put(
        "m", [(memory_ref(each), text, vector) for each, text, vector in zip(ids, texts, vectors, strict=True)]
    )
    shares = []
    for topic in topics:
        near = {hit.ref.id for hit in await indexed.search.by_vector("m", topic, 10)}
        truth = {hit.ref.id for hit in await exact.search.by_vector("m", topic, 10)}
        shares.append(len(near & truth) / 10)

    assert sum(shares) / len(shares) >= 0.99
    for stores in (indexed, exact):
        await stores.housekeeping.aclose()


async def test_another_model_gets_an_index_of_its_own(tmp_path: Path) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False, rules=JOURNAL_RULES)
    [memory_id] = await remember(stores, "aa")
    for model, vector in (("small", [1.0, 0.0]), ("large", [0.0, 1.0, 0.0, 0.0])):
        await stores.vectors.put(model, [(memory_ref(memory_id), "aa", vector)])
        assert [hit.ref.id for hit in await stores.search.by_vector(model, vector, 3)] == [memory_id]
    assert [hit.ref.id for hit in await stores.search.by_vector("small", [1.0, 0.0], 3)] == [memory_id]
    await stores.housekeeping.aclose()
