"""Tools in requests and answers of chat servers, over real sockets and without."""

from __future__ import annotations

from typing import Any

import pytest
from fakes.chat_clients import HELLO, ask, client, fails, text, thoughts
from fakes.model_server import DONE, Act, ModelServer, answer, chunk, event, refuses, stream
from hypothesis import given
from hypothesis import strategies as st

from orca_core.llm.openai_chat import RequestShape, without_tools
from orca_core.llm.reply import ReplyReader
from orca_core.model.errors import BadModelReply, ModelUnavailable
from orca_core.model.llm import (
    ChatMessage,
    ChatRequest,
    Completed,
    Finish,
    ModelEvent,
    ModelToolCall,
    ReasoningDelta,
    TextDelta,
    Tool,
    ToolsCalled,
    ToolsRefused,
)

RECALL = Tool("recall", "looks", {"type": "object", "properties": {"query": {"type": "string"}}})


SIGNED = {"extra_content": {"google": {"thought_signature": "c2ln"}}}
CALL = ModelToolCall("a", "recall", '{"query": "tea"}', SIGNED)


EXCHANGE = (
    ChatMessage("user", "before"),
    ChatMessage("assistant", "plain"),
    ChatMessage("user", "which tea?"),
    ChatMessage("assistant", "", (CALL,), "I should look"),
    ChatMessage("tool", "sencha", call=CALL),
)


REQUEST = ChatRequest(EXCHANGE, tools=(RECALL,))
MISSING = "The `reasoning_content` in the thinking mode must be passed back to the API."


def sent(shape: RequestShape, request: ChatRequest = REQUEST) -> list[dict[str, Any]]:
    """The messages of a request."""
    return list(shape.body("m", request)["messages"])


def under(name: str, shape: RequestShape) -> list[str | None]:
    """What each message of an assistant has under this name."""
    return [each.get(name) for each in sent(shape) if each["role"] == "assistant"]


def test_a_request_with_tools_says_them_and_nothing_that_servers_refuse() -> None:
    function = {"name": "recall", "description": "looks", "parameters": RECALL.parameters}

    assert RequestShape({}).body("m", REQUEST) == {
        "model": "m",
        "stream": True,
        "stream_options": {"include_usage": True},
        "tools": [{"type": "function", "function": function}],
        "messages": [
            {"role": "user", "content": "before"},
            {"role": "assistant", "content": "plain"},
            {"role": "user", "content": "which tea?"},
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "recall", "arguments": '{"query": "tea"}'}, **SIGNED},
            ]},
            {"role": "tool", "content": "sencha", "tool_call_id": "a", "name": "recall"},
        ],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "reasoning"),
    [
        ("", {"reasoning_content": [None, None], "reasoning": [None, None]}),
        ("reasoning_content", {"reasoning_content": ["", "I should look"], "reasoning": [None, None]}),
        ("reasoning", {"reasoning_content": [None, None], "reasoning": [None, "I should look"]}),
    ],
)
def test_reasoning_goes_back_under_the_name_that_it_came_by(name: str, reasoning: dict[str, list[str | None]]) -> None:
    shape = RequestShape({})
    shape.answered(name)
    shape.answered("")

    assert {each: under(each, shape) for each in reasoning} == reasoning


def test_reasoning_that_is_missed_is_sent_and_what_is_refused_is_not() -> None:
    shape = RequestShape({})

    assert shape.learn_messages(MISSING, shape.body("m", REQUEST))
    assert under("reasoning_content", shape) == ["", "I should look"]
    assert shape.learn_messages("unexpected field reasoning_content", shape.body("m", REQUEST))
    assert under("reasoning_content", shape) == [None, None]
    assert not shape.learn_messages(MISSING, shape.body("m", REQUEST))


@pytest.mark.parametrize(
    "detail",
    [
        "invalid message content type: <nil>",
        "messages.3.content: Input should be a valid string",
        "messages[3].content is required",
        "7 validation errors: {'type': 'literal_error', 'loc': ('body', 'messages', 4, 'ChatCompletionRequestSystemMessage', 'role')…",
    ],
)
def test_a_call_without_text_has_an_empty_one_where_null_is_refused(detail: str) -> None:
    shape = RequestShape({})

    assert shape.learn_messages(detail, shape.body("m", REQUEST))
    assert sent(shape)[3]["content"] == ""
    assert not shape.learn_messages(detail, shape.body("m", REQUEST))


@pytest.mark.parametrize(
    "detail",
    [
        "tools param requires --jinja flag",
        "Cannot use tools with stream",
        "Unsupported param: tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "No endpoints found that support tool use. To learn more about provider routing, visit: …",
        "No endpoints found that support the provided 'tool_choice' value.",
        "litellm.UnsupportedParamsError: x does not support parameters: ['temperature', 'tools'], for model=x.",
        "`tools` is not supported with this model",
        "deepseek-reasoner does not support Function Calling",
        "This model doesn't support tool use",
    ],
)
def test_a_refusal_of_tools_is_known_by_its_words_and_not_kept(detail: str) -> None:
    shape = RequestShape({})

    assert shape.refuses_tools(detail, shape.body("m", REQUEST))
    assert not shape.refuses_tools(detail, shape.body("m", without_tools(REQUEST)))
    assert shape.body("m", REQUEST) == RequestShape({}).body("m", REQUEST)


@pytest.mark.parametrize(
    "detail",
    [
        "",
        "Invalid request: tools[0].function.parameters is no valid JSON Schema",
        "Thinking mode does not support this tool_choice",
        "parallel tool calls are not supported",
        "Failed to parse tool call arguments as JSON",
        "doesn't support tool calling without `tools=` param specified. Pass `tools=` param",
        "Function call is missing a thought_signature",
        "messages with role 'tool' must follow tool_calls",
        "ollama does not support parameters: ['response_format'], for model=x. tools are fine",
        MISSING,
    ],
)
def test_a_refusal_of_something_else_is_none_of_tools(detail: str) -> None:
    shape = RequestShape({})

    assert not shape.refuses_tools(detail, shape.body("m", REQUEST))


ASKED = ChatRequest(HELLO.messages, tools=(RECALL,))
TEA = '{"query": "tea"}'


CALLED = [ToolsCalled((ModelToolCall("c1", "recall", TEA),)), Completed(Finish.STOP)]
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
    (chunk("", tool_calls=[{"index": 0, "id": "c1", "function": {"name": "recall", "arguments": TEA}}], finish="tool_calls"), DONE),
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
        refuses(500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}),
        refuses(400, [{"error": {"code": 400, "message": "Function calling is not supported."}}]),
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
    made = ModelToolCall("c1", "recall", TEA)
    exchange = (ChatMessage("assistant", "", (made,)), ChatMessage("tool", "sencha", call=made))
    events = ask(server, ChatRequest((*HELLO.messages, *exchange), tools=(RECALL,)))

    assert [type(each) for each in events] == [ToolsRefused, TextDelta, Completed]
    assert [len(each.body["messages"]) for each in server.requests] == [3, 1]


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
    reply = ReplyReader("p", None, ["recall"])
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
