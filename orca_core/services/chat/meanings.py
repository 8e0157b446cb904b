"""How near the meaning of an answer is to that of memories: asked of an embedder of meaning, and of no other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from orca_core.model.llm import Embedder
from orca_core.model.records import Ref
from orca_core.rules.memory import causes
from orca_core.rules.retrieval.finding.vectors import checked
from orca_core.rules.retrieval.use import meant
from orca_core.services.shared import failures
from orca_core.services.shared.levels import Levels


class Meanings:
    """Embeds what a turn said, on this machine, and keeps nothing of it."""

    def __init__(self, embedder: Callable[[], Embedder], levels: Levels, timeout_s: float) -> None:
        self._embedder = embedder
        self._levels = levels
        self._timeout_s = timeout_s

    async def nearness(self, question: str, answer: str, memories: Mapping[Ref, str]) -> Mapping[Ref, float]:
        """How near the answer is to each memory; empty where no embedder of meaning is at hand, or it is too slow."""
        if not memories or not answer.strip() or not self._levels.may_embed:
            return {}
        try:
            embedder = self._embedder()
            if not meant.can_tell(embedder.model):
                return {}
            async with asyncio.timeout(self._timeout_s):
                texts = [question, answer, *memories.values()]
                vectors = await embedder.uncached.embed(texts)
                asked, said, *known = checked(vectors, len(texts), embedder.model, embedder.dimensions)
        except TimeoutError:
            return {}
        except Exception as error:  # noqa: BLE001  # an embedder that breaks costs its vectors, not the turn's end
            self._levels.embedding_failed(causes.of_error(failures.of_a_port(error, "the embedder")))
            return {}
        return {ref: meant.nearness(vector, said, asked) for ref, vector in zip(memories, known, strict=True)}
