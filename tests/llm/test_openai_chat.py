"""The chat client, over real sockets, against a server that behaves as servers do."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from datetime import UTC, datetime

import pytest
from fakes.chat_clients import HELLO, KEY, Waits, ask, client, fails, text
from fakes.clocks import StillClock
from fakes.model_server import (
    DONE,
    DROP,
    RESET,
    SILENCE,
    Act,
    Again,
    ModelServer,
    answer,
    chunk,
    event,
    hangs_up,
    refuses,
    stream,
)
from fakes.patience import until

from orca_core.clock import SystemClock
from orca_core.llm.openai_chat import WAITING_EVERY_S, OpenAIChat, RequestShape, list_models, wait_s
from orca_core.model.errors import BadModelReply, ContextTooLong, ModelError, ModelRejected, ModelUnavailable
from orca_core.model.llm import (
    ChatMessage,
    ChatRequest,
    Completed,
    Finish,
    ModelEvent,
    ServerWaiting,
    TextDelta,
    Usage,
)
from orca_core.pipelines.knowledge import KnowledgeAnswer
from orca_core.pipelines.memory_agent import schema_of
from orca_core.settings import ProviderSettings


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def test_an_answer_comes_in_pieces_and_is_completed(server: ModelServer) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    server.will(
        stream(
            chunk(role="assistant"),
            chunk("Hel"),
            chunk("lo", finish="stop"),
            event({"choices": [], "usage": usage}),
            DONE,
        )
    )

    assert ask(server) == [TextDelta("Hel"), TextDelta("lo"), Completed(Finish.STOP, Usage(9, 2))]


def test_the_request_says_what_a_server_wants_to_know(server: ModelServer) -> None:
    ask(
        server,
        ChatRequest((ChatMessage("system", "s"), ChatMessage("user", "u\ud800")), 0.1, 50, True),
        extra_body={"x": 1},
    )
    [request] = server.requests

    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "m",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u\ufffd"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.1,
        "max_tokens": 50,
        "response_format": {"type": "json_object"},
        "x": 1,
    }


@pytest.mark.parametrize("key", ["sk-a b", "sk-\n1", "sk-ключ", "sk-\x7f"])
def test_a_key_that_can_not_be_one_is_told_before_anything_is_sent(server: ModelServer, key: str) -> None:
    error, _ = fails(server, key=key)

    assert isinstance(error, ModelRejected)
    assert "copy p.api_key again" in str(error)
    assert key not in str(error)
    assert server.requests == []


class HastyClock(StillClock):
    """A second passes whenever it is looked at."""

    looks = 0

    def monotonic(self) -> float:
        self.looks += 1
        self.advance(1.0)
        return super().monotonic()


def test_keep_alives_are_told_and_do_not_put_off_the_first_token_for_ever(server: ModelServer) -> None:
    server.will(stream(Again(b": keep-alive\n\n")))
    error, _ = fails(server, clock=HastyClock(), first_token_timeout_s=30.0)

    assert "no answer began within 30 s" in str(error)
    assert len(server.requests) == 1


async def test_waiting_in_a_queue_is_said_every_few_seconds(server: ModelServer) -> None:
    keep_alives = Again(b": keep-alive\n\n")
    server.will(stream(keep_alives, chunk("ok", finish="stop"), DONE))
    clock = HastyClock()
    came: list[ModelEvent] = []

    chat = client(server, clock=clock, first_token_timeout_s=1e9)
    async for each in chat.stream(HELLO):
        came.append(each)
        if came == [ServerWaiting("queued")] * 3:
            keep_alives.enough.set()
    await chat.aclose()
    assert came[:3] == [ServerWaiting("queued")] * 3
    assert came.count(ServerWaiting("queued")) <= clock.looks / WAITING_EVERY_S
    assert text(came) == "ok"


@pytest.mark.parametrize("piece", [chunk("word "), b": keep-alive\n\n"])
async def test_closing_the_stream_stops_the_server(server: ModelServer, piece: bytes) -> None:
    server.will(stream(Again(piece)))

    chat = client(server, clock=HastyClock(), first_token_timeout_s=1e9)
    async with aclosing(chat.stream(HELLO)) as events:
        await anext(events)
    await chat.aclose()
    await until(lambda: server.requests[0].was_cut)
    assert len(server.requests) == 1


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
        (stream(chunk("half"), DROP), ModelUnavailable, "the answer was cut off"),
        (stream(chunk("half"), 0.05, RESET), ModelUnavailable, "the connection broke"),
        (stream(chunk("half"), event({"error": {"message": "overloaded"}})), ModelUnavailable, "broke off with an error: overloaded"),
        (stream(chunk("half"), event({"error": "maximum context length is 8"})), ContextTooLong, "longer than the model's context"),
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
        (refuses(400, [{"error": {"message": "API key not valid. Please pass a valid API key."}}]), ModelRejected, "check p.api_key"),
        (refuses(402, {"error": {"message": "Insufficient Balance"}}), ModelRejected, "no balance"),
        (refuses(429, {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}), ModelRejected, "no balance"),
        (refuses(403, '"real-name check"'), ModelRejected, "access was refused (real-name check)"),
        (refuses(404, "404 page not found"), ModelRejected, "check p.base_url"),
        (refuses(400, {"error": {"message": "This model's maximum context length is 8192 tokens"}}), ContextTooLong, "set context_tokens"),
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


def test_a_redirect_is_not_followed_and_no_key_goes_along(server: ModelServer) -> None:
    with ModelServer() as elsewhere:
        server.will(refuses(307, "", Location=f"{elsewhere.base_url}/chat/completions"))
        error, _ = fails(server)

        assert isinstance(error, ModelRejected)
        assert elsewhere.requests == []


def test_blanks_in_the_place_of_json_are_asked_for_again_without_the_format(server: ModelServer) -> None:
    server.will(stream(chunk("   "), chunk("\n", finish="stop"), DONE), answer('{"facts": []}'))

    assert text(ask(server, ChatRequest(HELLO.messages, json_object=True))) == '{"facts": []}'
    assert ["response_format" in each.body for each in server.requests] == [True, False]


NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "121"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Fri, 20 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:00 GMT"}, None),
    ],
)
def test_the_server_says_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_s(0, headers, NOW) == seconds


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


SCHEMA = schema_of(KnowledgeAnswer)
REQUEST = ChatRequest((ChatMessage("user", "hello"),), json_object=True, schema=SCHEMA)


@pytest.mark.parametrize(
    ("refusals", "formats"),
    [
        ([], ["json_schema"]),
        (["response_format 'json_schema' is not supported"], ["json_schema", "json_object"]),
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
