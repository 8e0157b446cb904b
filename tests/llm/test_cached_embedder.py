"""The cache in front of an embedder: each text goes out once, whoever asks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

import apsw
import numpy as np
import pytest
from fakes.patience import PATIENCE_S, until

from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import EmbeddingError, StorageError
from orca_core.model.llm import Vector
from orca_core.operations.stores import Stores
from orca_core.store.sqlite.store import open_stores


class CountingEmbedder(LocalEmbedder):
    """Counts its texts; answers when it may, so that two callers meet; fails while told so."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.fails = False
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.texts += texts
        await self.may_answer.wait()
        if self.fails:
            raise EmbeddingError(provider="counting", detail="down")
        return await super().embed(texts)


def with_cache(
    tmp_path: Path,
    scenario: Callable[[CachedEmbedder, Stores], Awaitable[None]],
    inner: CountingEmbedder | None = None,
) -> CountingEmbedder:
    """Play a scenario on a cache before a real database; what was asked behind it."""
    counting = inner or CountingEmbedder()

    async def play() -> None:
        stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
        cached = CachedEmbedder(counting, stores.vectors)
        try:
            await scenario(cached, stores)
        finally:
            await cached.aclose()
            await stores.upkeep.aclose()

    asyncio.run(play())
    return counting


async def stored(stores: Stores, text: str) -> None:
    """Wait until the database has a text's vector: it is told after those who wait have theirs."""
    async with asyncio.timeout(PATIENCE_S):
        while not await stores.vectors.cached(LocalEmbedder.model, [text]):
            pass


def test_a_repeated_text_goes_out_once(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        first = await cached.embed(["a", "b", "a"])
        again = await cached.embed(["b", "a"])
        assert np.allclose(first[0], first[2])
        assert np.allclose(first[1], again[0])
        await stored(stores, "a")
        other_process = CachedEmbedder(CountingEmbedder(), stores.vectors)
        assert np.allclose((await other_process.embed(["a"]))[0], first[0])
        assert (other_process.hits, other_process.misses) == (1, 0)

    assert with_cache(tmp_path, scenario).texts == ["a", "b"]


def test_two_callers_at_once_share_one_request(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        inner.may_answer.clear()
        both = asyncio.gather(cached.embed(["a", "b"]), cached.embed(["b", "c"]))
        await until(lambda: sorted(inner.texts) == ["a", "b", "c"])
        inner.may_answer.set()
        one, other = await both
        assert np.allclose(one[1], other[0])

    inner = CountingEmbedder()
    assert sorted(with_cache(tmp_path, scenario, inner).texts) == ["a", "b", "c"]


def test_a_caller_that_gave_up_finds_it_cached_the_next_time(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        caller = asyncio.create_task(cached.embed(["a"]))
        while not inner.texts:
            await asyncio.sleep(0)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        await stored(stores, "a")
        await cached.embed(["a"])

    inner = CountingEmbedder()
    assert with_cache(tmp_path, scenario, inner).texts == ["a"]


def test_closing_gives_up_what_is_under_way_and_tells_who_waits(tmp_path: Path) -> None:
    """A caller whom nobody cancelled must not be told that it is."""

    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        inner.may_answer.clear()
        waiting = asyncio.create_task(cached.embed(["a"]))
        await until(lambda: inner.texts)
        await cached.aclose()
        with pytest.raises(EmbeddingError, match="closed"):
            await waiting

    inner = CountingEmbedder()
    with_cache(tmp_path, scenario, inner)


class BrokenCache:
    """A database whose cache can be neither read nor written."""

    async def cached(self, model: str, texts: Sequence[str]) -> dict[str, Vector]:
        raise StorageError(path="orca.db", detail="broken")

    async def cache(self, model: str, vectors: Mapping[str, Vector]) -> None:
        raise StorageError(path="orca.db", detail="broken")


def test_a_database_that_fails_costs_no_vector_and_is_told() -> None:
    inner = CountingEmbedder()
    cached = CachedEmbedder(inner, BrokenCache())  # type: ignore[arg-type]

    first, again = asyncio.run(_twice(cached, "a"))

    assert np.allclose(first, again)
    assert inner.texts == ["a"]
    assert "broken" in str(cached.store_failure)


async def _twice(cached: CachedEmbedder, text: str) -> tuple[Vector, Vector]:
    [first] = await cached.embed([text])
    [again] = await cached.embed([text])
    return first, again


def test_the_database_holds_no_text_of_what_it_cached_and_another_one_has_other_keys(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        await cached.embed(["a quite secret text"])
        await stored(stores, "a quite secret text")

    keys = set()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with_cache(tmp_path / name, scenario)
        files = [path.read_bytes() for path in (tmp_path / name).iterdir() if path.is_file()]
        assert not any(b"secret text" in content for content in files)
        keys |= set(apsw.Connection(str(tmp_path / name / "orca.db")).execute("SELECT key FROM embedding_cache"))

    assert len(keys) == 2
