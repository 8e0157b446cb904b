"""Tools over real sockets: calls as servers stream them, refusals, and what goes back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fakes.chat_clients import HELLO, ask, client, fails, text, thoughts
from fakes.model_server import DONE, Act, ModelServer, answer, chunk, event, refuses, stream
from hypothesis import given
from hypothesis import strategies as st

from orca_core.llm.reply import Reply
from orca_core.model.errors import BadModelReply, ModelUnavailable
from orca_core.model.llm import (
    ChatMessage,
    ChatRequest,
    Completed,
    Finish,
    ModelEvent,
    ReasoningDelta,
    TextDelta,
    Tool,
    ToolCall,
    ToolsCalled,
    ToolsRefused,
)

RECALL = Tool("recall", "looks", {"type": "object", "properties": {"query": {"type": "string"}}})
ASKED = ChatRequest(HELLO.messages, tools=(RECALL,))
TEA = '{"query": "tea"}'
CALLED = [ToolsCalled((ToolCall("c1", "recall", TEA),)), Completed(Finish.STOP)]
REFUSAL = "gemma3 does not support tools"


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def call(arguments: object = None, *, index: int | None = 0, id: str | None = None, name: str | None = None) -> bytes:
    """A piece of a call as an event; what is None is not in it."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    found: dict[str, Any] = {"index": index, "id": id, "function": function}
    return chunk(tool_calls=[{key: value for key, value in found.items() if value is not None}])


WHOLE = call(TEA, id="c1", name="recall")
DIALECTS = [
    (chunk(role="assistant", content=None), call("", id="c1", name="recall"), call(TEA[:5]), call(TEA[5:]), chunk(finish="tool_calls"), DONE),
    (WHOLE, chunk(finish="stop"), DONE),
    (WHOLE, chunk(finish="tool_calls"), chunk(tool_calls=[]), DONE),
    (chunk("", tool_calls=[{"index": 0, "id": "c1", "function": {"name": "recall", "arguments": TEA}}], finish="tool_calls"), DONE),
    (call(json.loads(TEA), id="c1", name="recall", index=None), chunk(finish="tool_calls"), DONE),
    (call(TEA[:5], id="c1", name="recall"), call(TEA[5:], id="", name=""), chunk(finish="tool_calls"), DONE),
    (WHOLE, DONE),
    (WHOLE, chunk(finish="length"), DONE),
]  # fmt: skip


@pytest.mark.parametrize("steps", DIALECTS)
def test_a_call_of_any_dialect_is_said_before_the_end(server: ModelServer, steps: tuple[bytes, ...]) -> None:
    server.will(stream(*steps))
    [*_, called, completed] = ask(server, ASKED)

    assert called == CALLED[0]
    assert isinstance(completed, Completed)


def test_a_call_that_was_left_in_the_text_is_a_call(server: ModelServer) -> None:
    server.will(stream(chunk("Let me look.\n"), chunk("<tool_"), chunk('call>{"name": "recall", "arg'),
                       chunk(f'uments": {TEA}}}</tool_call>'), chunk(finish="tool_calls"), DONE))  # fmt: skip
    events = ask(server, ASKED)

    assert text(events) == "Let me look.\n"
    [called] = [each for each in events if isinstance(each, ToolsCalled)]
    assert [(each.name, each.arguments) for each in called.calls] == [("recall", TEA)]


def test_a_call_in_the_text_does_not_count_beside_a_true_one(server: ModelServer) -> None:
    server.will(stream(chunk(f"[TOOL_CALLS]recall{TEA}"), WHOLE, chunk(finish="tool_calls"), DONE))

    assert ask(server, ASKED) == CALLED


@pytest.mark.parametrize(
    "steps",
    [
        (chunk(reasoning=f"[TOOL_CALLS]recall{TEA}"), chunk("no")),
        (chunk(f"<think>\n[TOOL_CALLS]recall{TEA}</think>"), chunk("no")),
        (chunk(f"[TOOL_CALLS]recall{TEA}"), chunk("</think>no")),
    ],
)
def test_a_call_in_a_thought_is_a_thought(server: ModelServer, steps: tuple[bytes, ...]) -> None:
    server.will(stream(*steps, chunk(finish="stop"), DONE))
    events = ask(server, ASKED)

    assert (text(events), TEA in thoughts(events)) == ("no", True)
    assert not any(isinstance(each, ToolsCalled) for each in events)


@pytest.mark.parametrize(
    ("request_", "steps", "kind", "sentence"),
    [
        (HELLO, (WHOLE, chunk(finish="tool_calls")), BadModelReply, "called a tool instead"),
        (ASKED, (call(TEA, id="c1"), chunk(finish="tool_calls")), BadModelReply, "called a tool instead"),
        (ASKED, (chunk(finish="tool_calls"), DONE), BadModelReply, "called a tool instead"),
        (ASKED, (call(TEA[:5], id="c1", name="recall"), chunk(finish="length")), BadModelReply, "called a tool instead"),
        (ASKED, (WHOLE,), ModelUnavailable, "the answer was cut off"),
        (ASKED, (WHOLE, chunk(finish="network_error")), ModelUnavailable, "ended abnormally"),
        (ASKED, (chunk("a"), event({"error": {"message": "error parsing tool call"}})), ModelUnavailable, "error parsing tool call"),
    ],
)  # fmt: skip
def test_a_call_that_is_none_is_no_answer(
    server: ModelServer, request_: ChatRequest, steps: tuple[bytes, ...], kind: type[Exception], sentence: str
) -> None:
    server.will(stream(*steps))
    error, events = fails(server, request_)

    assert type(error) is kind
    assert sentence in str(error)
    assert not any(isinstance(each, ToolsCalled) for each in events)


@pytest.mark.parametrize(
    "refusal",
    [
        refuses(400, {"error": {"message": REFUSAL, "type": "api_error"}}),
        refuses(400, {"object": "error", "message": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'}),
        refuses(404, {"error": {"message": "No endpoints found that support tool use.", "code": 404}}),
        refuses(500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}),
        refuses(400, [{"error": {"code": 400, "message": "Function calling is not supported."}}]),
        refuses(422, {"detail": "`tools` is not supported"}),
        stream(event({"error": {"message": REFUSAL}})),
    ],
)  # fmt: skip
async def test_a_server_that_refuses_tools_is_asked_without_and_the_next_time_with_them(
    server: ModelServer, refusal: Act
) -> None:
    server.will(refusal, answer("ok"), refusal, answer("ok"))
    chat = client(server)
    said = [[each async for each in chat.stream(ASKED)] for _ in range(2)]
    await chat.aclose()

    assert [[type(each) for each in events] for events in said] == [[ToolsRefused, TextDelta, Completed]] * 2
    assert ["tools" in each.body for each in server.requests] == [True, False, True, False]


def test_a_refusal_behind_a_call_is_said_and_the_exchange_left_out(server: ModelServer) -> None:
    server.will(refuses(500, {"error": {"message": REFUSAL}}), answer("ok"))
    made = ToolCall("c1", "recall", TEA)
    exchange = (ChatMessage("assistant", "", (made,)), ChatMessage("tool", "sencha", call=made))
    events = ask(server, ChatRequest((*HELLO.messages, *exchange), tools=(RECALL,)))

    assert [type(each) for each in events] == [ToolsRefused, TextDelta, Completed]
    assert [len(each.body["messages"]) for each in server.requests] == [3, 1]


def test_a_refusal_is_said_though_the_request_without_tools_fails(server: ModelServer) -> None:
    server.will(refuses(400, {"error": {"message": REFUSAL}}), refuses(503, {"error": {"message": "busy"}}), refuses(401, {"error": {"message": "key"}}))  # fmt: skip
    _, events = fails(server, ASKED)

    assert [type(each) for each in events] == [ToolsRefused]
    assert ["tools" in each.body for each in server.requests] == [True, False, False]


PARTS = st.sampled_from(
    [
        WHOLE, call("", id="c1", name="recall"), call(TEA[:5]), call(TEA[5:]), call(TEA, index=1, name="recall"), chunk("a\n"),
        chunk("<tool_call>"), chunk(f'{{"name": "recall", "arguments": {TEA}}}'), chunk("</think>"), chunk("```\n"),
        chunk(f"[TOOL_CALLS]recall{TEA}"), chunk(reasoning="r"), chunk(finish="tool_calls"), chunk(finish="length"), DONE,
    ]
)  # fmt: skip


@given(st.lists(PARTS, max_size=8), st.data())
def test_however_the_bytes_are_cut_the_calls_are_the_same(parts: list[bytes], data: st.DataObject) -> None:
    body = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=8)))

    assert _read(*(body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True))) == _read(body)


def _read(*pieces: bytes) -> tuple[str, str, list[ModelEvent], str]:
    """(answer, thoughts, the other events, the error)."""
    reply = Reply("p", None, ["recall"])
    events: list[ModelEvent] = []
    error = ""
    try:
        for piece in pieces:
            events += reply.feed(piece)
        events += reply.end()
    except (BadModelReply, ModelUnavailable) as failed:
        error = str(failed)
    others = [each for each in events if not isinstance(each, TextDelta | ReasoningDelta)]
    return text(events), thoughts(events), others, error
