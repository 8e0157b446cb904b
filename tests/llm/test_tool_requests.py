"""What a request with tools says, and what of it a server teaches to say otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from orca_core.llm.openai_chat import RequestShape, without_tools
from orca_core.model.llm import ChatMessage, ChatRequest, Tool, ToolCall

RECALL = Tool("recall", "looks", {"type": "object", "properties": {"query": {"type": "string"}}})
SIGNED = {"extra_content": {"google": {"thought_signature": "c2ln"}}}
CALL = ToolCall("a", "recall", '{"query": "tea"}', SIGNED)
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


def test_arguments_that_could_not_be_read_go_back_as_an_object() -> None:
    request = ChatRequest((ChatMessage("assistant", "", (ToolCall("a", "recall", ""),)),), tools=(RECALL,))

    assert sent(RequestShape({}), request)[0]["tool_calls"][0]["function"]["arguments"] == "{}"


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
        "registry.ollama.ai/library/gemma3:1b does not support tools",
        "tools param requires --jinja flag",
        "Cannot use tools with stream",
        "Unsupported param: tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "No endpoints found that support tool use. To learn more about provider routing, visit: …",
        'No endpoints found that support tool use. Try disabling "recall".',
        "No endpoints found that support the provided 'tool_choice' value.",
        "litellm.UnsupportedParamsError: ollama does not support parameters: ['tools'], for model=gemma.",
        "litellm.UnsupportedParamsError: x does not support parameters: ['temperature', 'tools'], for model=x.",
        "`tools` is not supported with this model",
        "tool calling is not supported with this model",
        "Function call is not supported for this model.",
        "deepseek-reasoner does not support Function Calling",
        "This model doesn't support tool use",
    ],
)
def test_a_refusal_of_tools_is_known_by_its_words_and_not_kept(detail: str) -> None:
    shape = RequestShape({})

    assert shape.refuses_tools(detail, shape.body("m", REQUEST))
    assert not shape.refuses_tools(detail, shape.body("m", without_tools(REQUEST)))
    assert shape.body("m", REQUEST) == RequestShape({}).body("m", REQUEST)


def test_without_tools_their_exchange_is_left_out() -> None:
    assert without_tools(REQUEST) == ChatRequest(EXCHANGE[:3])


@pytest.mark.parametrize(
    "detail",
    [
        "",
        "status 400",
        "Bad Request",
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


def test_tools_that_the_user_configured_are_never_left_out() -> None:
    shape = RequestShape({"tools": [{"type": "web_search"}]})

    assert not shape.refuses_tools("does not support tools", shape.body("m", REQUEST))
