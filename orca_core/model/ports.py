"""What the flows need from the world outside: models, embedders, the clock. Stores are in `stores`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from datetime import datetime
from typing import Protocol

from orca_core.model.messages import ChatRequest, ModelEvent


class Vector(Protocol):
    """A vector of unit length, as an embedder made it: a list, or a numpy array, which is no Sequence."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[float]: ...


class Clock(Protocol):
    """Time, so that tests can hold it still."""

    def now(self) -> datetime:
        """The time of day, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        ...


class ChatModel(Protocol):
    """A model that answers, streamed."""

    @property
    def provider(self) -> str:
        """The section's name: `deepseek`, `demo` …"""
        ...

    @property
    def model(self) -> str: ...

    @property
    def endpoint(self) -> str:
        """The address that is asked; empty where nothing is."""
        ...

    @property
    def is_demo(self) -> bool:
        """Whether it is a stand-in: rounds are saved, but no weight moves."""
        ...

    @property
    def context_tokens(self) -> int:
        """How long a prompt may be, by the configuration."""
        ...

    def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """The answer as it comes, ended by `Completed`. Raises ModelError. Closing the iterator stops the model."""
        ...

    async def aclose(self) -> None: ...


class Embedder(Protocol):
    """Texts to vectors of unit length, in order, one each."""

    @property
    def model(self) -> str:
        """The identity of the vectors: provider, model and dimensions. Vectors of two models are never compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def trust(self) -> float:
        """What the vectors are worth in fusion: about 1 for a real embedding model, little for hashed n-grams."""
        ...

    @property
    def uncached(self) -> Embedder:
        """The same embedder, without a cache."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Raises EmbeddingError."""
        ...

    async def aclose(self) -> None: ...


class Reranker(Protocol):
    """Puts texts in order by how well each answers a query. Only its order counts: scores of two models, or of one
    model in two servers, are never comparable."""

    @property
    def model(self) -> str:
        """Provider and model, as receipts name them."""
        ...

    @property
    def dialect(self) -> str:
        """How its server is spoken to, as far as is known by now."""
        ...

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        """Positions in `texts`, the best first, each at most once; some may be missing. Raises RerankError."""
        ...

    async def aclose(self) -> None: ...
