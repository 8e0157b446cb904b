"""One address of a server that takes JSON and answers in one piece: sent to safely, refused in plain sentences."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx

from orca_core.llm.http.client import endpoint, make_client
from orca_core.llm.http.failures import error_for, transport_error
from orca_core.model.errors import BadModelReply, ContextTooLong, ModelError
from orca_core.settings import ProviderSettings

WHOLE_TIMEOUT_S = 600.0
"""Chosen by hand."""
_BATCH_LIMIT = re.compile(r"batch size (?:(?:of )?\d+ (?:>|exceeds)|is invalid)|maximum allowed batch", re.IGNORECASE)
"""How servers name the most texts of one request; others name the length of one text, in other words."""
_TOO_LARGE = ("too large", "too long", "less than", "maximum", "exceed", "batch size", "input length")


class JsonEndpoint:
    """A path below a provider's address. Its client is made when it is first asked."""

    def __init__(
        self, name: str, provider: ProviderSettings, path: str, api_key: str | None, *, max_answer_bytes: int
    ) -> None:
        self._name = name
        self._provider = provider
        self._path = path
        self._api_key = api_key
        self._max_answer_bytes = max_answer_bytes
        self._client: httpx.AsyncClient | None = None

    async def ask(self, body: dict[str, Any]) -> tuple[httpx.Response, bytes]:
        """The answer and its body, whatever its status. A connection that was closed while it lay idle is opened again,
        once. Raises ModelError."""
        try:
            if self._client is None:
                self._client = make_client(self._name, self._provider.base_url, self._api_key, self._provider.timeout)
            async with asyncio.timeout(WHOLE_TIMEOUT_S):
                try:
                    return await self._post(self._client, body)
                except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                    return await self._post(self._client, body)
        except TimeoutError as error:
            late = httpx.ReadTimeout("the answer came too slowly")
            raise transport_error(self._name, late, self._provider.base_url) from error
        except httpx.HTTPError as error:
            raise transport_error(self._name, error, self._provider.base_url) from error

    def refusal(self, response: httpx.Response, content: bytes) -> ModelError:
        """What a response that is no answer says."""
        return error_for(self._name, response, content, self._api_key)

    async def aclose(self) -> None:
        if self._client is not None:
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
