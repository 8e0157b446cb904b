"""A server's refusal in a plain sentence, and whether asking again may help."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx

from orca_core.domain.errors import ContextTooLong, ModelError, ModelRejected, ModelUnavailable

MAX_DETAIL_CHARS = 300
_RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_NO_MONEY = re.compile(
    r"insufficient[ _](?:quota|balance)|exceeded your current quota|余额|欠费|\b1113\b|billing", re.I
)
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|exceeds the available context size"
    r"|context size has been exceeded|max_seq_len|\b1261\b|prompt 超长|exceed context limit"
    r"|longer than the model'?s context length|ContextWindowExceeded|input is too long|too many tokens",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model.{0,60}(?:not (?:found|exist)|does not exist|unknown|no such)|no such model|模型不存在|\b20012\b", re.I
)
_TITLE = re.compile(r"<title[^>]*>([^<]{1,120})", re.IGNORECASE)
_SECRET = re.compile(r"\b(sk|pk|key|Bearer)([-_ ])[A-Za-z0-9_.-]{6,}")


def error_for(provider: str, response: httpx.Response, body: bytes, api_key: str | None) -> ModelError:
    """What a response that is no answer says."""
    status = response.status_code
    detail = redacted(detail_of(body, status), api_key)
    fields: dict[str, Any] = {"provider": provider, "status": status, "detail": detail}
    if _TOO_LONG.search(detail):
        return ContextTooLong(**fields)
    if status == 401:
        return ModelRejected(
            template="{provider}: the key was not accepted ({detail})", hint="check {provider}.api_key", **fields
        )
    if status == 402 or _NO_MONEY.search(detail):
        return ModelRejected(
            template="{provider}: the account has no balance ({detail})", hint="top it up, or use another provider",
            **fields,
        )  # fmt: skip
    if status == 403:
        return ModelRejected(
            template="{provider}: access was refused ({detail})",
            hint="check the account's balance and permissions", **fields,
        )  # fmt: skip
    if status == 404:
        return _not_found(fields)
    if status in _RETRYABLE:
        return ModelUnavailable(
            template="{provider}: the server can not answer just now ({status}: {detail})", hint="try again in a while",
            **fields,
        )  # fmt: skip
    return ModelRejected(template="{provider}: the server refused the request ({status}: {detail})", **fields)


def error_in_stream(provider: str, detail: str, api_key: str | None) -> ModelError:
    """An error that came in the place of a piece of the answer."""
    said = redacted(detail[:MAX_DETAIL_CHARS], api_key)
    if _TOO_LONG.search(said):
        return ContextTooLong(provider=provider, detail=said)
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


def transport_error(provider: str, error: Exception, base_url: str) -> ModelUnavailable:
    """A connection that failed."""
    fields: dict[str, Any] = {"provider": provider, "base_url": base_url}
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


def detail_of(body: bytes, status: int) -> str:
    """The sentence in an error's body: JSON of any shape, HTML, or text."""
    text = body[:20_000].decode("utf-8", "replace").strip()
    if text.startswith("<"):
        title = _TITLE.search(text)
        return f"a web page{f': {title[1].strip()}' if title else ''} (gateway error {status})"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(text.split())[:MAX_DETAIL_CHARS] or f"status {status}"
    if isinstance(value, dict):
        value = value.get("error") or value.get("message") or value.get("detail") or value
    return " ".join(error_text(value).split())[:MAX_DETAIL_CHARS] or f"status {status}"


def error_text(error: object) -> str:
    """The sentence in an error, in whatever shape it comes."""
    if isinstance(error, dict):
        for key in ("message", "msg", "detail", "error"):
            if error.get(key):
                return error_text(error[key])
        return json.dumps(error, ensure_ascii=False)[:300]
    if isinstance(error, list):
        return "; ".join(error_text(each) for each in error[:3])
    return str(error)


def redacted(text: str, api_key: str | None) -> str:
    """A text without keys: neither ours nor anything that looks like one."""
    if api_key and len(api_key) >= 4:
        text = text.replace(api_key, f"…{api_key[-4:]}")
    return _SECRET.sub(lambda match: f"{match[1]}{match[2]}…{match[0][-4:]}", text)


def _not_found(fields: dict[str, Any]) -> ModelRejected:
    if _NO_MODEL.search(str(fields["detail"])):
        return ModelRejected(
            template="{provider}: the server does not know this model ({detail})",
            hint="set {provider}.model to one that it offers", **fields,
        )  # fmt: skip
    return ModelRejected(
        template="{provider}: there is no chat at this address ({detail})",
        hint="check {provider}.base_url; many servers want it to end in /v1", **fields,
    )  # fmt: skip
