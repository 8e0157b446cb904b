"""The cache in front of an embedder: each text goes out once, whoever asks."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from fakes.patience import PATIENCE_S, until

from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.llm.vector_cache import IN_MEMORY, CachedEmbedder
from orca_core.model.errors import EmbeddingError, StorageError
from orca_core.model.llm import Vector
from orca_core.store.protocols import Stores
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
            await stores.housekeeping.aclose()

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


@pytest.mark.parametrize("text", ["a\ud800", "a\x00b", "", "🙂"])
def test_every_text_can_be_kept(tmp_path: Path, text: str) -> None:
    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        await cached.embed([text])
        await stored(stores, text.replace("\ud800", "?"))
        assert cached.store_failure is None

    assert len(with_cache(tmp_path, scenario).texts) == 1


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


def test_a_failure_is_not_cached(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        inner.fails = True
        with pytest.raises(EmbeddingError):
            await cached.embed(["a"])
        inner.fails = False
        assert len(await cached.embed(["a"])) == 1

    inner = CountingEmbedder()
    assert with_cache(tmp_path, scenario, inner).texts == ["a", "a"]


def test_several_texts_that_fail_at_once_leave_no_failure_that_nobody_took(tmp_path: Path) -> None:
    """One request for some, another for more: every waiter is told, and asyncio has nothing to complain of."""
    complaints: list[str] = []

    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context["message"]))
        inner.fails = True
        for texts in (["a", "b"], ["b", "c", "d"]):
            with pytest.raises(EmbeddingError, match="down"):
                await asyncio.wait_for(cached.embed(texts), 30)
        alone, together = asyncio.create_task(cached.embed(["e"])), asyncio.create_task(cached.embed(["e", "f", "g"]))
        for waiting in (alone, together):
            with pytest.raises(EmbeddingError, match="down"):
                await waiting
        gave_up = asyncio.create_task(cached.embed(["h", "i"]))
        await asyncio.sleep(0)
        gave_up.cancel()
        await asyncio.wait({gave_up})
        del alone, together, waiting, gave_up
        gc.collect()

    inner = CountingEmbedder()
    with_cache(tmp_path, scenario, inner)
    gc.collect()
    assert complaints == []


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


def test_a_caller_that_gives_up_does_not_take_the_vector_from_another(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        inner.may_answer.clear()
        hasty = asyncio.create_task(cached.embed(["a"]))
        patient = asyncio.create_task(cached.embed(["a", "b"]))
        await until(lambda: sorted(inner.texts) == ["a", "b"])
        hasty.cancel()
        inner.may_answer.set()
        assert len(await patient) == 2

    inner = CountingEmbedder()
    assert sorted(with_cache(tmp_path, scenario, inner).texts) == ["a", "b"]


def test_the_oldest_texts_leave_the_memory_and_are_found_in_the_database(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        await cached.embed(["first"])
        await stored(stores, "first")
        await cached.embed([f"text {number}" for number in range(IN_MEMORY)])
        assert "first" not in cached._memory
        assert len(cached._memory) == IN_MEMORY
        await cached.embed(["first"])

    assert with_cache(tmp_path, scenario).texts.count("first") == 1


def test_two_models_never_share_a_vector(tmp_path: Path) -> None:
    class OtherModel(CountingEmbedder):
        model = "other@1024"

    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        await cached.embed(["a"])
        await stored(stores, "a")
        other = OtherModel()
        await CachedEmbedder(other, stores.vectors).embed(["a"])
        assert other.texts == ["a"]

    with_cache(tmp_path, scenario)


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


def test_what_is_embedded_uncached_is_kept_nowhere(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores: Stores) -> None:
        kept, unkept = await cached.embed(["a"]), await cached.uncached.embed(["b"])
        assert len(kept[0]) == len(unkept[0]) == cached.dimensions
        await stored(stores, "a")
        assert list(cached._memory) == ["a"]
        assert await stores.vectors.cached(LocalEmbedder.model, ["b"]) == {}

    assert with_cache(tmp_path, scenario).texts == ["a", "b"]


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


def started_at_once(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **_: object
) -> asyncio.Future[Any]:
    """What a loop makes of work that ends in its first step, where it starts tasks at once."""
    try:
        work.send(None)
    except StopIteration as ended:
        done = loop.create_future()
        done.set_result(ended.value)
        return done
    raise AssertionError(work)


def test_it_embeds_where_the_loop_starts_tasks_at_once(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, _stores: Stores) -> None:
        loop = asyncio.get_running_loop()
        loop.set_task_factory(started_at_once)  # Textual's loop does so from Python 3.12 on
        vectors = await cached.embed(["one", "two"])
        loop.set_task_factory(None)
        assert len(vectors) == 2

    assert with_cache(tmp_path, scenario).texts == ["one", "two"]
