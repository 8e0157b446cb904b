"""Brings the indexes up to date: vectors of records, words of messages, counts of words."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from orca_core.jobs.job import Job, JobEvent
from orca_core.model.errors import EmbeddingError, OrcaError
from orca_core.model.events import Embedded
from orca_core.model.llm import Embedder, Vector
from orca_core.operations.message_search import MessageSearch
from orca_core.operations.vectors import VectorStore
from orca_core.rules.memory.causes import cause_of_error
from orca_core.rules.retrieval.match_evidence import check_vectors
from orca_core.services.shared.degradation import Levels, of_a_port
from orca_core.store.ports import Unembedded, Upkeep

BATCH = 32
"""Texts in one request. Chosen by hand."""
PATIENCE_S = 1.0
"""So long at once: a command that waits for upkeep waits no longer for it. Chosen by hand."""
SLICES = 20
"""So many slices of counting at once, for the same reason. Chosen by hand."""
STEPS = 20
"""So many times at most it is told how far it is. Chosen by hand."""


class EmbeddingJob(Job):
    """A text that the embedder refuses is skipped until Orca starts again. Where more waits than goes into one request,
    it is told how far it is."""

    name = "embedding"

    def __init__(self, vectors: VectorStore, embedder: Callable[[], Embedder], levels: Levels) -> None:
        self._vectors = vectors
        self._embedder = embedder
        self._levels = levels
        self._refused: set[Unembedded] = set()

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        if not self._levels.may_embed:
            return
        embedder = self._embedder().uncached  # the vector is stored with its record: no second copy in the cache
        have = whole = told = 0
        while waiting := await self._waiting(embedder):
            if len(waiting) == BATCH and not whole:
                have, whole = await self._vectors.progress(embedder.model)
                yield Embedded(have, whole)
            have += await self._embed(embedder, waiting)
            if have < whole and have * STEPS // whole > told:
                told = have * STEPS // whole
                yield Embedded(have, whole)
            if waiting == await self._waiting(embedder):
                break  # another process changes them now: the next wake tries again
        await self._vectors.refresh_index(embedder.model)
        if whole:
            yield Embedded(have, have)

    async def tend(self) -> None:
        """Do all that is due, for who has nobody to tell. Raises EmbeddingError."""
        async with aclosing(self.work()) as steps:
            async for _step in steps:
                continue

    async def _embed(self, embedder: Embedder, waiting: list[Unembedded]) -> int:
        """Store the vectors of a batch; returns how many there are."""
        try:
            pairs = await self._embedded(embedder, waiting)
        except OrcaError as error:
            self._levels.embedding_failed(cause_of_error(error))
            raise
        self._levels.embedding_worked()
        await self._vectors.put(embedder.model, [(each.ref, each.text, vector) for each, vector in pairs])
        return len(pairs)

    async def _waiting(self, embedder: Embedder) -> list[Unembedded]:
        """Records without a vector, but those that the embedder refused."""
        waiting = await self._vectors.unembedded(embedder.model, BATCH + len(self._refused))
        return [each for each in waiting if each not in self._refused][:BATCH]

    async def _embedded(self, embedder: Embedder, waiting: list[Unembedded]) -> list[tuple[Unembedded, Vector]]:
        """A batch with its vectors. A text that can not be embedded does not stop the others."""
        try:
            return list(zip(waiting, await _vectors(embedder, waiting), strict=True))
        except EmbeddingError as error:
            if error.retryable:
                raise
            failure = error
        pairs: list[tuple[Unembedded, Vector]] = []
        for each in waiting:
            try:
                [vector] = await _vectors(embedder, [each])
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


async def _vectors(embedder: Embedder, waiting: list[Unembedded]) -> list[Vector]:
    try:
        vectors = await embedder.embed([each.text for each in waiting])
    except Exception as error:  # noqa: BLE001  # a port may raise what it likes
        raise of_a_port(error, "the embedder") from None
    return check_vectors(vectors, len(waiting), embedder.model, embedder.dimensions)


async def index_messages(messages: MessageSearch) -> bool:
    """Index a piece of the messages that wait: those of older databases, of forks, and of answers that a crash cut.
    Returns whether more can be; what can't be indexed waits for the next wake."""
    before = await messages.backlog()
    waiting = await messages.catch_up(PATIENCE_S) if before else 0
    return 0 < waiting < before


async def fill_words(indexes: Upkeep) -> bool:
    """Index a piece of the words of an index that is being made anew; returns whether more wait."""
    return await indexes.fill_words(SLICES)
