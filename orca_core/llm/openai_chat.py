"""A chat model behind an OpenAI-compatible API, streamed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing

import httpx
from msgspec.structs import replace

from orca_core.llm import retries
from orca_core.llm.http import failures
from orca_core.llm.http.client import endpoint, make_client
from orca_core.llm.reply import Reply
from orca_core.llm.requests import RequestShape, without_tools
from orca_core.model.errors import BadModelReply, ContextTooLong, ModelError, ModelRejected, ModelUnavailable
from orca_core.model.llm import (
    ChatRequest,
    Clock,
    ModelEvent,
    ReasoningDelta,
    TextDelta,
    ToolsRefused,
    Waiting,
)
from orca_core.settings import ProviderSettings

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
        api_key: str | None,
        clock: Clock,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        first_token_timeout_s: float = FIRST_TOKEN_TIMEOUT_S,
    ) -> None:
        self._name = name
        self._settings = settings
        self._api_key = api_key
        self._clock = clock
        self._sleep = sleep
        self._first_token_timeout_s = first_token_timeout_s
        self._shape = RequestShape(settings.extra_body)
        self._client: httpx.AsyncClient | None = None

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
                if failed.headers is not None and not spoke and attempt < retries.MAX_RETRIES:
                    wait = retries.wait_s(attempt, failed.headers, self._clock.now())
                if wait is None:
                    raise failed.error from failed.error.__cause__
                attempt += 1
            if wait >= WAITING_EVERY_S:
                yield Waiting("queued")
            await self._sleep(wait)

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def _attempt(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """One request and its answer. Raises _AttemptError, or a ModelError that no other attempt changes."""
        started = self._clock.monotonic()
        if self._client is None:
            self._client = make_client(self._name, self._settings.base_url, self._api_key, self._settings.timeout)
        body = self._shape.body(self.model, request)
        url = endpoint(self._settings.base_url, "chat/completions")
        reply = self._reply_to(request)
        try:
            async with self._client.stream("POST", url, json=body) as response:
                if response.status_code != httpx.codes.OK:
                    raise await self._refusal(response, body)
                pieces = self._pieces(response, reply, started)
                async with aclosing(pieces), aclosing(self._read(pieces, reply)) as events:
                    async for event in events:
                        yield event
        except httpx.HTTPError as error:
            if not reply.is_complete:
                failure = failures.transport_error(self._name, error, self._settings.base_url)
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

    def _reply_to(self, request: ChatRequest) -> Reply:
        tools = [each.name for each in request.tools]
        return Reply(self._name, self._api_key, tools, [call.id for each in request.messages for call in each.calls])

    async def _read(self, pieces: AsyncGenerator[bytes, None], reply: Reply) -> AsyncGenerator[ModelEvent, None]:
        """The events in a body, and word of how long nothing comes."""
        reported_s = self._clock.monotonic()
        async for piece in pieces:
            for event in reply.feed(piece):
                yield event
            if not reply.has_begun and self._clock.monotonic() - reported_s >= WAITING_EVERY_S:
                reported_s = self._clock.monotonic()
                yield Waiting("queued")

    async def _pieces(self, response: httpx.Response, reply: Reply, started: float) -> AsyncGenerator[bytes, None]:
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
        error = failures.error_for(self._name, response, body, self._api_key)
        detail = str(error.fields["detail"])
        if not isinstance(error, ContextTooLong):
            about_tools, about_fields = response.status_code in ABOUT_TOOLS, response.status_code in (400, 422)
            if about_tools and self._shape.refuses_tools(detail, sent):
                return _NoToolsError(detail)
            if about_tools and self._shape.learn_messages(detail, sent):
                return _LearntError()
            if about_fields and self._shape.learn(detail, sent):
                return _LearntError()
        may_retry = retries.is_worthwhile(isinstance(error, ModelUnavailable), response.headers)
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
