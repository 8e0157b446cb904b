"""The embedding client, over real sockets, against a server that behaves as servers do."""

from __future__ import annotations

import asyncio
import base64

import numpy as np
import pytest
from fakes.model_server import DROP, RESET, Act, ModelServer, hangs_up, refuses, vectors
from fakes.patience import PATIENCE_S

from orca_core.llm.openai_embedder import OpenAIEmbedder
from orca_core.model.errors import EmbeddingError
from orca_core.model.llm import Vector
from orca_core.settings import EmbeddingSettings, ProviderSettings


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def embed(
    server: ModelServer, texts: list[str], *, key: str = "k", timeout_s: float = PATIENCE_S, **settings: object
) -> list[Vector]:
    async def ask() -> list[Vector]:
        provider = ProviderSettings(base_url=server.base_url, timeout=timeout_s)
        embedding = EmbeddingSettings(**{"provider": "p", "model": "e", "dimensions": 2, **settings})  # type: ignore[arg-type]
        embedder = OpenAIEmbedder("p", provider, embedding, key)
        try:
            return await embedder.embed(texts)
        finally:
            await embedder.aclose()

    return asyncio.run(ask())


def test_vectors_come_at_unit_length_in_order(server: ModelServer) -> None:
    server.will(vectors([3.0, 4.0], [0.0, 2.0]))

    assert [list(each) for each in embed(server, ["a", "b"])] == [pytest.approx([0.6, 0.8]), [0.0, 1.0]]


def test_an_order_that_a_server_mixed_up_is_restored(server: ModelServer) -> None:
    body = b'{"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]}'
    server.will(Act([body], 200, {"Content-Type": "application/json"}))

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
        (vectors([1.0, 0.0], [None, 1.0]), "no direction"),
        (vectors([1.0, 0.0], [10**400, 1]), "can not be read"),
        (vectors([1.0, 0.0], [[1.0], [0.0]]), "numbers, where 2 were expected"),
        (vectors([1.0, 0.0], "!!!"), "can not be read"),
        (Act([b"{}"], 200), "holds no embeddings"),
        (Act([b"<html>"], 200), "holds no embeddings"),
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


@pytest.mark.parametrize(
    "refusal",
    [
        refuses(413, {"message": "input must have less than 8192 tokens"}),
        refuses(400, {"error": "the input length exceeds the context length"}),
        refuses(500, {"error": {"message": "input (1602 tokens) is too large to process"}}),
    ],
)
def test_a_text_that_is_too_long_is_cut(server: ModelServer, refusal: Act) -> None:
    server.will(refusal, vectors([1.0, 0.0]))
    embed(server, ["x" * 1000])

    assert [len(each.body["input"][0]) for each in server.requests] == [1000, 500]


@pytest.mark.parametrize("how", [DROP, RESET])
def test_a_connection_that_was_closed_meanwhile_is_opened_again(server: ModelServer, how: str) -> None:
    server.will(hangs_up(how), vectors([1.0, 0.0]))

    assert len(embed(server, ["a"])) == 1
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("act", "retryable"),
    [
        (refuses(503, "busy"), True),
        (hangs_up(), True),
        (Act([b""]), True),
        (refuses(401, "no"), False),
        (refuses(500, {"error": "failed to encode response: json: unsupported value: NaN"}), False),
        (vectors([0.0, 0.0]), False),
    ],
)
def test_an_error_says_whether_trying_again_may_help(server: ModelServer, act: Act, retryable: bool) -> None:
    server.will(act)

    with pytest.raises(EmbeddingError) as caught:
        embed(server, ["a"])
    assert caught.value.retryable is retryable
