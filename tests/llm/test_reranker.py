"""The rerank client, over real sockets, against a server that behaves as servers do."""

from __future__ import annotations

import asyncio
import json

import pytest
from fakes.model_server import Act, ModelServer, Request, hangs_up, ranking, refuses
from fakes.patience import PATIENCE_S

from orca_core.llm.reranker import HttpReranker
from orca_core.model.errors import RerankError
from orca_core.settings import ProviderSettings, RerankSettings

KEY = "sk-1234567890abcdef"


TEXTS = ["uses vim", "lives in Chengdu", "likes tea"]
GOOD = ranking({"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1})


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def rank(
    server: ModelServer,
    texts: list[str] = TEXTS,
    *,
    query: str = "which drink?",
    times: int = 1,
    timeout_s: float = PATIENCE_S,
    base_url: str = "",
    **settings: str,
) -> list[int]:
    async def ask() -> list[int]:
        provider = ProviderSettings(base_url=base_url or server.base_url, timeout=timeout_s)
        rerank = RerankSettings(**{"provider": "p", "model": "r", **settings})  # type: ignore[arg-type]
        reranker = HttpReranker("p", provider, rerank, KEY)
        try:
            for _ in range(times - 1):
                await reranker.rank(query, texts)
            return await reranker.rank(query, texts)
        finally:
            await reranker.aclose()

    return asyncio.run(ask())


def test_only_the_query_and_the_texts_are_sent(server: ModelServer) -> None:
    server.will(GOOD)

    assert rank(server) == [2, 0]
    [request] = server.requests
    assert request.path == "/v1/rerank"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "r", "query": "which drink?", "documents": TEXTS, "top_n": 3
    }  # fmt: skip


@pytest.mark.parametrize(
    "act",
    [
        ranking(
            {"index": 1, "relevance_score": 4.0, "document": {"text": "x"}}, {"index": 0, "relevance_score": -0.09}
        ),
        ranking({"index": 1, "relevance_score": 0.5, "document": "x"}, {"index": 0, "relevance_score": 0.5e-9}),
        ranking({"index": 0, "score": -7.5}, {"index": 1, "score": -2}, under=None),
        ranking({"index": "0", "relevance_score": "0.1"}, {"index": "1", "relevance_score": "0.2"}),
        ranking({"index": 1.0, "relevance_score": 1}, {"index": 0, "relevance_score": 0}, under="data"),
    ],
    ids=["raw scores", "plain documents", "bare list", "numbers as text", "under data"],
)
def test_every_shape_of_an_answer_is_read(server: ModelServer, act: Act) -> None:
    server.will(act)

    assert rank(server, ["a", "b"]) == [1, 0]


def test_what_can_not_be_read_is_left_out(server: ModelServer) -> None:
    rows = [
        {"index": 0, "relevance_score": float("nan")},
        {"index": 3, "relevance_score": 0.9},
        {"index": 1.5, "relevance_score": 0.9},
        {"index": 1},
        "a word",
        {"index": 2, "relevance_score": 0.2},
        {"index": 2, "relevance_score": 0.9},
        {"index": 1, "relevance_score": 0.3},
        {"index": 0, "relevance_score": float("inf")},
    ]
    server.will(ranking(*rows))

    assert rank(server) == [1, 2]


@pytest.mark.parametrize(
    ("act", "code", "sentence"),
    [
        (Act([b""]), "unreadable", "no ranking"),
        (Act([b"<html>"]), "unreadable", "no ranking"),
        (Act([b"[" * 100_000]), "unreadable", "no ranking"),
        (ranking(), "unreadable", "no ranking"),
        (ranking({"index": 0, "relevance_score": None}), "unreadable", "nothing in it can be read"),
        (Act([json.dumps({"error": {"message": f"bad {KEY}"}}).encode()]), "unreadable", "bad …cdef"),
        (refuses(400, {"error": {"message": "documents is not a list"}}), "refused", "check rerank.model"),
        (refuses(400, {"code": 20012, "message": "Model does not exist"}), "refused", "does not know this model"),
        (refuses(400, {"error": {"message": "No connected db.", "code": 400}}), "refused", "check p.api_key"),
        (refuses(404, "404 page not found"), "refused", "no reranker at this address"),
        (refuses(429, {"message": f"slow down, {KEY}"}), "refused", "can not answer just now"),
        (refuses(501, {"error": {"message": "This server does not support reranking"}}), "refused", "not support"),
        (refuses(307, "", Location="http://127.0.0.1:9/else"), "refused", "refused the request"),
        (hangs_up(), "unreachable", "the connection broke"),
    ],
)
def test_what_is_no_ranking_is_one_plain_sentence(server: ModelServer, act: Act, code: str, sentence: str) -> None:
    server.will(act)

    with pytest.raises(RerankError) as caught:
        rank(server)
    assert (caught.value.code, sentence in str(caught.value)) == (code, True)
    assert KEY not in f"{caught.value} {caught.value.fields}"


@pytest.mark.parametrize(
    "refusal",
    [
        refuses(422, "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1"),
        refuses(422, {"detail": [{"loc": ["body", "texts"], "msg": "Field required", "type": "missing"}]}),
    ],
)
def test_a_server_of_the_other_dialect_is_recognised_once(server: ModelServer, refusal: Act) -> None:
    def answers(request: Request) -> Act:
        return ranking({"index": 1, "score": 0.9}, under=None) if "texts" in request.body else refusal

    server.will(answers)

    assert rank(server, times=2) == [1]
    assert [sorted(each.body) for each in server.requests[1:]] == [["query", "texts", "truncate"]] * 2


@pytest.mark.parametrize(
    "refusal",
    [
        refuses(413, {"message": "input must have less than 8192 tokens"}),
        refuses(400, {"error": "the input length exceeds the context length"}),
    ],
)
def test_texts_that_are_too_long_are_cut(server: ModelServer, refusal: Act) -> None:
    def answers(request: Request) -> Act:
        return GOOD if max(map(len, [request.body["query"], *request.body["documents"]])) <= 500 else refusal

    server.will(answers)
    assert rank(server, ["a" * 1600, "b" * 10, "c" * 1600], query="begins " + "x" * 5000 + " ends", times=2) == [2, 0]

    sizes = [[len(each) for each in request.body["documents"]] for request in server.requests]
    assert sizes == [[1600, 10, 1600], [1000, 10, 1000], [500, 10, 500], [500, 10, 500]]
    query = server.requests[-1].body["query"]
    assert (len(query), query[:6], query[-4:]) == (500, "begins", "ends")
