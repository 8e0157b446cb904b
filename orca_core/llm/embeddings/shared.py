"""An embedder that several engines use at once or one after the other: whoever made it closes it."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.llm import Embedder, Vector


class SharedEmbedder:
    """The same embedder, but that closing it closes nothing."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def trust(self) -> float:
        return self._inner.trust

    @property
    def uncached(self) -> Embedder:
        return self

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return await self._inner.embed(texts)

    async def aclose(self) -> None:
        return None
