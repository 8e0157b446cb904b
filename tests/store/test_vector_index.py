"""The index of vectors and the exact scan are each other's oracle; what is measured and cached of vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fakes.asking import asked
from fakes.records import header, remember

from orca_core.model.recall import Which
from orca_core.model.record_types import memory_ref
from orca_core.rules.memory import memory_curation
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index import vector_format, vector_index, vector_search
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES
from orca_core.store.sqlite.index.ram_index import RamIndex
from orca_core.store.sqlite.store import open_stores

COUNT, RESCORED, DIMENSIONS, TOPICS = 300, 120, 256, 20  # more than are rescored: the codes decide


@pytest.mark.long
@pytest.mark.parametrize("dimensions", [DIMENSIONS, 100])
async def test_the_index_finds_what_the_exact_scan_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dimensions: int
) -> None:
    monkeypatch.setattr(vector_index, "RESCORED", RESCORED)
    monkeypatch.setattr(RamIndex, "nearest", lambda *_asked: None)  # they would answer from the second search on
    chance = np.random.default_rng(3)
    topics = chance.standard_normal((TOPICS, dimensions))
    vectors = topics[chance.integers(0, TOPICS, COUNT)] + 0.8 * chance.standard_normal((COUNT, dimensions))

    indexed = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    exact = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False, vector_index=False)
    texts = [f"note{number}" for number in range(COUNT)]
    ids = await remember(indexed, *texts)
    await indexed.vectors.put(
        "m", [(memory_ref(each), text, vector) for each, text, vector in zip(ids, texts, vectors, strict=True)]
    )
    await indexed.vectors.refresh_index("m")
    shares = []
    for topic in topics:
        near = {hit.ref.id for hit in await asked(indexed).by_vector("m", topic, 10)}
        truth = {hit.ref.id for hit in await asked(exact).by_vector("m", topic, 10)}
        shares.append(len(near & truth) / 10)

    assert sum(shares) / len(shares) >= 0.99
    for stores in (indexed, exact):
        await stores.upkeep.aclose()


async def test_what_waits_is_found_though_the_index_finds_nearer_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "RESCORED", 8)
    monkeypatch.setattr(RamIndex, "nearest", lambda *_asked: None)
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    texts = [f"note{number}" for number in range(20)]
    ids = await remember(stores, *texts)
    vectors = [[1.0, 0.0]] * 19 + [[-1.0, 0.1]]
    await stores.vectors.put("m", [(memory_ref(each), *rest) for each, *rest in zip(ids, texts, vectors, strict=True)])
    await stores.memories.change_all([ids[-1]], header("hold"), memory_curation.each(lambda _: {"state": "candidate"}))
    await stores.vectors.refresh_index("m")

    hits = await asked(stores).by_vector("m", [1.0, 0.0], 1, which=Which.WAITING)
    assert [hit.ref.id for hit in hits] == [ids[-1]]


async def test_an_index_is_filled_in_slices_while_others_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each slice is a transaction; between two a record may come, go, change its text or its state."""
    monkeypatch.setattr(vector_index, "A_SLICE", 3)
    path, chance = tmp_path / "orca.db", np.random.default_rng(4)
    stores = await open_stores(path, scope="me", must_exist=False)
    exact = await open_stores(path, scope="me", must_exist=True, vector_index=False)

    async def embed(memory_id: int, text: str, model: str = "new") -> None:
        await stores.vectors.put(model, [(memory_ref(memory_id), text, chance.standard_normal(64))])

    ids = await remember(stores, *(f"note{number}" for number in range(20)))
    for number, each in enumerate(ids):
        await embed(each, f"note{number}", "old")
    await stores.vectors.refresh_index("old")
    for number, each in enumerate(ids[:-1]):
        await embed(each, f"note{number}")

    connection = connect(path)
    said, slices = f"note{len(ids) - 1}", 0
    while vector_index.is_stale(connection, MEMORY_TABLES, "new", 64):
        with connection:
            vector_index.fill_slice(connection, MEMORY_TABLES, "new", 64)
        slices += 1
        if slices == 3:
            await embed(ids[0], "note0")  # is in it by now
            await embed(ids[-1], said)  # comes with a later slice
            await stores.memories.change_all([ids[1], ids[12]], header(), memory_curation.each(memory_curation.archive))
            await stores.memories.change_all(
                [ids[2]], header(), memory_curation.each(lambda _memory: {"content": "other"})
            )
            await stores.memories.delete([ids[3], ids[13]], header("delete"))
        wanted = chance.standard_normal(64)
        near = await asked(stores).by_vector("new", wanted, 30)
        assert near == await asked(exact).by_vector("new", wanted, 30)

    assert slices > 6
    assert not await stores.vectors.refresh_index("new")
    assert {state.stale for state in await stores.upkeep.states()} == {0}
    connection.close()


async def test_another_model_gets_an_index_of_its_own(tmp_path: Path) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    [memory_id] = await remember(stores, "aa")
    for model, vector in (("small", [1.0, 0.0]), ("large", [0.0, 1.0, 0.0, 0.0])):
        await stores.vectors.put(model, [(memory_ref(memory_id), "aa", vector)])
        assert [hit.ref.id for hit in await asked(stores).by_vector(model, vector, 3)] == [memory_id]
    assert [hit.ref.id for hit in await asked(stores).by_vector("small", [1.0, 0.0], 3)] == [memory_id]


def test_every_finite_number_is_read_as_it_is() -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view("<f2")
    finite = every[np.isfinite(every)]

    [read] = vector_format.from_blobs([finite.tobytes()], len(finite))

    assert read.dtype == np.float32
    assert np.array_equal(read, finite.astype(np.float32))
    assert np.array_equal(np.signbit(read), np.signbit(finite))


async def test_what_was_used_longest_ago_leaves_a_full_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_search, "MAX_CACHED", 4)
    monkeypatch.setattr(vector_search, "TRIMMED_AT_ONCE", 2)

    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    await stores.vectors.cache("m", {text: [1.0, 0.0] for text in ("old", "older")})
    await stores.upkeep._scope._database.raw(lambda c: c.execute("UPDATE embedding_cache SET used_at = '2020'").get)
    await stores.vectors.cache("m", {text: [0.0, 1.0] for text in ("new", "newer", "newest")})
    kept = await stores.vectors.cached("m", ["old", "older", "new", "newer", "newest"])
    await stores.upkeep.aclose()

    assert set(kept) == {"new", "newer", "newest"}
