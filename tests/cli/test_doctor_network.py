"""`orca doctor --network`: each endpoint is asked over real sockets; without it none is."""

from __future__ import annotations

import json

import pytest
from fakes.model_server import DONE, Act, ModelServer, Request, chunk, refuses, stream, vectors
from fakes.terminal import OrcaHome, Ran

JSON = {"Content-Type": "application/json"}
KEY = "sk-live-4f2b9c8e7d6a5b4c"
CONFIG = """
provider = "near"
[near]
base_url = "{url}"
model = "tiny"
api_key = "{key}"
[embedding]
provider = "near"
model = "embeds"
dimensions = 4
[rerank]
provider = "near"
model = "ranks"
"""


def serve(request: Request) -> Act:
    """A whole server: models, answers, embeddings, an order."""
    if request.path.endswith("/models"):
        return Act([json.dumps({"data": [{"id": "tiny"}, {"id": "large"}]}).encode()], 200, JSON)
    if request.path.endswith("/embeddings"):
        return vectors(*([1.0, 0.0, 0.0, 0.0] for _ in request.body["input"]))
    if request.path.endswith("/rerank"):
        return Act([json.dumps({"results": [{"index": 0, "relevance_score": 0.9}]}).encode()], 200, JSON)
    return stream(chunk("pong"), chunk(finish="stop"), DONE)


def refuse(request: Request) -> Act:
    return refuses(401, {"error": {"message": f"invalid key {KEY}"}})


def states(ran: Ran) -> dict[str, str]:
    return {each["name"]: each["state"] for each in ran.json["checks"]}


def details(ran: Ran) -> dict[str, str]:
    return {each["name"]: each["detail"] for each in ran.json["checks"]}


@pytest.fixture
def configured(home: OrcaHome):
    with ModelServer() as server:
        home.configure(CONFIG.format(url=server.base_url, key=KEY))
        yield server


def test_without_it_no_endpoint_is_asked(home: OrcaHome, configured: ModelServer) -> None:
    ran = home.orca("doctor", "--json")

    assert (ran.status, configured.requests) == (0, [])
    assert ran.json["level"] == 1
    for name in ("chat", "embedding", "rerank"):
        assert "not asked: orca doctor --network does" in details(ran)[name]


def test_every_endpoint_is_asked_once_and_timed(home: OrcaHome, configured: ModelServer) -> None:
    configured.will(serve)

    ran = home.orca("doctor", "--network", "--json")

    assert ran.status == 0, ran
    assert {states(ran)[name] for name in ("chat", "memory agent", "embedding", "rerank")} == {"ok"}
    assert (states(ran)["verifier"], "could not be read" in details(ran)["verifier"]) == ("warn", True)
    told = details(ran)
    assert told["chat"].startswith("near, tiny: answers after ")
    assert told["chat"].endswith(" s, one of 2 models")
    assert "4 dimensions, as configured, after " in told["embedding"]
    assert "dialect" in told["rerank"]
    asked = [each.path.rpartition("/v1/")[2] for each in configured.requests]
    assert {each: asked.count(each) for each in asked} == {
        "models": 2,
        "chat/completions": 3,  # and the verifier, which is not understood
        "embeddings": 1,
        "rerank": 2,
    }
    assert "what to do" not in home.orca("doctor", "--network").stdout.partition("chat")[2].partition("learning")[0]


def test_a_refusal_fails_and_never_shows_the_key(home: OrcaHome, configured: ModelServer) -> None:
    configured.will(refuse)

    ran = home.orca("doctor", "--network", "--json")
    shown = home.orca("doctor", "--network")

    assert (ran.status, shown.status) == (1, 1)
    assert states(ran) | {"chat": "fail", "memory agent": "warn", "embedding": "warn", "rerank": "warn"} == states(ran)
    assert ran.json["level"] == 2
    for each in (ran, shown):
        assert KEY not in each.stdout + each.stderr


def test_a_list_of_models_that_is_nested_too_deeply_keeps_nothing_from_being_asked(
    home: OrcaHome, configured: ModelServer
) -> None:
    def nested(request: Request) -> Act:
        return Act([b"[" * 100_000], 200, JSON) if request.path.endswith("/models") else serve(request)

    configured.will(nested)
    ran = home.orca("doctor", "--network", "--json")

    assert ran.status == 0, ran
    assert details(ran)["chat"].endswith("its server does not list its models")


def test_endpoints_are_asked_beside_a_database_that_is_none(home: OrcaHome, configured: ModelServer) -> None:
    configured.will(serve)
    (home.path / "orca.db").write_text("this is no database, and never was one\n" * 100)

    ran = home.orca("doctor", "--network", "--json")

    assert ran.status == 1
    assert (states(ran)["database"], states(ran)["chat"]) == ("fail", "ok")


def test_other_dimensions_name_what_to_set(home: OrcaHome, configured: ModelServer) -> None:
    home.configure(CONFIG.format(url=configured.base_url, key=KEY).replace("dimensions = 4", "dimensions = 8"))
    configured.will(serve)

    [check] = [
        each for each in home.orca("doctor", "--network", "--json").json["checks"] if each["name"] == "embedding"
    ]

    assert (check["state"], "vectors of 4 numbers, where 8 were expected" in check["detail"]) == ("warn", True)
    assert "embedding.dimensions = 4" in check["fix"]
