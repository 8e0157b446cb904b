"""The chat client, over real sockets, against a server that behaves as servers do."""

from __future__ import annotations

import gzip
import json
from contextlib import aclosing

import pytest
from fakes.chat_clients import HELLO, KEY, ask, client, fails, text, thoughts
from fakes.clocks import StillClock
from fakes.model_server import DONE, DROP, SILENCE, Act, Again, ModelServer, chunk, event, stream
from fakes.patience import until

from orca_core.llm.openai_chat import WAITING_EVERY_S
from orca_core.model.errors import ModelRejected
from orca_core.model.llm import (
    ChatMessage,
    ChatRequest,
    Completed,
    Finish,
    ModelEvent,
    ReasoningDelta,
    TextDelta,
    Usage,
    Waiting,
)


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


@pytest.mark.parametrize("key", [None, "", "  "])
def test_without_a_key_there_is_no_header(server: ModelServer, key: str | None) -> None:
    ask(server, key=key)

    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize("key", ["sk-a b", "sk-\n1", "sk-ключ", "sk-\x7f"])
def test_a_key_that_can_not_be_one_is_told_before_anything_is_sent(server: ModelServer, key: str) -> None:
    error, _ = fails(server, key=key)

    assert isinstance(error, ModelRejected)
    assert "copy p.api_key again" in str(error)
    assert key not in str(error)
    assert server.requests == []


def test_bytes_may_be_cut_anywhere(server: ModelServer) -> None:
    whole = chunk("你好") + chunk("，é\u2028世界", finish="stop") + DONE
    server.will(stream(*(whole[at : at + 1] for at in range(len(whole)))))

    assert text(ask(server)) == "你好，é\u2028世界"


def test_a_surrogate_pair_in_two_pieces_is_one_character(server: ModelServer) -> None:
    first = b'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n'
    second = b'data: {"choices":[{"delta":{"content":"\\ude00b"},"finish_reason":"stop"}]}\n\n'
    server.will(stream(first, second, DONE))

    assert text(ask(server)) == "a😀b"


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_is_told_apart(server: ModelServer, name: str) -> None:
    server.will(stream(chunk(**{name: "hmm"}), chunk("42", finish="stop"), DONE))

    assert ask(server)[:2] == [ReasoningDelta("hmm"), TextDelta("42")]


def test_thinking_inside_the_text_is_told_apart(server: ModelServer) -> None:
    server.will(stream(chunk("<thi"), chunk("nk>hmm</th"), chunk("ink>42", finish="stop"), DONE))
    events = ask(server)

    assert text(events) == "42"
    assert thoughts(events) == "hmm"


@pytest.mark.parametrize(
    "act",
    [
        stream(chunk("ok", finish="stop")),  # no [DONE]
        stream(chunk("ok", finish="stop"), DROP),  # it said that it was over
        stream(chunk("ok"), DONE, SILENCE),  # over, but the connection stays open
        stream(chunk("ok"), DONE),  # no finish
        stream(chunk("ok"), b"data: {broken\n\n", chunk(finish="stop"), DONE),
        stream(b": keep-alive\n\n", b"\n\n", chunk("ok", finish="stop"), DONE),
        stream(b"\xef\xbb\xbf", chunk("ok", finish="stop"), DONE),
        Act([json.dumps({"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]}).encode()], 200, {"Content-Type": "application/json"}),
        Act([chunk("ok", finish="stop"), DONE], 200, {"Content-Type": "text/html"}),
        Act([gzip.compress(chunk("ok", finish="stop"))], 200, {"Content-Encoding": "gzip"}),
        stream(chunk("ok", finish="tool_calls", tool_calls=[{"function": {}}]), DONE),
        stream(event({"choices": [], "prompt_filter_results": []}), chunk("ok", finish="stop"), DONE),
    ],
)  # fmt: skip
def test_answers_of_every_shape_are_read(server: ModelServer, act: Act) -> None:
    server.will(act)
    events = ask(server)

    assert text(events) == "ok"
    assert isinstance(events[-1], Completed)


@pytest.mark.parametrize(("word", "finish"), [("length", Finish.LENGTH), ("content_filter", Finish.FILTERED)])
def test_an_answer_that_the_model_ended_says_how(server: ModelServer, word: str, finish: Finish) -> None:
    server.will(stream(chunk("so far"), chunk(finish=word), DONE))

    assert ask(server)[-1] == Completed(finish, None)


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
        if came == [Waiting("queued")] * 3:
            keep_alives.enough.set()
    await chat.aclose()
    assert came[:3] == [Waiting("queued")] * 3
    assert came.count(Waiting("queued")) <= clock.looks / WAITING_EVERY_S
    assert text(came) == "ok"


@pytest.mark.parametrize("piece", [chunk("word "), b": keep-alive\n\n"])
async def test_closing_the_stream_stops_the_server(server: ModelServer, piece: bytes) -> None:
    server.will(stream(Again(piece)))

    chat = client(server, clock=HastyClock(), first_token_timeout_s=1e9)
    async with aclosing(chat.stream(HELLO)) as events:
        await anext(events)
    await chat.aclose()
    await until(lambda: server.requests[0].was_cut)


@pytest.mark.parametrize("suffix", ["", "/", "/chat/completions", "/chat/completions/"])
def test_an_address_may_be_pasted_as_it_was_found(server: ModelServer, suffix: str) -> None:
    ask(server, base_url=server.base_url + suffix)

    assert server.requests[0].path == "/v1/chat/completions"
