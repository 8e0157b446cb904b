"""Looks for live memories by their cues."""

from __future__ import annotations

from collections.abc import Mapping

from orca_core.domain.ports import Embedder, Vector
from orca_core.domain.recall import TokenStatistics
from orca_core.domain.stores.cues import CueIndex
from orca_core.flows.shared.lazy import Lazy
from orca_core.rules.recalling.finding.cues import (
    CUES_FROM_TRUST,
    CueMatches,
    best_matches,
    weights_with_cues,
    words_of_cues,
)
from orca_core.rules.recalling.finding.telling import telling

CUES_READ = 60
MAX_POSTINGS = 1_200
"""So many of the nearest cues are looked at closely, found by words with so many entries. Chosen by hand: a cue of two
common words alone may be missed where there are tens of thousands, and a search stays quick."""

NEAREST = 50
"""So many memories the vectors of cues nominate. Chosen by hand."""


class CueSearch:
    """The cues of one scope, and of those shared with it."""

    def __init__(self, cues: CueIndex, embedder: Lazy[Embedder]) -> None:
        self._cues = cues
        self._embedder = embedder

    async def by_meaning(self, vector: Vector | None) -> dict[int, float]:
        """The cosine of the nearest cue of each memory near a question; of none where cues have no vectors."""
        if vector is None or self._embedder.get().trust < CUES_FROM_TRUST:
            return {}
        hits = await self._cues.by_vector(self._embedder.get().model, vector, NEAREST)
        return {hit.ref.id: hit.cosine for hit in hits}

    async def near(self, token_weights: Mapping[str, float], memories: TokenStatistics) -> CueMatches:
        """The memories whose cues share words with a question; `memories` says how many hold each word."""
        cues = await self._cues.statistics(words_of_cues(token_weights))
        if not any(cues.frequencies.values()):
            return CueMatches()
        weights = weights_with_cues(token_weights, memories, cues)
        tokens = telling(weights, cues.frequencies, MAX_POSTINGS)
        return best_matches(await self._cues.by_tokens(tokens, CUES_READ), weights)
