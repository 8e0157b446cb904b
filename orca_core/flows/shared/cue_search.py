"""Looks for live memories by their cues, as of one moment."""

from __future__ import annotations

from collections.abc import Mapping

from orca_core.domain.ports import Vector
from orca_core.domain.recall import TokenStatistics
from orca_core.domain.stores.snapshot import Cues
from orca_core.rules.recalling.finding.cues import CueMatches, best_matches, weights_with_cues, words_of_cues
from orca_core.rules.recalling.finding.telling import telling

CUES_READ = 60
MAX_POSTINGS = 1_200
"""So many of the nearest cues are looked at closely, found by words with so many entries. Chosen by hand: a cue of two
common words alone may be missed where there are tens of thousands, and a search stays quick."""

NEAREST = 50
"""So many memories the vectors of cues nominate. Chosen by hand."""


def by_words(cues: Cues, token_weights: Mapping[str, float], memories: TokenStatistics) -> CueMatches:
    """The memories whose cues share words with a question; `memories` says how many hold each word."""
    held = cues.frequencies(words_of_cues(token_weights))
    if not any(held.values()):
        return CueMatches()
    weights = weights_with_cues(token_weights, memories, held)
    tokens = telling(weights, held, MAX_POSTINGS)
    return best_matches(cues.by_tokens(tokens, CUES_READ), weights)


def by_meaning(cues: Cues, model: str, vector: Vector) -> dict[int, float]:
    """The cosine of the nearest cue of each memory near a question."""
    return {hit.ref.id: hit.cosine for hit in cues.by_vector(model, vector, NEAREST)}
