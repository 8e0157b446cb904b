"""Vectors: from a server, from the machine itself, and from the cache."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from fakes.model_server import Act, ModelServer, refuses, vectors

from orca_core.domain.errors import EmbeddingError, StorageError
from orca_core.domain.ports import Vector
from orca_core.embeddings.cached import CachedEmbedder
from orca_core.embeddings.local import LocalEmbedder, embedded
from orca_core.embeddings.openai_embeddings import OpenAIEmbedder
from orca_core.settings import EmbeddingSettings, ProviderSettings
from orca_core.storage.sqlite.store import open_stores


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def embed(server: ModelServer, texts: list[str], **settings: object) -> list[Vector]:
    async def ask() -> list[Vector]:
        provider = ProviderSettings(base_url=server.base_url, timeout_s=2.0)
        embedding = EmbeddingSettings(**{"provider": "p", "model": "e", "dimensions": 2, **settings})  # type: ignore[arg-type]
        embedder = OpenAIEmbedder("p", provider, embedding, "k")
        try:
            return await embedder.embed(texts)
        finally:
            await embedder.aclose()

    return asyncio.run(ask())


def test_vectors_come_at_unit_length_in_order(server: ModelServer) -> None:
    server.will(vectors([3.0, 4.0], [0.0, 2.0]))

    assert [list(each) for each in embed(server, ["a", "b"])] == [pytest.approx([0.6, 0.8]), [0.0, 1.0]]


def test_the_request_names_model_and_texts_only(server: ModelServer) -> None:
    server.will(vectors([1.0, 0.0]))
    embed(server, ["a"])

    assert server.requests[0].path == "/v1/embeddings"
    assert server.requests[0].body == {"model": "e", "input": ["a"]}
    assert server.requests[0].headers["authorization"] == "Bearer k"


def test_dimensions_are_asked_for_only_where_configured(server: ModelServer) -> None:
    server.will(vectors([1.0, 0.0]))
    embed(server, ["a"], send_dimensions=True)

    assert server.requests[0].body["dimensions"] == 2


def test_an_order_that_a_server_mixed_up_is_restored(server: ModelServer) -> None:
    body = b'{"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]}'
    server.will(Act([body], 200, {"Content-Type": "application/json"}))

    assert [list(each) for each in embed(server, ["a", "b"])] == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("indexes", [(0, 0), (None, None)])
def test_indexes_that_make_no_sense_are_passed_over(server: ModelServer, indexes: tuple[object, object]) -> None:
    rows = [{"index": index, "embedding": row} for index, row in zip(indexes, ([1, 0], [0, 1]), strict=True)]
    server.will(Act([json.dumps({"data": rows}).encode()], 200, {"Content-Type": "application/json"}))

    assert [list(each) for each in embed(server, ["a", "b"])] == [[1.0, 0.0], [0.0, 1.0]]


def test_base64_is_read_too(server: ModelServer) -> None:
    server.will(vectors(base64.b64encode(np.array([0.0, 5.0], dtype="<f4").tobytes()).decode()))

    assert list(embed(server, ["a"])[0]) == [0.0, 1.0]


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (vectors([1.0, 0.0]), "1 vectors for 2 texts"),
        (vectors([1.0, 0.0], [1.0, 0.0, 0.0]), "vectors of 3 numbers, where 2 were expected"),
        (vectors([1.0, 0.0], [float("nan"), 0.0]), "no direction"),
        (vectors([1.0, 0.0], [0.0, 0.0]), "no direction"),
        (vectors([1.0, 0.0], None), "numbers, where 2 were expected"),
        (vectors([1.0, 0.0], "!!!"), "can not be read"),
        (vectors([1.0, 0.0], {"a": 1}), "can not be read"),
        (Act([b"{}"], 200), "holds no embeddings"),
        (Act([b"<html>"], 200), "holds no embeddings"),
        (Act([b"[]"], 200), "holds no embeddings"),
        (refuses(401, {"error": {"message": "no"}}), "the key was not accepted"),
        (refuses(501, {"error": {"message": "This server does not support embeddings"}}), "does not support embeddings"),
        (refuses(503, "busy"), "can not answer just now"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_one_plain_sentence(server: ModelServer, act: Act, sentence: str) -> None:
    server.will(act)

    with pytest.raises(EmbeddingError, match=".") as caught:
        embed(server, ["a", "b"])
    assert sentence in str(caught.value)


def test_many_texts_go_in_batches(server: ModelServer) -> None:
    server.will(vectors(*[[1.0, 0.0]] * 32), vectors(*[[0.0, 1.0]] * 8))

    assert len(embed(server, [str(number) for number in range(40)])) == 40
    assert [len(each.body["input"]) for each in server.requests] == [32, 8]


@pytest.mark.parametrize("status", [413, 400, 500])
def test_a_batch_that_is_too_large_is_halved(server: ModelServer, status: int) -> None:
    too_large = refuses(status, {"message": "input is too large: maximum allowed batch size 1"})
    server.will(too_large, vectors([1.0, 0.0]), vectors([0.0, 1.0]))

    assert [list(each) for each in embed(server, ["a", "b"])] == [[1.0, 0.0], [0.0, 1.0]]
    assert [each.body["input"] for each in server.requests] == [["a", "b"], ["a"], ["b"]]


def test_a_text_that_is_too_long_is_cut(server: ModelServer) -> None:
    server.will(refuses(413, {"message": "input must have less than 8192 tokens"}), vectors([1.0, 0.0]))
    embed(server, ["x" * 1000])

    assert [len(each.body["input"][0]) for each in server.requests] == [1000, 500]


def test_empty_texts_and_lone_surrogates_can_be_sent(server: ModelServer) -> None:
    server.will(vectors([1.0, 0.0], [1.0, 0.0]))
    embed(server, ["  ", "a\ud800"])

    assert server.requests[0].body["input"] == ["-", "a?"]


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("用户用 neovim 写 Python", "用户用 neovim 写 Python 代码", 0.8, 1.0),
        ("User deploys to Fly.io", "User deploys on fly.io", 0.8, 1.0),
        ("用户对花生过敏", "k8s 集群跑在阿里云", -0.2, 0.2),
        ("User is vegetarian", "How do CSS grids work", -0.2, 0.2),
        ("ＦＵＬＬ width", "full width", 0.99, 1.0),
    ],
)
def test_the_built_in_embedder_knows_what_letters_know(one: str, other: str, least: float, most: float) -> None:
    assert least <= float(embedded(one) @ embedded(other)) <= most + 1e-6


@pytest.mark.parametrize("text", ["", " ", "🙂", "\x00", "的", "a" * 100_000, "\ud800"])
def test_every_text_has_a_vector_of_unit_length(text: str) -> None:
    [vector] = asyncio.run(LocalEmbedder().embed([text]))

    assert len(vector) == 1024
    assert float(np.linalg.norm(np.asarray(vector))) == pytest.approx(1.0, abs=1e-5)


def test_vectors_are_the_same_in_every_process() -> None:
    assert embedded("neovim")[:3].tolist() == pytest.approx(embedded("neovim")[:3].tolist())
    assert abs(float(embedded("neovim").sum())) < 40
    assert (embedded("neovim") > 0).mean() == pytest.approx(0.5, abs=0.15)


class CountingEmbedder(LocalEmbedder):
    """Counts its texts; slow, so that two callers meet; fails while told so."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.fails = False

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.texts += texts
        await asyncio.sleep(0.02)
        if self.fails:
            raise EmbeddingError(provider="counting", detail="down")
        return await super().embed(texts)


def with_cache(tmp_path: Path, scenario) -> CountingEmbedder:
    inner = CountingEmbedder()

    async def play() -> None:
        stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
        try:
            await scenario(CachedEmbedder(inner, stores.vectors), stores)
        finally:
            await stores.housekeeping.aclose()

    asyncio.run(play())
    return inner


def test_a_repeated_text_goes_out_once(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores) -> None:
        first = await cached.embed(["a", "b", "a"])
        again = await cached.embed(["b", "a"])
        assert np.allclose(first[0], first[2])
        assert np.allclose(first[1], again[0])
        await asyncio.sleep(0.05)  # the database is told after whoever waits has the vector
        other_process = CachedEmbedder(CountingEmbedder(), stores.vectors)
        assert np.allclose((await other_process.embed(["a"]))[0], first[0])
        assert (other_process.hits, other_process.misses) == (1, 0)

    assert with_cache(tmp_path, scenario).texts == ["a", "b"]


def test_two_callers_at_once_share_one_request(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores) -> None:
        one, other = await asyncio.gather(cached.embed(["a", "b"]), cached.embed(["b", "c"]))
        assert np.allclose(one[1], other[0])

    assert sorted(with_cache(tmp_path, scenario).texts) == ["a", "b", "c"]


def test_a_failure_is_not_cached(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores) -> None:
        cached._inner.fails = True
        with pytest.raises(EmbeddingError):
            await cached.embed(["a"])
        cached._inner.fails = False
        assert len(await cached.embed(["a"])) == 1

    assert with_cache(tmp_path, scenario).texts == ["a", "a"]


def test_a_caller_that_gave_up_finds_it_cached_the_next_time(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await cached.embed(["a"])
        await asyncio.sleep(0.05)
        await cached.embed(["a"])

    assert with_cache(tmp_path, scenario).texts == ["a"]


def test_a_database_that_fails_costs_no_vector(tmp_path: Path) -> None:
    async def scenario(cached: CachedEmbedder, stores) -> None:
        (tmp_path / "orca.db").unlink()
        assert len(await cached.embed(["a"])) == 1
        await asyncio.sleep(0.05)  # the database is told after whoever waits has the vector
        assert isinstance(cached.store_failure, StorageError)

    with_cache(tmp_path, scenario)
