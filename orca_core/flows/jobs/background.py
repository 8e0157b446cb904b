"""What is done while nobody waits: vectors for what has none, and what the store finishes in a quiet moment."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from orca_core.domain.errors import EmbeddingError
from orca_core.domain.ports import Clock, Embedder, Vector
from orca_core.domain.stores import Housekeeping
from orca_core.domain.stores.index import Unembedded, VectorStore
from orca_core.flows.shared.failures import cause
from orca_core.flows.shared.lazy import Lazy
from orca_core.flows.shared.levels import Levels
from orca_core.settings import ShortTermSettings
from orca_core.tasks import log_failure

BATCH = 32
CLEANED_EVERY = timedelta(days=1)


class Background:
    """One task at a time, started by `wake`. It never raises: `failure` holds what went wrong last."""

    def __init__(
        self,
        vectors: VectorStore,
        housekeeping: Housekeeping,
        embedder: Lazy[Embedder],
        levels: Levels,
        clock: Clock,
        short_term: ShortTermSettings,
    ) -> None:
        self._vectors = vectors
        self._housekeeping = housekeeping
        self._embedder = embedder
        self._levels = levels
        self._clock = clock
        self._short_term = short_term
        self._cleaned_at: datetime | None = None
        self._task: asyncio.Task[None] | None = None
        self._again = False
        self._refused: set[Unembedded] = set()
        self.embedded = 0
        self.failure: str = ""

    def wake(self) -> None:
        """Look whether anything waits, soon, in the background."""
        if self._task is not None and not self._task.done():
            self._again = True
            return
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def drain(self, timeout_s: float | None = None) -> int:
        """Do now what waits, for so long at most; how many texts were embedded since the start."""
        self.wake()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=timeout_s)
        return self.embedded

    async def aclose(self) -> None:
        """Stop; what was not done waits in the database for the next start."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.wait({self._task})
        log_failure(self._task)

    async def _work(self) -> None:
        self._again = True
        while self._again:
            self._again = False
            try:
                await self._clean()
                await self._housekeeping.idle()
                await self._embed_waiting()
            except EmbeddingError as error:
                self._levels.embedding_failed(error.message)
                self.failure = str(error)
                return
            except Exception as error:  # noqa: BLE001  # the next wake tries again; `failure` says what broke
                self.failure = cause(error)
                return
            self.failure = ""

    async def _clean(self) -> None:
        """At the start and once a day: short-term memories that are past their time."""
        now = self._clock.now()
        if self._cleaned_at is None or now - self._cleaned_at >= CLEANED_EVERY:
            await self._housekeeping.expire_short_term(now, self._short_term.ttl_days)
            self._cleaned_at = now

    async def _embed_waiting(self) -> None:
        if not self._levels.may_embed:
            return
        embedder = self._embedder.get().uncached  # what gets a vector of its own needs no second one in the cache
        while waiting := await self._waiting(embedder):
            pairs = await self._embedded(embedder, waiting)
            self._levels.embedding_worked()
            await self._vectors.put(embedder.model, [(each.ref, each.text, vector) for each, vector in pairs])
            self.embedded += len(pairs)
            if waiting == await self._waiting(embedder):
                break  # another process changes them under us: leave them to the next wake
        await self._vectors.refresh_index(embedder.model)

    async def _waiting(self, embedder: Embedder) -> list[Unembedded]:
        """What has no vector yet, without what the embedder will not take."""
        waiting = await self._vectors.unembedded(embedder.model, BATCH + len(self._refused))
        return [each for each in waiting if each not in self._refused][:BATCH]

    async def _embedded(self, embedder: Embedder, waiting: list[Unembedded]) -> list[tuple[Unembedded, Vector]]:
        """A batch with its vectors. One text that can not be embedded must not keep the others from it."""
        try:
            return list(zip(waiting, await embedder.embed([each.text for each in waiting]), strict=True))
        except EmbeddingError as error:
            if error.retryable:
                raise
            failure = error
        pairs: list[tuple[Unembedded, Vector]] = []
        for each in waiting:
            try:
                [vector] = await embedder.embed([each.text])
            except EmbeddingError as error:
                if error.retryable:
                    raise
                self._refused.add(each)
            else:
                pairs.append((each, vector))
        if not pairs:
            self._refused.difference_update(waiting)
            raise failure
        return pairs
