"""A chat model behind an OpenAI-compatible API, streamed; and which models such a server offers."""

from __future__ import annotations

import asyncio
import email.utils
import json
import random
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from datetime import datetime
from typing import Any

import httpx
from msgspec.structs import replace

from orca_core.llm.http import Key, ProviderClient, endpoint, error_for, make_client, redacted, transport_error
from orca_core.llm.reply import ReplyReader
from orca_core.llm.tool_calls import readable
from orca_core.model.errors import BadModelReply, ContextTooLong, ModelError, ModelRejected, ModelUnavailable
from orca_core.model.llm import (
    ChatMessage,
    ChatRequest,
    Clock,
    ModelEvent,
    ModelToolCall,
    ReasoningDelta,
    ServerWaiting,
    TextDelta,
    Tool,
    ToolsRefused,
)
from orca_core.settings import ProviderSettings

MAX_RETRIES = 2
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
LONGEST_ASKED_S = 120.0


def wait_s(attempt: int, headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds before retry number `attempt` (from 0); None where the server asks for longer than anyone waits."""
    asked = _asked_s(headers, now)
    if asked is not None:
        return asked if asked <= LONGEST_ASKED_S else None
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * float(2**attempt)) * random.uniform(0.75, 1.0)


def is_worthwhile(status_says_so: bool, headers: Mapping[str, str]) -> bool:
    """Whether a refusal may be gone the next time: as its status says, unless the server says it outright."""
    said = headers.get("x-should-retry", "").lower()
    return said == "true" or (status_says_so and said != "false")


def _asked_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """What `retry-after` asks for, in any of its spellings."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            return max(0.0, float(text) * unit)
        except ValueError:
            pass
        try:
            return max(0.0, (email.utils.parsedate_to_datetime(text) - now).total_seconds())
        except (TypeError, ValueError, OverflowError):
            continue
    return None


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


def _call(call: ModelToolCall) -> dict[str, Any]:
    """A call as it goes back. Arguments that could not be read are an empty object, for servers parse them again."""
    function = {"name": call.name, "arguments": call.arguments or "{}"}
    return {"id": call.id, "type": "function", "function": function, **(call.extra or {})}


FIRST_TOKEN_TIMEOUT_S = 600.0
WAITING_EVERY_S = 3.0
CLOSING_TIMEOUT_S = 0.2
MAX_ERROR_BYTES = 65_536
ABOUT_TOOLS = frozenset({400, 404, 422, 500, 501})
"""Statuses by which servers refuse tools and their exchange: OpenRouter says 404, llama.cpp and its Python server
500."""
MAX_PIECES_BEHIND = 8
"""So many more pieces are taken from a body that is over, before its connection is given up."""


class OpenAIChat:
    """One provider, one model. Three clocks: connecting, silence between bytes, and the first token."""

    is_demo = False

    def __init__(
        self,
        name: str,
        settings: ProviderSettings,
        key: Key,
        clock: Clock,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        first_token_timeout_s: float = FIRST_TOKEN_TIMEOUT_S,
    ) -> None:
        self._name = name
        self._settings = settings
        self._clock = clock
        self._sleep = sleep
        self._first_token_timeout_s = first_token_timeout_s
        self._shape = RequestShape(settings.extra_body)
        self._client = ProviderClient(name, settings, key)

    @property
    def provider(self) -> str:
        return self._name

    @property
    def model(self) -> str:
        return self._settings.model

    @property
    def endpoint(self) -> str:
        return self._settings.base_url

    @property
    def context_tokens(self) -> int:
        return self._settings.context_tokens

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """The answer as it comes. A failure before the first token is tried again where that may help. Tools that the
        server refuses are said at once, and the request goes out without them."""
        if not self.model:
            raise ModelRejected(
                template="{provider}: no model is named", hint="set {provider}.model", provider=self._name
            )
        attempt = 0
        while True:
            spoke = False
            try:
                async with aclosing(self._attempt(request)) as events:
                    async for event in events:
                        spoke = spoke or isinstance(event, TextDelta | ReasoningDelta)
                        yield event
                return
            except _LearntError:
                continue
            except _NoToolsError as refused:
                request = without_tools(request)
                yield ToolsRefused(str(refused))
                continue
            except _BlankError:
                request = replace(request, json_object=False)  # some put blanks in the place of what is no JSON
                continue
            except _AttemptError as failed:
                wait = None
                if failed.headers is not None and not spoke and attempt < MAX_RETRIES:
                    wait = wait_s(attempt, failed.headers, self._clock.now())
                if wait is None:
                    raise failed.error from failed.error.__cause__
                attempt += 1
            if wait >= WAITING_EVERY_S:
                yield ServerWaiting("queued")
            await self._sleep(wait)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _attempt(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """One request and its answer. Raises _AttemptError, or a ModelError that no other attempt changes."""
        started = self._clock.monotonic()
        client = await self._client.opened()
        body = self._shape.body(self.model, request)
        url = endpoint(self._settings.base_url, "chat/completions")
        reply = self._reply_to(request)
        try:
            async with client.stream("POST", url, json=body) as response:
                if response.status_code != httpx.codes.OK:
                    raise await self._refusal(response, body)
                pieces = self._pieces(response, reply, started)
                async with aclosing(pieces), aclosing(self._read(pieces, reply)) as events:
                    async for event in events:
                        yield event
        except httpx.HTTPError as error:
            if not reply.is_complete:
                failure = transport_error(self._name, error, self._settings.base_url)
                failure.__cause__ = error
                raise _AttemptError(failure, {}) from error
        except ModelUnavailable as error:
            if not reply.has_begun and self._shape.refuses_tools(str(error.fields.get("detail", "")), body):
                raise _NoToolsError(error.fields["detail"]) from error
            raise _AttemptError(error, {}) from error
        self._shape.answered(reply.reasoning_name)
        try:
            for event in reply.end():
                yield event
        except ModelUnavailable as error:
            raise _AttemptError(error, {}) from error
        except BadModelReply as error:
            if reply.is_blank and request.json_object:
                raise _BlankError from error
            raise

    def _reply_to(self, request: ChatRequest) -> ReplyReader:
        tools = [each.name for each in request.tools]
        return ReplyReader(
            self._name, self._client.api_key, tools, [call.id for each in request.messages for call in each.calls]
        )

    async def _read(self, pieces: AsyncGenerator[bytes, None], reply: ReplyReader) -> AsyncGenerator[ModelEvent, None]:
        """The events in a body, and word of how long nothing comes."""
        reported_s = self._clock.monotonic()
        async for piece in pieces:
            for event in reply.feed(piece):
                yield event
            if not reply.has_begun and self._clock.monotonic() - reported_s >= WAITING_EVERY_S:
                reported_s = self._clock.monotonic()
                yield ServerWaiting("queued")

    async def _pieces(
        self, response: httpx.Response, reply: ReplyReader, started: float
    ) -> AsyncGenerator[bytes, None]:
        """The body as it comes; keep-alives do not put off the time by which the first token must be there.

        Behind `[DONE]` a body is read to its end, which keeps the connection for the next request, but not waited for.
        """
        body = response.aiter_bytes()
        behind = 0
        while behind < MAX_PIECES_BEHIND:
            behind += reply.is_done
            left: float | None = None
            if reply.is_done:
                left = CLOSING_TIMEOUT_S
            elif not reply.has_begun:
                left = max(0.0, self._first_token_timeout_s - (self._clock.monotonic() - started))
            try:
                async with asyncio.timeout(left):
                    piece = await anext(body, None)
            except TimeoutError as error:
                if reply.is_done:
                    return
                failure = ModelUnavailable(
                    template="{provider}: no answer began within {seconds:g} s", hint="try again, or another model",
                    provider=self._name, seconds=self._first_token_timeout_s,
                )  # fmt: skip
                raise _AttemptError(failure, None) from error
            if piece is None:
                return
            yield piece

    async def _refusal(self, response: httpx.Response, sent: dict[str, object]) -> Exception:
        """The error for a status that is not 200; what a server would not take is left out the next time."""
        body = b""
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > MAX_ERROR_BYTES:
                break
        error = error_for(self._name, response, body, self._client.api_key)
        detail = str(error.fields["detail"])
        if not isinstance(error, ContextTooLong):
            about_tools, about_fields = response.status_code in ABOUT_TOOLS, response.status_code in (400, 422)
            if about_tools and self._shape.refuses_tools(detail, sent):
                return _NoToolsError(detail)
            if about_tools and self._shape.learn_messages(detail, sent):
                return _LearntError()
            if about_fields and self._shape.learn(detail, sent):
                return _LearntError()
        may_retry = is_worthwhile(isinstance(error, ModelUnavailable), response.headers)
        return _AttemptError(error, response.headers if may_retry else None)


class _AttemptError(Exception):
    """An attempt failed. `headers` say when to try again; None where that will not help."""

    def __init__(self, error: ModelError, headers: Mapping[str, str] | None) -> None:
        super().__init__(str(error))
        self.error = error
        self.headers = headers


class _BlankError(Exception):
    """The server was asked for JSON and said nothing."""


class _LearntError(Exception):
    """The server refused a field that it will not be sent again."""


class _NoToolsError(Exception):
    """The server takes no tools; the text is its refusal."""


SILENCE_S = 5.0
MOST_MODELS = 1000
MOST_CHARS = 200
LEAST_KEY_CHARS = 8
"""A shorter one is no key, but a word that a server on this machine wants, and names of models may hold it."""
MAX_ANSWER_BYTES = 8 * 1_048_576


async def list_models(name: str, provider: ProviderSettings, api_key: str | None) -> list[str]:
    """The models' names, in their order, without keys. Raises ModelError."""
    client = make_client(name, provider.base_url, api_key, SILENCE_S)
    async with client:
        try:
            async with client.stream("GET", endpoint(provider.base_url, "models")) as response:
                content = b""
                async for piece in response.aiter_bytes():
                    content += piece
                    if len(content) > MAX_ANSWER_BYTES:
                        raise _unreadable(name)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise transport_error(name, error, provider.base_url) from error
    if response.status_code != httpx.codes.OK:
        raise error_for(name, response, content, api_key)
    return _names(name, content, api_key)


def _names(name: str, content: bytes, api_key: str | None) -> list[str]:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _unreadable(name) from error
    rows = body.get("data") if isinstance(body, dict) else None
    if not isinstance(rows, list):
        raise _unreadable(name)
    names = (row.get("id") for row in rows if isinstance(row, dict))
    key = api_key if api_key and len(api_key) >= LEAST_KEY_CHARS else None
    known = {redacted(each, key) for each in names if isinstance(each, str) and 0 < len(each) <= MOST_CHARS}
    return sorted(known)[:MOST_MODELS]


def _unreadable(name: str) -> BadModelReply:
    return BadModelReply(
        template="{provider}: its list of models can not be read", hint="type the model's name", provider=name
    )
