"""HTTP to a provider: its client, an address that takes JSON, and what a refusal says, in plain sentences."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any, TypedDict
from urllib.parse import urlsplit, urlunsplit

import httpx

from orca_core.config.config_values import is_near
from orca_core.model.errors import (
    BadModelReply,
    ConfigError,
    ContextTooLong,
    ModelError,
    ModelRejected,
    ModelUnavailable,
)
from orca_core.owned_tasks import log_failure
from orca_core.settings import ProviderSettings

CONNECT_TIMEOUT_S = 10.0


def make_client(provider: str, base_url: str, api_key: str | None, silence_s: float) -> httpx.AsyncClient:
    """A client for one server. Raises ModelRejected where the address, the key, a proxy or a certificate forbids it.

    A proxy of the environment is not for this machine, nor for a private network.
    """
    try:
        httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise ModelRejected(
            template="{provider}: no connection can be made ({detail})", hint="check {provider}.base_url",
            provider=provider, detail=str(error),
        ) from error  # fmt: skip
    timeout = httpx.Timeout(silence_s, connect=CONNECT_TIMEOUT_S, pool=CONNECT_TIMEOUT_S)
    try:
        return httpx.AsyncClient(
            headers=_headers(provider, api_key),
            timeout=timeout,
            follow_redirects=False,
            trust_env=not is_near(base_url),
        )
    except (ValueError, ImportError, OSError, httpx.HTTPError, httpx.InvalidURL) as error:
        raise ModelRejected(
            template="{provider}: no connection can be made ({detail})",
            hint="check the proxy and certificate variables of the environment (ALL_PROXY, HTTP_PROXY, SSL_CERT_FILE)",
            provider=provider,
            detail=str(error)[:200],
        ) from error


Key = str | Callable[[], str | None] | None
"""A provider's key, none, or what runs the command that prints it."""


class ProviderClient:
    """The HTTP client of one provider, made when it is first asked for. A command that prints its key is run then,
    once, off the event loop."""

    def __init__(self, name: str, provider: ProviderSettings, key: Key) -> None:
        self.name = name
        self.provider = provider
        self.api_key = None if callable(key) else key
        self._find_key = key if callable(key) else None
        self._finding: asyncio.Task[str | None] | None = None
        self._client: httpx.AsyncClient | None = None

    async def opened(self) -> httpx.AsyncClient:
        """Return the client. Raises ModelRejected, and ModelUnavailable where the command gives no key: it is run again
        the next time."""
        if self._find_key is not None:
            self.api_key = await self._found(self._find_key)
            self._find_key = None
        if self._client is None:
            provider = self.provider
            self._client = make_client(self.name, provider.base_url, self.api_key, provider.timeout)
        return self._client

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def _found(self, find_key: Callable[[], str | None]) -> str | None:
        """Whoever gives up waiting leaves the command to the next one."""
        if self._finding is None:
            self._finding = asyncio.create_task(asyncio.to_thread(find_key))
            self._finding.add_done_callback(log_failure)
        finding = self._finding
        try:
            return await asyncio.shield(finding)
        except ConfigError as error:
            if self._finding is finding:
                self._finding = None
            raise ModelUnavailable(
                template=error.sentence_template, hint=error.way_out_template, **error.fields
            ) from error


def endpoint(base_url: str, path: str) -> str:
    """`…/v1` and a path below it; a pasted `/chat/completions` is taken off first."""
    base = base_url.rstrip("/")
    for pasted in ("/chat/completions", "/embeddings", "/rerank"):
        base = base.removesuffix(pasted)
    return f"{base}/{path}"


def _headers(provider: str, api_key: str | None) -> dict[str, str]:
    key = (api_key or "").strip()
    if not key:
        return {}
    if not key.isascii() or any(character.isspace() or not character.isprintable() for character in key):
        raise ModelRejected(
            template="{provider}: the key holds characters that no key has",
            hint="copy {provider}.api_key again, without blanks or line ends",
            provider=provider,
        )
    return {"Authorization": f"Bearer {key}"}


_PLAUSIBLE_LIMITS = range(128, 100_000_000)
_PLAUSIBLE_COUNTS = range(1, 100_000_000)
_N = r"(\d[\d,]{0,11})"

_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|available context size"
    r"|context size has been exceeded|max_seq_len|\b1261\b|prompt 超长|exceeds? (?:the )?context (?:limit|window)"
    r"|model'?s context length|ContextWindowExceeded|input is too long|too many tokens|context length of only"
    r"|prompt is too long|exceeds the context length|exceeded max context length|n_keep \(\d+\) >= n_ctx"
    r"|model token limit|max length exceeded|maximum (?:prompt|model|input) length|maximum number of tokens allowed"
    r"|range of input length should be|exceed the configured limit",
    re.IGNORECASE,
)

_LIMITS = (
    rf"context length (?:is|of) (?:only )?{_N}",  # OpenAI, DeepSeek, vLLM, LM Studio
    rf"available context size \({_N}",  # llama.cpp
    rf"n_ctx[\"']?\s*[:=(]\s*\(?{_N}",  # llama.cpp, LM Studio
    rf"max_seq_len\s*[:=(]?\s*\(?{_N}",  # SiliconFlow
    rf"context (?:window|size)(?: of| is|:)? \(?{_N}",  # llama-cpp-python
    rf"model'?s context length \({_N}",  # SGLang
    rf"> {_N} maximum",  # Anthropic
    rf"context limit: \d+ \+ \d+ > {_N}",
    rf"{_N} maximum context length",  # Mistral
    rf"maximum number of tokens allowed \({_N}",  # Gemini
    rf"model token limit:? {_N}",  # Moonshot
    rf"max length: ?{_N}",
    rf"maximum (?:prompt|model|input) length (?:is|of) {_N}",  # xAI, vLLM
    rf"input length should be \[\d+, ?{_N}\]",  # DashScope
    rf"configured limit of {_N}",  # OpenAI
)
_PROMPTS = (
    rf"n_prompt_tokens[\"']?\s*[:=]\s*{_N}",  # llama.cpp
    rf"\({_N} (?:in (?:the messages|your prompt)|of text input)",  # OpenAI, vLLM, OpenRouter
    rf"resulted in {_N} tokens",
    rf"(?:request has|you passed|contains) {_N} (?:input )?tokens",  # vLLM, Mistral, xAI
    rf"{_N} tokens from the input messages",  # SGLang
    rf"(?:request|input|prompt) \((?:length )?{_N}",  # llama.cpp, SGLang, vLLM
    rf"prompt is too long: {_N}",  # Anthropic
    rf"(?:prompt_tokens|requested tokens|token count|n_keep) \({_N}",  # SiliconFlow, Gemini, LM Studio
    rf"keep the first {_N} tokens",  # LM Studio
)
_ANSWERS = (
    rf"{_N} (?:in the completion|for +the completion|in the output|output tokens)",
    rf"{_N} tokens for the completion",
)


class Overflow(TypedDict):
    """What a refusal says; None where it does not."""

    limit: int | None
    prompt_tokens: int | None
    answer_tokens: int | None


def is_overflow(signs: str) -> bool:
    """Whether an error is about a prompt that is too long."""
    return _TOO_LONG.search(signs) is not None


def overflow_in(text: str) -> Overflow:
    """The numbers in such an error, whole as it came: JSON, or a sentence."""
    return Overflow(
        limit=_first(_LIMITS, text, _PLAUSIBLE_LIMITS),
        prompt_tokens=_first(_PROMPTS, text, _PLAUSIBLE_COUNTS),
        answer_tokens=_first(_ANSWERS, text, _PLAUSIBLE_COUNTS),
    )


def _first(patterns: tuple[str, ...], text: str, plausible: range) -> int | None:
    for pattern in patterns:
        for found in re.finditer(pattern, text, re.IGNORECASE):
            number = int(found[1].replace(",", ""))
            if number in plausible:
                return number
    return None


MAX_DETAIL_CHARS = 300
MAX_READ_CHARS = 20_000
MAX_NESTING = 5
TOO_MANY_REQUESTS = 429
_RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_ABOUT_THE_REQUEST = frozenset({400, 404, 422})
_NO_MONEY = re.compile(
    r"insufficient[ _](?:quota|balance)|exceeded your current quota|余额|欠费|\b1113\b|billing", re.I
)
_NO_KEY = re.compile(
    # LiteLLM without a database says the first of these of any key but its own.
    r"no connected db|invalid_api_key|(?:incorrect|invalid|missing) api[ _-]?key"
    r"|api[ _-]?key (?:is )?(?:not valid|invalid)",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model.{0,60}(?:not (?:found|exist)|does not exist|unknown|no such)|no such model|invalid model name|模型不存在"
    r"|\b20012\b",
    re.I,
)
_TITLE = re.compile(r"<title[^>]*>([^<]{1,120})", re.IGNORECASE)
_SECRET = re.compile(r"\b((?:sk|pk|rk|key)[-_]|Bearer )(?=\S*\d)[\w.+/=-]{6,}")


def error_for(provider: str, response: httpx.Response, body: bytes, api_key: str | None) -> ModelError:
    """What a response that is no answer says."""
    status = response.status_code
    text = redacted(body[: 4 * MAX_READ_CHARS].decode("utf-8", "replace")[:MAX_READ_CHARS].strip(), api_key)
    detail = _detail(text, status)
    signs = f"{detail} {' '.join(_codes(_as_json(text)))}"
    fields: dict[str, Any] = {"provider": provider, "status": status, "detail": detail}
    if status != TOO_MANY_REQUESTS and is_overflow(signs):
        return ContextTooLong(**overflow_in(text), **fields)
    if status == 401 or _NO_KEY.search(signs):
        return _bad_key(**fields)
    if status == 402 or _NO_MONEY.search(signs):
        return ModelRejected(
            template="{provider}: the account has no balance ({detail})", hint="top it up, or use another provider",
            **fields,
        )  # fmt: skip
    if status == 403:
        return ModelRejected(
            template="{provider}: access was refused ({detail})",
            hint="check the account's balance and permissions", **fields,
        )  # fmt: skip
    if status in _ABOUT_THE_REQUEST and _NO_MODEL.search(signs):
        return ModelRejected(
            template="{provider}: the server does not know this model ({detail})",
            hint="set {provider}.model to one that it offers", **fields,
        )  # fmt: skip
    if status == 404:
        return ModelRejected(
            template="{provider}: there is no chat at this address ({detail})",
            hint="check {provider}.base_url; many servers want it to end in /v1", **fields,
        )  # fmt: skip
    if status in _RETRYABLE:
        return ModelUnavailable(
            template="{provider}: the server can not answer just now ({status}: {detail})", hint="try again in a while",
            **fields,
        )  # fmt: skip
    return ModelRejected(template="{provider}: the server refused the request ({status}: {detail})", **fields)


def error_in_stream(provider: str, detail: str, api_key: str | None, whole: str = "") -> ModelError:
    """An error that came in the place of a piece of the answer; `whole` is all that it says."""
    said = redacted(detail, api_key)[:MAX_DETAIL_CHARS]
    signs = f"{detail} {whole}"[:MAX_READ_CHARS]
    if is_overflow(signs):
        return ContextTooLong(**overflow_in(whole or detail), provider=provider, detail=said)
    if _NO_KEY.search(signs):
        return _bad_key(provider=provider, detail=said)
    if _NO_MONEY.search(said):
        return ModelRejected(
            template="{provider}: the account has no balance ({detail})", hint="top it up, or use another provider",
            provider=provider, detail=said,
        )  # fmt: skip
    return ModelUnavailable(
        template="{provider}: the server broke off with an error: {detail}",
        hint="try again",
        provider=provider,
        detail=said,
    )


def _bad_key(**fields: object) -> ModelRejected:
    return ModelRejected(
        template="{provider}: the key was not accepted ({detail})", hint="check {provider}.api_key", **fields
    )


def transport_error(provider: str, error: Exception, base_url: str) -> ModelUnavailable:
    """A connection that failed."""
    fields: dict[str, Any] = {"provider": provider, "base_url": _shown_address(base_url)}
    match error:
        case httpx.ConnectTimeout():
            return ModelUnavailable(
                template="{provider}: no connection to {base_url} in time", hint="check the network", **fields
            )
        case httpx.ConnectError():
            return ModelUnavailable(
                template="{provider}: no connection to {base_url} ({detail})",
                hint="check the address and that the server runs",
                detail=str(error)[:MAX_DETAIL_CHARS] or type(error).__name__, **fields,
            )  # fmt: skip
        case httpx.ReadTimeout():
            return ModelUnavailable(
                template="{provider}: the server fell silent",
                hint="try again, or set a longer {provider}.timeout",
                **fields,
            )
    return ModelUnavailable(
        template="{provider}: the connection broke ({detail})", hint="try again",
        detail=str(error)[:MAX_DETAIL_CHARS] or type(error).__name__, **fields,
    )  # fmt: skip


def error_text(error: object, depth: int = 0) -> str:
    """The sentence in an error, in whatever shape it comes, with the place that it names."""
    if depth >= MAX_NESTING:
        return ""
    if isinstance(error, dict):
        for key in ("message", "msg", "detail", "error"):
            if error.get(key):
                return _placed(error_text(error[key], depth + 1), error)
        return json.dumps(error, ensure_ascii=False)[:MAX_DETAIL_CHARS]
    if isinstance(error, list):
        return "; ".join(error_text(each, depth + 1) for each in error[:3])
    return str(error)


def redacted(text: str, api_key: str | None) -> str:
    """A text without keys: neither ours nor anything that looks like one."""
    if api_key and len(api_key) >= 4:
        text = text.replace(api_key, f"…{api_key[-4:]}")
    return _SECRET.sub(lambda match: f"{match[1]}…{match[0][-4:]}", text)


def _detail(text: str, status: int) -> str:
    """The sentence in an error's body: JSON of any shape, HTML, or text."""
    if text.startswith("<"):
        title = _TITLE.search(text)
        return f"a web page{f': {title[1].strip()}' if title else ''} (gateway error {status})"
    value = _as_json(text)
    if value is None:
        value = text
    elif isinstance(value, dict):
        value = value.get("error") or value.get("message") or value.get("detail") or value
    return " ".join(error_text(value).split())[:MAX_DETAIL_CHARS] or f"status {status}"


def _as_json(text: str) -> Any:
    """The value that a text holds; None where it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _codes(value: object) -> list[str]:
    """What a machine is told of an error: `code` and `type`, of the answer and of the error in it."""
    if not isinstance(value, dict):
        return []
    inner = value.get("error")
    parts = (value, inner) if isinstance(inner, dict) else (value,)
    return [str(part[key]) for part in parts for key in ("code", "type") if isinstance(part.get(key), str | int)]


def _placed(sentence: str, error: dict[str, Any]) -> str:
    """The sentence with the field that it is about, where it does not name it itself."""
    loc = error.get("loc")
    place = ".".join(str(step) for step in loc) if isinstance(loc, list) else error.get("param")
    return f"{place}: {sentence}" if isinstance(place, str) and place and place not in sentence else sentence


def _shown_address(base_url: str) -> str:
    """An address without what may be a secret in it: a user, a query."""
    parts = urlsplit(base_url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


WHOLE_TIMEOUT_S = 600.0
"""Chosen by hand."""
_BATCH_LIMIT = re.compile(r"batch size (?:(?:of )?\d+ (?:>|exceeds)|is invalid)|maximum allowed batch", re.IGNORECASE)
"""How servers name the most texts of one request; others name the length of one text, in other words."""
_TOO_LARGE = ("too large", "too long", "less than", "maximum", "exceed", "batch size", "input length")


class JsonEndpoint:
    """A path below a provider's address."""

    def __init__(self, name: str, provider: ProviderSettings, path: str, key: Key, *, max_answer_bytes: int) -> None:
        self._name = name
        self._provider = provider
        self._path = path
        self._max_answer_bytes = max_answer_bytes
        self._client = ProviderClient(name, provider, key)

    @property
    def api_key(self) -> str | None:
        return self._client.api_key

    async def ask(self, body: dict[str, Any]) -> tuple[httpx.Response, bytes]:
        """The answer and its body, whatever its status. A connection that was closed while it lay idle is opened again,
        once. Raises ModelError."""
        client = await self._client.opened()
        try:
            async with asyncio.timeout(WHOLE_TIMEOUT_S):
                try:
                    return await self._post(client, body)
                except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                    return await self._post(client, body)
        except TimeoutError as error:
            late = httpx.ReadTimeout("the answer came too slowly")
            raise transport_error(self._name, late, self._provider.base_url) from error
        except httpx.HTTPError as error:
            raise transport_error(self._name, error, self._provider.base_url) from error

    def refusal(self, response: httpx.Response, content: bytes) -> ModelError:
        """What a response that is no answer says."""
        return error_for(self._name, response, content, self.api_key)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _post(self, client: httpx.AsyncClient, body: dict[str, Any]) -> tuple[httpx.Response, bytes]:
        content = bytearray()
        async with client.stream("POST", endpoint(self._provider.base_url, self._path), json=body) as response:
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > self._max_answer_bytes:
                    megabytes = self._max_answer_bytes // 1_048_576
                    raise BadModelReply(provider=self._name, detail=f"its answer is longer than {megabytes} MB")
        return response, bytes(content)


def is_too_large(refusal: ModelError) -> bool:
    """Whether a server refuses the request for its length, or for how many texts it holds."""
    status = refusal.fields.get("status")
    told = str(refusal.fields.get("detail", "")).lower()
    return (
        status == 413
        or isinstance(refusal, ContextTooLong)
        or (status in (400, 422, 500) and any(sign in told for sign in _TOO_LARGE))
    )


def names_batch_limit(refusal: ModelError) -> bool:
    """Whether it is the number of texts that is too large."""
    return bool(_BATCH_LIMIT.search(str(refusal.fields.get("detail", ""))))
