"""A cache in front of an embedder: memory, then the database, then the embedder; each text goes out once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from orca_core.domain.errors import StorageError
from orca_core.domain.ports import Embedder, Vector
from orca_core.domain.stores import VectorStore

IN_MEMORY = 2000


class CachedEmbedder:
    """Embeds what was never embedded by this model. A database that fails costs time, not vectors."""

    def __init__(self, inner: Embedder, store: VectorStore) -> None:
        self._inner = inner
        self._store = store
        self._memory: OrderedDict[str, Vector] = OrderedDict()
        self._under_way: dict[str, asyncio.Future[Vector]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
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
            found |= await self._shared([text for text in missing if text not in found])
        return [found[text] for text in readable]

    async def aclose(self) -> None:
        """What is under way is given up: it is embedded again when it is next asked for."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._inner.aclose()

    def _remembered(self, text: str) -> Vector:
        self._memory.move_to_end(text)
        return self._memory[text]

    async def _from_store(self, texts: list[str]) -> dict[str, Vector]:
        try:
            found = await self._store.cached(self.model, texts)
        except StorageError as error:
            self.store_failure = error
            return {}
        self.hits += len(found)
        self._keep(found)
        return found

    async def _shared(self, texts: list[str]) -> dict[str, Vector]:
        """Embed what nobody is embedding already, and wait for the rest.

        The embedding itself is not cancelled with the one who asked: a turn that ran out of time finds it cached the
        next time.
        """
        mine = [text for text in texts if text not in self._under_way]
        if mine:
            loop = asyncio.get_running_loop()
            for text in mine:
                self._under_way[text] = loop.create_future()
            task = loop.create_task(self._embed_new(mine))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(_consume)
        waited = {text: asyncio.shield(self._under_way[text]) for text in texts}
        return {text: await future for text, future in waited.items()}

    async def _embed_new(self, texts: list[str]) -> None:
        futures = {text: self._under_way[text] for text in texts}
        try:
            vectors = dict(zip(texts, await self._inner.embed(texts), strict=True))
        except BaseException as error:
            for future in futures.values():
                future.set_exception(error)
                future.exception()  # retrieved: whoever waits gets it, and nobody may wait any more
            raise
        finally:
            for text in texts:
                del self._under_way[text]
        self.misses += len(texts)
        self._keep(vectors)
        for text, future in futures.items():
            future.set_result(vectors[text])
        try:
            await self._store.cache(self.model, vectors)
        except StorageError as error:
            self.store_failure = error

    def _keep(self, vectors: dict[str, Vector]) -> None:
        self._memory.update(vectors)
        while len(self._memory) > IN_MEMORY:
            self._memory.popitem(last=False)


def _consume(task: asyncio.Task[None]) -> None:
    """The failure went to those who wait for the vectors; the task itself has nobody to tell."""
    if not task.cancelled():
        task.exception()
