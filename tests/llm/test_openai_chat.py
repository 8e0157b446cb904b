"""The chat client, over real sockets, against a server that behaves as servers do."""

from __future__ import annotations

from contextlib import aclosing

import pytest
from fakes.chat_clients import HELLO, KEY, ask, client, fails, text
from fakes.clocks import StillClock
from fakes.model_server import DONE, Again, ModelServer, chunk, event, stream
from fakes.patience import until

from orca_core.llm.openai_chat import WAITING_EVERY_S
from orca_core.model.errors import ModelRejected
from orca_core.model.llm import (
    ChatMessage,
    ChatRequest,
    Completed,
    Finish,
    ModelEvent,
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
