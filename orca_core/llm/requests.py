"""The body of a chat request, and what a server taught us to leave out of it or to say otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from orca_core.llm.calls import readable
from orca_core.model.llm import ChatMessage, ChatRequest, Tool, ToolCall

OPTIONAL = ("stream_options", "response_format", "temperature", "max_tokens")
RENAMED = {"max_tokens": "max_completion_tokens"}
_SCHEMA, _OBJECT = "json_schema", "json_object"
_REQUIRED_REASONING = "reasoning_content"
"""What DeepSeek, Kimi and GLM call it, and want to see in each message of an assistant once there are tools."""
_NO_CONTENT = re.compile(r"\bcontent\b|\bvalidation errors?\b")
_NO_TOOLS = re.compile(
    # Ollama; llama.cpp, old and new; vLLM; OpenRouter, twice; LiteLLM
    r"does not support tools|tools param requires --jinja|cannot use tools with stream|unsupported param: tools"
    r"|tool choice requires --enable-auto-tool-choice"
    r"|no endpoints found that support (?:tool use|the provided 'tool_choice' value)"
    r"|does not support parameters: \[[^\]]*'tools'"
    # what others may say: tools, or calls of functions, that are not supported
    r"|(?<!parallel )(?:\btools?|(?:tool|function)[ _-]?(?:use|call(?:s|ing)?))\W{0,3} (?:is|are) (?:not |un)supported"
    r"|n[o']t support (?:the )?(?:use of )?(?:tools\b|(?:tool|function)[ _-]?(?:use|call(?:s|ing)?)\b)(?! without)",
    re.IGNORECASE,
)


class RequestShape:
    """The fields that this server takes, learnt from its refusals and its answers while the client lives."""

    def __init__(self, extra_body: Mapping[str, object]) -> None:
        self._extra_body = dict(extra_body)
        self._dropped: set[str] = set()
        self._renamed: set[str] = set()
        self._takes_null = True
        self._reasoning_name = ""
        self._takes_reasoning = True

    def body(self, model: str, request: ChatRequest) -> dict[str, Any]:
        """The JSON to send. Lone surrogates are replaced: they are no Unicode that a server could read."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [self._message(each, has_tools=bool(request.tools)) for each in request.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.tools:
            body["tools"] = [_tool(each) for each in request.tools]
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.max_tokens is not None:
            body["max_tokens"] = request.max_tokens
        if request.json_object:
            schema = request.schema
            if schema is not None and _SCHEMA not in self._dropped:
                body["response_format"] = {"type": _SCHEMA, _SCHEMA: {"name": schema.name, "schema": schema.shape}}
            elif _OBJECT not in self._dropped:
                body["response_format"] = {"type": _OBJECT}
        for name in self._dropped:
            body.pop(name, None)
        for name in self._renamed:
            if name in body:
                body[RENAMED[name]] = body.pop(name)
        return {**body, **self._extra_body}

    def answered(self, reasoning_name: str) -> None:
        """Learn from an answer what the server calls a thought: under that name it goes back."""
        self._reasoning_name = reasoning_name or self._reasoning_name

    def refuses_tools(self, detail: str, sent: Mapping[str, Any]) -> bool:
        """Whether a refusal says, in words that are known, that there are no tools. It is not kept: whoever asks
        decides for how long it holds."""
        return "tools" in sent and "tools" not in self._extra_body and bool(_NO_TOOLS.search(detail))

    def learn(self, detail: str, sent: Mapping[str, Any]) -> bool:
        """Whether a refusal may be about what can be left out, renamed or said more simply; that is done from now on.
        The schema of an answer, which few servers take, is refused in many words."""
        own = {name: value for name, value in sent.items() if name not in self._extra_body}
        form = own["response_format"]["type"] if "response_format" in own else ""
        for name in OPTIONAL:
            if name in own and name in detail:
                if name in RENAMED and RENAMED[name] in detail:
                    self._renamed.add(name)
                else:
                    self._dropped.add(form if name == "response_format" else name)
                return True
        if form == _SCHEMA:
            self._dropped.add(_SCHEMA)
        return form == _SCHEMA

    def learn_messages(self, detail: str, sent: Mapping[str, Any]) -> bool:
        """Whether a refusal may be about reasoning that is missing, or not wanted, or about a call without a text; that
        is said otherwise from now on."""
        if "tools" not in sent:
            return False
        if _REQUIRED_REASONING in detail and self._takes_reasoning:
            if any(_REQUIRED_REASONING in each for each in sent["messages"]):
                self._takes_reasoning = False
            else:
                self._reasoning_name = _REQUIRED_REASONING
            return True
        has_null = any(each["content"] is None for each in sent["messages"])
        if has_null and _NO_CONTENT.search(detail):
            self._takes_null = False
            return True
        return False

    def _message(self, message: ChatMessage, *, has_tools: bool) -> dict[str, Any]:
        content = readable(message.content)
        row: dict[str, Any] = {"role": message.role, "content": content}
        if message.calls:
            row["content"] = content or (None if self._takes_null else "")
            row["tool_calls"] = [_call(each) for each in message.calls]
        if message.call is not None:
            row |= {"tool_call_id": message.call.id, "name": message.call.name}
        if message.role == "assistant" and has_tools and self._takes_reasoning:
            reasoning = readable(message.reasoning)
            if self._reasoning_name and (reasoning or self._reasoning_name == _REQUIRED_REASONING):
                row[self._reasoning_name] = reasoning
        return row


def without_tools(request: ChatRequest) -> ChatRequest:
    """The request without tools, their calls, and what these were told."""
    messages = tuple(each for each in request.messages if not each.calls and each.role != "tool")
    return replace(request, tools=(), messages=messages)


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _call(call: ToolCall) -> dict[str, Any]:
    """A call as it goes back. Arguments that could not be read are an empty object, for servers parse them again."""
    function = {"name": call.name, "arguments": call.arguments or "{}"}
    return {"id": call.id, "type": "function", "function": function, **(call.extra or {})}
