"""What goes wrong between the chat client and a server, and what is tried again."""

from __future__ import annotations

import asyncio

import pytest
from fakes.chat_clients import HELLO, KEY, Waits, ask, client, fails, text
from fakes.model_server import (
    DROP,
    RESET,
    SILENCE,
    Act,
    ModelServer,
    answer,
    chunk,
    event,
    hangs_up,
    refuses,
    stream,
)

from orca_core.clock import SystemClock
from orca_core.llm.openai_chat import OpenAIChat
from orca_core.model.errors import ContextTooLong, ModelError, ModelRejected, ModelUnavailable
from orca_core.model.llm import ChatRequest
from orca_core.settings import ProviderSettings


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


SILENT_FOR_S = 1.0
"""A setting of the client under test: how long it bears a server that says nothing."""


def test_a_server_that_falls_silent_is_given_up_and_its_words_are_kept(server: ModelServer) -> None:
    server.will(stream(chunk("half"), SILENCE))
    error, events = fails(server, timeout=SILENT_FOR_S)

    assert type(error) is ModelUnavailable
    assert "the server fell silent" in str(error)
    assert text(events) == "half"


@pytest.mark.parametrize(
    ("act", "kind", "sentence"),
    [
        (stream(chunk("half")), ModelUnavailable, "the answer was cut off"),
        (stream(chunk("half"), DROP), ModelUnavailable, "the answer was cut off"),
        (stream(chunk("half"), 0.05, RESET), ModelUnavailable, "the connection broke"),
        (stream(chunk("half"), event({"error": {"message": "overloaded"}})), ModelUnavailable, "broke off with an error: overloaded"),
        (stream(chunk("half"), event({"error": "maximum context length is 8"})), ContextTooLong, "longer than the model's context"),
        (stream(chunk("half"), chunk(finish="network_error")), ModelUnavailable, "ended abnormally (network_error)"),
    ],
)  # fmt: skip
def test_a_stream_that_breaks_keeps_its_words_and_is_not_tried_again(
    server: ModelServer, act: Act, kind: type[ModelError], sentence: str
) -> None:
    server.will(act)
    error, events = fails(server)

    assert type(error) is kind
    assert sentence in str(error)
    assert text(events) == "half"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("act", "kind", "sentence"),
    [
        (refuses(401, {"error": {"message": "Authentication Fails"}}), ModelRejected, "check p.api_key"),
        (refuses(400, {"error": {"message": "No connected db.", "type": "no_db_connection"}}), ModelRejected, "check p.api_key"),
        (refuses(500, {"error": {"message": "{'error': 'No connected db.'}"}}), ModelRejected, "check p.api_key"),
        (refuses(400, [{"error": {"message": "API key not valid. Please pass a valid API key."}}]), ModelRejected, "check p.api_key"),
        (refuses(402, {"error": {"message": "Insufficient Balance"}}), ModelRejected, "no balance"),
        (refuses(429, {"error": {"code": "1113", "message": "您的账户已欠费"}}), ModelRejected, "no balance"),
        (refuses(429, {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}), ModelRejected, "no balance"),
        (refuses(403, '"real-name check"'), ModelRejected, "access was refused (real-name check)"),
        (refuses(404, {"error": {"message": "The model `x` does not exist"}}), ModelRejected, "does not know this model"),
        (refuses(404, "404 page not found"), ModelRejected, "check p.base_url"),
        (refuses(400, {"error": {"message": "This model's maximum context length is 8192 tokens"}}), ContextTooLong, "set context_tokens"),
        (refuses(400, {"error": {"code": 1261, "message": "Prompt 超长"}}), ContextTooLong, "context"),
        (refuses(400, {"message": "bad", "detail": "x"}), ModelRejected, "400: bad"),
        (refuses(422, {"detail": [{"msg": "field required", "loc": ["body"]}]}), ModelRejected, "field required"),
        (refuses(302, "", Location="http://127.0.0.1:1/evil"), ModelRejected, "302"),
        (refuses(413, "<html><head><title>413 Too Large</title>"), ModelRejected, "413 Too Large"),
    ],
)  # fmt: skip
def test_a_refusal_is_a_plain_sentence_and_not_tried_again(
    server: ModelServer, act: Act, kind: type[ModelError], sentence: str
) -> None:
    server.will(act)
    error, _ = fails(server)

    assert type(error) is kind
    assert sentence in str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504])
def test_what_may_be_gone_the_next_time_is_tried_again(server: ModelServer, status: int) -> None:
    server.will(refuses(status, {"error": {"message": "busy"}}), refuses(status, "busy"), answer("ok"))

    assert text(ask(server)) == "ok"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("headers", "waits"),
    [({"Retry-After": "7"}, [7.0]), ({"retry-after-ms": "250"}, [0.25]), ({"Retry-After": "Fri, 20 Nov 2026 12:00:30 GMT"}, [30.0])],
)  # fmt: skip
def test_the_server_is_waited_for_as_it_asks(server: ModelServer, headers: dict[str, str], waits: list[float]) -> None:
    server.will(refuses(429, "slow down", **headers), answer("ok"))
    slept = Waits()
    ask(server, waits=slept)

    assert slept.seconds == waits


@pytest.mark.parametrize(
    "act", [hangs_up(), hangs_up(RESET), stream(), stream(DROP), stream(b": keep-alive\n\n", 0.05, RESET)]
)
def test_a_connection_that_breaks_before_a_word_is_tried_again(server: ModelServer, act: Act) -> None:
    server.will(act, answer("ok"))

    assert text(ask(server)) == "ok"
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("detail", "gone", "renamed"),
    [
        ("Unrecognized request argument: stream_options", "stream_options", None),
        ("'response_format.type' must be 'json_schema' or 'text'", "response_format", None),
        ("temperature is not supported with this model", "temperature", None),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens", "max_completion_tokens"),
    ],
)  # fmt: skip
async def test_a_field_that_a_server_will_not_take_is_left_out_from_then_on(
    server: ModelServer, detail: str, gone: str, renamed: str | None
) -> None:
    server.will(refuses(400, {"error": {"message": detail}}), answer("ok"))
    request = ChatRequest(HELLO.messages, 0.1, 50, True)

    chat = client(server)
    for _ in range(2):
        assert [each async for each in chat.stream(request)]
    await chat.aclose()
    assert gone in server.requests[0].body
    for later in server.requests[1:]:
        assert gone not in later.body
        assert renamed is None or later.body[renamed] == 50


@pytest.mark.parametrize(
    "act",
    [
        refuses(401, {"error": {"message": f"bad key {KEY}"}}),
        stream(event({"error": {"message": f"key {KEY} is bad"}})),
    ],
)
def test_a_key_that_a_server_echoes_is_not_repeated(server: ModelServer, act: Act) -> None:
    server.will(act)
    error, _ = fails(server)

    assert KEY not in str(error)
    assert "1234" in str(error)


def test_a_server_that_is_not_there_is_named() -> None:
    with ModelServer() as gone:
        base_url = gone.base_url

    async def reach() -> None:
        chat = OpenAIChat("p", ProviderSettings(base_url=base_url, model="m"), None, SystemClock(), Waits())
        async for _ in chat.stream(HELLO):
            pytest.fail("nobody is there")

    with pytest.raises(ModelUnavailable, match=f"no connection to {base_url}"):
        asyncio.run(reach())


def test_a_proxy_of_the_environment_is_not_for_this_machine(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "socks://127.0.0.1:1")

    assert text(ask(server)) == "ok"


def test_a_proxy_that_can_not_be_used_is_a_plain_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks://127.0.0.1:1")

    async def reach() -> None:
        chat = OpenAIChat("p", ProviderSettings(base_url="https://example.invalid/v1", model="m"), None, SystemClock())
        async for _ in chat.stream(HELLO):
            pytest.fail("nobody is there")

    with pytest.raises(ModelRejected, match="ALL_PROXY"):
        asyncio.run(reach())


def test_no_model_is_told_before_asking(server: ModelServer) -> None:
    error, _ = fails(server, model="")

    assert "set p.model" in str(error)


def test_a_redirect_is_not_followed_and_no_key_goes_along(server: ModelServer) -> None:
    with ModelServer() as elsewhere:
        server.will(refuses(307, "", Location=f"{elsewhere.base_url}/chat/completions"))
        error, _ = fails(server)

        assert isinstance(error, ModelRejected)
        assert elsewhere.requests == []
