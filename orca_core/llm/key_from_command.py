"""A model, an embedder or a reranker whose key comes from a command: it runs once, on first use, off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Generic, TypeVar

from orca_core.model.errors import ConfigError, EmbeddingError, ModelRejected, RerankError
from orca_core.model.llm import ChatModel, ChatRequest, Embedder, ModelEvent, Reranker, Vector
from orca_core.owned_tasks import log_failure

Adapter = TypeVar("Adapter", ChatModel, Embedder, Reranker)
FindKey = Callable[[], str | None]


class _Keyed(Generic[Adapter]):
    """The adapter as it is without a key, for what needs none, and the one with it."""

    def __init__(self, find_key: FindKey, make: Callable[[str | None], Adapter]) -> None:
        self._find_key = find_key
        self._make: Callable[[str | None], Adapter] = make
        self._shown: Adapter = make(None)
        self._made: Adapter | None = None
        self._finding: asyncio.Task[str | None] | None = None

    @property
    def model(self) -> str:
        return self._shown.model

    async def _ready(self) -> Adapter:
        """Whoever gives up waiting leaves the command to the next one. Raises ConfigError; then it is run again."""
        if self._made is not None:
            return self._made
        if self._finding is None:
            self._finding = asyncio.create_task(asyncio.to_thread(self._find_key))
            self._finding.add_done_callback(log_failure)
        finding = self._finding
        try:
            key = await asyncio.shield(finding)
        except ConfigError:
            if self._finding is finding:
                self._finding = None
            raise
        self._made = self._made or self._make(key)
        return self._made

    async def aclose(self) -> None:
        for each in (self._shown, self._made):
            if each is not None:
                await each.aclose()


class KeyedModel(_Keyed[ChatModel]):
    """A chat model; a command that gives no key is a model that can't be asked."""

    @property
    def provider(self) -> str:
        return self._shown.provider

    @property
    def endpoint(self) -> str:
        return self._shown.endpoint

    @property
    def is_demo(self) -> bool:
        return self._shown.is_demo

    @property
    def context_tokens(self) -> int:
        return self._shown.context_tokens

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        try:
            model = await self._ready()
        except ConfigError as error:
            raise ModelRejected(
                template=error.sentence_template, hint=error.way_out_template, **error.fields
            ) from error
        async with aclosing(model.stream(request)) as events:
            async for event in events:
                yield event


class KeyedEmbedder(_Keyed[Embedder]):
    """An embedder; a command that gives no key is one that may be asked again."""

    @property
    def dimensions(self) -> int:
        return self._shown.dimensions

    @property
    def trust(self) -> float:
        return self._shown.trust

    @property
    def uncached(self) -> Embedder:
        return self

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        try:
            embedder = await self._ready()
        except ConfigError as error:
            raise EmbeddingError(template="{reason}", reason=str(error)) from error
        return await embedder.embed(texts)


class KeyedReranker(_Keyed[Reranker]):
    """A reranker; a command that gives no key is one that may be asked again."""

    @property
    def dialect(self) -> str:
        return (self._made or self._shown).dialect

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        try:
            reranker = await self._ready()
        except ConfigError as error:
            raise RerankError(code="refused", template="{reason}", reason=str(error)) from error
        return await reranker.rank(query, texts)
