"""Which models a server offers."""

from __future__ import annotations

import asyncio
import json

import pytest
from fakes.model_server import Act, ModelServer

from orca_core.llm.openai_chat import list_models
from orca_core.model.errors import BadModelReply, ModelRejected, ModelUnavailable
from orca_core.settings import ProviderSettings

JSON = {"Content-Type": "application/json"}


def listed(server: ModelServer, answer: object, status: int = 200) -> list[str]:
    content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    server.will(Act([content, "drop"], status, JSON))
    return asyncio.run(list_models("here", ProviderSettings(base_url=server.base_url), "sk-secret"))


def test_the_names_come_sorted_and_each_once() -> None:
    with ModelServer() as server:
        rows = [{"id": "b"}, {"id": "a", "object": "model"}, {"id": "b"}, {"id": 7}, "x", {"id": ""}, {"id": "l" * 300}]
        assert listed(server, {"object": "list", "data": rows}) == ["a", "b"]
        assert server.requests[0].path.endswith("/models")
        assert server.requests[0].headers["authorization"] == "Bearer sk-secret"


@pytest.mark.parametrize("answer", [b"<html>", [], {"data": None}, b"\xff\xfe"], ids=repr)
def test_what_is_no_list_is_said(answer: object) -> None:
    with ModelServer() as server, pytest.raises(BadModelReply, match="list of models"):
        listed(server, answer)


def test_a_refusal_is_said_without_the_key() -> None:
    with ModelServer() as server, pytest.raises(ModelRejected) as caught:
        listed(server, {"error": {"message": "invalid key sk-secret"}}, 401)
    assert "sk-secret" not in str(caught.value)


def test_a_server_that_is_not_there_is_said() -> None:
    with pytest.raises(ModelUnavailable):
        asyncio.run(list_models("here", ProviderSettings(base_url="http://127.0.0.1:9/v1"), None))
