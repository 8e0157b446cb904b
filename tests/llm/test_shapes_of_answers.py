"""The shape of an answer: told to servers that take one, and to no other twice."""

from __future__ import annotations

import pytest
from fakes.chat_clients import ask, text
from fakes.model_server import ModelServer, answer, refuses

from orca_core.llm.openai_chat import RequestShape
from orca_core.model.llm import ChatMessage, ChatRequest
from orca_core.pipelines.knowledge import Answer
from orca_core.pipelines.memory_agent import schema_of
from orca_core.pipelines.verifier import Answers

SCHEMA = schema_of(Answer)
REQUEST = ChatRequest((ChatMessage("user", "hello"),), json_object=True, schema=SCHEMA)


def test_a_schema_is_an_object_at_its_root() -> None:
    assert (SCHEMA.name, SCHEMA.shape["type"]) == ("Answer", "object")
    assert SCHEMA.shape["required"] == ["topic", "content", "key_points", "confidence"]
    assert SCHEMA.shape["properties"]["key_points"] == {"type": "array", "items": {"type": "string"}}


def test_a_schema_has_the_parts_that_its_answers_are_made_of() -> None:
    shape = schema_of(Answers).shape

    assert sorted(shape["$defs"]) == ["Known", "Row"]
    assert list(shape["$defs"]["Row"]["properties"]) == ["fact", "words", "why", "says_so", "known"]
    assert shape["properties"]["answers"]["items"] == {"$ref": "#/$defs/Row"}


@pytest.mark.parametrize(
    ("refusals", "formats"),
    [
        ([], ["json_schema"]),
        (["response_format 'json_schema' is not supported"], ["json_schema", "json_object"]),
        (["This response_format type is unavailable now"], ["json_schema", "json_object"]),
        (["structured outputs are not enabled for this model"], ["json_schema", "json_object"]),
        (["unknown json_schema", "unknown field response_format"], ["json_schema", "json_object", None]),
        (["temperature must be 1", "unknown response_format"], ["json_schema", "json_schema", "json_object"]),
    ],
)
def test_what_is_refused_is_said_more_simply_and_not_again(refusals: list[str], formats: list[str | None]) -> None:
    shape = RequestShape({})
    sent = []
    for refusal in [*refusals, None]:
        body = shape.body("m", ChatRequest(REQUEST.messages, 0.1, json_object=True, schema=SCHEMA))
        sent.append(body["response_format"]["type"] if "response_format" in body else None)
        assert refusal is None or shape.learn(refusal, body)

    assert sent == formats


def test_what_the_user_wrote_into_the_request_is_not_learnt_away() -> None:
    shape = RequestShape({"response_format": {"type": "json_schema", "json_schema": {}}})

    assert not shape.learn("unknown response_format", shape.body("m", REQUEST))


def test_a_server_that_refuses_is_asked_again_at_once() -> None:
    with ModelServer() as server:
        server.will(refuses(400, {"error": "no structured outputs here"}), answer("{}"))

        assert text(ask(server, REQUEST)) == "{}"
        assert [each.body["response_format"]["type"] for each in server.requests] == ["json_schema", "json_object"]
