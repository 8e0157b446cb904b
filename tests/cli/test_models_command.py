"""`orca models`: what endpoints offer, the configured ones marked; what fails is one line."""

from __future__ import annotations

import json

import pytest
from fakes.model_server import Act, ModelServer, refuses
from fakes.terminal import OrcaHome

HEADERS = {"Content-Type": "application/json"}
KEY = "sk-live-4f2b9c8e7d6a5b4c"
CONFIG = """
provider = "near"
[near]
base_url = "{url}"
model = "tiny"
api_key = "{key}"
[other]
base_url = "http://127.0.0.1:9/v1"
"""
AGENT = '[memory_agent]\nmodel = "away"\n'


def lists(*names: str) -> Act:
    return Act([json.dumps({"data": [{"id": each} for each in names]}).encode()], 200, HEADERS)


@pytest.fixture
def server(home: OrcaHome):
    with ModelServer() as server:
        home.configure(CONFIG.format(url=server.base_url, key=KEY) + AGENT)
        server.will(lists("tiny", "large", "evil\x1b]52;c;x\x07\u202e"))
        yield server


def test_models_are_listed_and_those_in_use_marked(home: OrcaHome, server: ModelServer) -> None:
    ran = home.orca("models")

    assert ran.status == 0, ran
    assert ran.stdout.splitlines()[0] == "near: 3 models"
    assert [line.split() for line in ran.stdout.splitlines()[1:] if "tiny" in line] == [["✓", "tiny", "chat"]]
    assert not {"\x1b", "\x07", "\u202e"} & set(ran.stdout)
    assert "near does not list away, which is used for: memory agent" in ran.stderr
    assert [each.path for each in server.requests] == ["/v1/models"]


def test_json_says_what_each_is_used_for(home: OrcaHome, server: ModelServer) -> None:
    [endpoint] = home.orca("models", "--json").json["endpoints"]

    assert (endpoint["provider"], endpoint["error"]) == ("near", None)
    assert {each["id"]: each["used_for"] for each in endpoint["models"]}["tiny"] == ["chat"]
    assert endpoint["unlisted"] == [{"id": "away", "used_for": ["memory agent"]}]


def test_a_failure_is_one_line_without_the_key(home: OrcaHome, server: ModelServer) -> None:
    server.will(refuses(401, {"error": {"message": f"invalid key {KEY}"}}))

    ran = home.orca("models")
    told = home.orca("models", "--json")

    assert (ran.status, told.status, ran.stdout) == (1, 1, "")
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith("orca: ")
    assert told.json["endpoints"][0]["error"]["kind"] == "model_rejected"
    assert KEY not in ran.stderr + told.stdout + told.stderr


@pytest.mark.parametrize(
    "content", [b"[" * 100_000, b'{"data":' + b"[" * 100_000 + b"]" * 100_000 + b"}"], ids=["open", "whole"]
)
def test_a_list_that_is_nested_too_deeply_is_one_line(home: OrcaHome, server: ModelServer, content: bytes) -> None:
    server.will(Act([content], 200, HEADERS))

    ran = home.orca("models")

    assert (ran.status, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert "near: its list of models can not be read" in ran.stderr


def test_a_model_that_is_named_like_a_key_is_masked(home: OrcaHome, server: ModelServer) -> None:
    server.will(lists("tiny", KEY, f"ft:{KEY}:mine", "sk-another1234567890"))

    ran, told = home.orca("models"), home.orca("models", "--json")

    for said in (ran.stdout, told.stdout):
        assert "tiny" in said
        assert "…5b4c" in said
        assert KEY not in said
        assert "another123" not in said


def test_a_word_that_a_server_takes_as_a_key_stays_in_names(home: OrcaHome, server: ModelServer) -> None:
    home.configure(CONFIG.format(url=server.base_url, key="tiny"))
    server.will(lists("tiny-2", "tiny"))

    assert "tiny-2" in home.orca("models").stdout


def test_one_that_is_not_in_use_is_asked_by_its_name(home: OrcaHome, server: ModelServer) -> None:
    ran = home.orca("models", "--provider", "other")

    assert ran.status == 1
    assert server.requests == []
    assert "other" in ran.stderr


def test_an_unknown_name_is_refused_with_those_that_are_known(home: OrcaHome, server: ModelServer) -> None:
    ran = home.orca("models", "--provider", "nowhere")

    assert (ran.status, ran.stderr.count("\n")) == (2, 1)
    assert "there is no provider nowhere — one of near, other, deepseek" in ran.stderr


def test_without_an_endpoint_it_says_so(home: OrcaHome) -> None:
    ran = home.orca("models")

    assert (ran.status, ran.stdout) == (0, "")
    assert "the built-in demo answers" in ran.stderr
    assert home.orca("models", "--json").json == {"endpoints": []}
