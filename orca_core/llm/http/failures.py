"""A server's refusal in a plain sentence, and whether asking again may help."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx

from orca_core.llm.http.overflow import is_overflow, overflow_in
from orca_core.model.errors import ContextTooLong, ModelError, ModelRejected, ModelUnavailable

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
