"""Embedders that misbehave, each in one way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import EmbeddingError
from orca_core.model.llm import Vector


class FailingEmbedder(LocalEmbedder):
    """Fails while `fails` is set; counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = True
        self.calls = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += 1
        if self.fails:
            raise EmbeddingError(provider="failing", detail="the server is down")
        return await super().embed(texts)


class SilentEmbedder(LocalEmbedder):
    """Never answers."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        await asyncio.sleep(3600)
        return await super().embed(texts)
