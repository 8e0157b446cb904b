"""Rerankers that do what a test says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from orca_core.model.errors import RerankError

Ranks = Callable[[Sequence[str]], list[int]]


def reversed_order(texts: Sequence[str]) -> list[int]:
    return [*range(len(texts))][::-1]


class ScriptedReranker:
    """Ranks by a function of the texts; keeps what it was asked."""

    model = "p/r"
    dialect = "cohere"

    def __init__(self, ranks: Ranks = reversed_order) -> None:
        self._ranks = ranks
        self.asked: list[tuple[str, list[str]]] = []
        self.was_closed = False

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        self.asked.append((query, list(texts)))
        return self._ranks(texts)

    async def aclose(self) -> None:
        self.was_closed = True


class FailingReranker(ScriptedReranker):
    """Refuses while `fails` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = True

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        ranks = await super().rank(query, texts)
        if self.fails:
            raise RerankError(code="refused", provider="p", detail=f"no: {texts[0]}", status=429)
        return ranks


class SilentReranker(ScriptedReranker):
    """Never answers."""

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        await asyncio.sleep(3600)
        return await super().rank(query, texts)
