"""Which models a server offers, so that nobody needs to know their names by heart."""

from __future__ import annotations

import json

import httpx

from orca_core.llm.http.client import endpoint, make_client
from orca_core.llm.http.failures import error_for, redacted, transport_error
from orca_core.model.errors import BadModelReply
from orca_core.settings import ProviderSettings

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
