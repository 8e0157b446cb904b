"""A cache in front of an embedder: memory, then the database, then the embedder; each text goes out once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from orca_core.model.errors import EmbeddingError, StorageError
from orca_core.model.llm import Embedder, Vector
from orca_core.operations.vectors import VectorStore
from orca_core.owned_tasks import make_task
from orca_core.rules.retrieval.match_evidence import check_vectors

IN_MEMORY = 2000

T = TypeVar("T")


class CachedEmbedder:
    """Embeds what was never embedded by this model, and keeps vectors only. A database that fails costs time, not
    vectors."""

    def __init__(self, inner: Embedder, store: VectorStore, *, closes_inner: bool = True) -> None:
        self._inner = inner
        self._closes_inner = closes_inner
        self._store = store
        self._memory: OrderedDict[str, Vector] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[dict[str, Vector]]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.hits = 0
        self.misses = 0
        self.store_failure: StorageError | None = None

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
        return self._inner

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        # Half a surrogate pair is no text that a database or a server takes.
        readable = [text.encode("utf-8", "replace").decode() for text in texts]
        wanted = list(dict.fromkeys(readable))
        missing = [text for text in wanted if text not in self._memory]
        self.hits += len(wanted) - len(missing)
        found = {text: self._remembered(text) for text in wanted if text in self._memory}
        if missing:
            found |= await self._from_store(missing)
            # Another caller may have embedded it while the database was asked.
            found |= {text: self._remembered(text) for text in missing if text in self._memory}
            found |= await self._shared([text for text in missing if text not in found])
        return [found[text] for text in readable]

    async def aclose(self) -> None:
        """What is under way is given up: it is embedded again when it is next asked for."""
        while under_way := tuple(self._tasks):
            for task in under_way:
                task.cancel()
            await asyncio.wait(under_way)
            self._tasks.difference_update(under_way)
        if self._closes_inner:
            await self._inner.aclose()

    def _remembered(self, text: str) -> Vector:
        self._memory.move_to_end(text)
        return self._memory[text]

    async def _from_store(self, texts: list[str]) -> dict[str, Vector]:
        try:
            kept = await self._store.cached(self.model, texts)
        except StorageError as error:
            self.store_failure = error
            return {}
        found = {text: vector for text, vector in kept.items() if self._is_whole(vector)}
        self.hits += len(found)
        self._keep(found)
        return found

    def _is_whole(self, vector: Vector) -> bool:
        """Whether a vector that was cached once is one: what is not, is asked for again."""
        try:
            return bool(check_vectors([vector], 1, self.model, self.dimensions))
        except EmbeddingError:
            return False

    async def _shared(self, texts: list[str]) -> dict[str, Vector]:
        """Embed what nobody is embedding already, and wait for the rest.

        The embedding itself is not cancelled with the one who asked: a turn that ran out of time finds it cached the
        next time.
        """
        if mine := [text for text in texts if text not in self._under_way]:
            embedding = self._begun(self._embed_new(mine))
            self._under_way.update(dict.fromkeys(mine, embedding))
        waited = {text: self._under_way[text] for text in texts}
        if waited:
            await asyncio.wait(set(waited.values()), return_when=asyncio.FIRST_EXCEPTION)
        for failed in waited.values():
            if failed.cancelled():
                raise EmbeddingError(template="{model}: Orca closed it meanwhile", model=self.model)
            if failed.done():
                failed.result()  # of several that failed, the first one tells
        return {text: embedding.result()[text] for text, embedding in waited.items()}

    async def _embed_new(self, texts: list[str]) -> dict[str, Vector]:
        try:
            given = await self._inner.embed(texts)
            vectors = dict(zip(texts, check_vectors(given, len(texts), self.model, self.dimensions), strict=True))
        finally:
            for text in texts:
                del self._under_way[text]
        self.misses += len(texts)
        self._keep(vectors)
        self._begun(self._to_store(vectors))
        return vectors

    async def _to_store(self, vectors: dict[str, Vector]) -> None:
        try:
            await self._store.cache(self.model, vectors)
        except StorageError as error:
            self.store_failure = error

    def _begun(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that whoever waits for it may leave alone, at any time."""
        task = make_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """Whoever waits has its failure from the task itself; where nobody does any more, it has nobody to tell."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    def _keep(self, vectors: dict[str, Vector]) -> None:
        self._memory.update(vectors)
        while len(self._memory) > IN_MEMORY:
            self._memory.popitem(last=False)
