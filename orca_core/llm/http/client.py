"""An HTTP client that is made once, and the sentences for what can not even be sent."""

from __future__ import annotations

import httpx

from orca_core.config.values import is_near
from orca_core.model.errors import ModelRejected

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
