"""Answers that end in a way of their own: blank ones, and those that go on behind their end."""

from __future__ import annotations

import asyncio

import pytest
from fakes.chat_clients import HELLO, ask, fails, text
from fakes.model_server import DONE, Again, ModelServer, answer, chunk, event, stream
from fakes.patience import until

from orca_core.model.errors import ContextTooLong
from orca_core.model.llm import ChatRequest


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def test_blanks_in_the_place_of_json_are_asked_for_again_without_the_format(server: ModelServer) -> None:
    server.will(stream(chunk("   "), chunk("\n", finish="stop"), DONE), answer('{"facts": []}'))

    assert text(ask(server, ChatRequest(HELLO.messages, json_object=True))) == '{"facts": []}'
    assert ["response_format" in each.body for each in server.requests] == [True, False]


def test_a_server_that_goes_on_behind_its_end_is_left(server: ModelServer) -> None:
    server.will(stream(chunk("ok", finish="stop"), DONE, Again(b"data: more\n\n")))

    assert text(ask(server)) == "ok"
    asyncio.run(until(lambda: server.requests[0].was_cut))


def test_the_limit_in_an_error_inside_a_stream_is_read_whole(server: ModelServer) -> None:
    refusal = {"message": "exceeds the available context size", "n_prompt_tokens": 1407, "n_ctx": 256}
    server.will(stream(event({"error": refusal})))
    error, _ = fails(server)

    assert isinstance(error, ContextTooLong)
    assert (error.limit, error.prompt_tokens) == (256, 1407)
