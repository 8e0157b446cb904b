"""How near a memory is to a question: words and meaning summed (never ranked), with weight and recency on top.

The four parts add up to the score, which only orders. Whether a memory is near at all is the matter of `floors`.
"""

from __future__ import annotations

from datetime import datetime

from orca_core.domain.memories import Memory
from orca_core.domain.recall import ScoreParts
from orca_core.rules.recalling.evidence import Embedding, Evidence

RELEVANCE_SHARE = 0.85
WEIGHT_SHARE = 0.10
RECENCY_SHARE = 0.05
"""The shares add up to 1. Weight and recency are small: they order what is equally near. No benchmark chose them."""
RECENCY_HALF_LIFE_DAYS = 30.0
"""After so long recency counts half. No benchmark chose it; it moves a score by `RECENCY_SHARE` at most."""


def score(evidence: Evidence, embedding: Embedding, *, weight: float, max_weight: float, age_days: float) -> ScoreParts:
    """The four parts of a memory's score."""
    text = (evidence.coverage + evidence.bm25_over_best) / 2
    above_noise = 0.0
    if evidence.cosine is not None and embedding.noise < 1:
        above_noise = min(1.0, max(0.0, (evidence.cosine - embedding.noise) / (1 - embedding.noise)))
    whole = 1.0 + embedding.trust
    return ScoreParts(
        vector=round(RELEVANCE_SHARE * embedding.trust / whole * above_noise, 6),
        text=round(RELEVANCE_SHARE / whole * text, 6),
        weight=round(WEIGHT_SHARE * min(1.0, weight / max_weight), 6),
        recency=round(RECENCY_SHARE * 0.5 ** (max(0.0, age_days) / RECENCY_HALF_LIFE_DAYS), 6),
    )


def score_memory(
    memory: Memory, evidence: Evidence, embedding: Embedding, *, max_weight: float, now: datetime
) -> ScoreParts:
    """`score` of a long-term memory."""
    age_days = (now - memory.created_at).total_seconds() / 86_400
    return score(evidence, embedding, weight=memory.weight, max_weight=max_weight, age_days=age_days)
