"""How near a memory is to a question: words and meaning summed (never ranked), with weight and recency on top.

The four parts add up to the score, which only orders. Whether a memory is near at all is `is_relevant`'s matter:
an absolute floor, not the best of a bad lot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cache

from orca_core import words
from orca_core.domain.memories import Memory
from orca_core.domain.recall import ScoreParts, TextHit, TokenStatistics, VectorHit
from orca_core.domain.refs import Ref
from orca_core.rules.text.identifiers import stem

RELEVANCE_SHARE = 0.85
WEIGHT_SHARE = 0.10
RECENCY_SHARE = 0.05
"""The shares add up to 1. Weight and recency are small: they order what is equally near. No benchmark chose them."""
RECENCY_HALF_LIFE_DAYS = 30.0
"""After so long recency counts half. No benchmark chose it; it moves a score by `RECENCY_SHARE` at most."""
MIN_COVERAGE = 0.28
"""The least share of the question's words, weighted by rarity, that makes a memory relevant.

`benchmarks/recall_on_technical_turns.py` chose it (docs/decisions/0004): at 0.24 the right memory reaches 28 of 40
turns instead of 26, but 24 wrong ones come along instead of 18; at 0.32 it reaches 23."""
MIN_COVERAGE_ASKED = 0.10
"""The same where a person asks: nobody is disturbed by what they asked for.

Measured on LoCoMo, MemoryBank and MemDaily, whose licences keep them out of here: it returns 5 points of recall@5 that
the strict floor throws away, and 13 on short Chinese facts."""
UNKNOWN_TOKEN_SHARE = 0.15
"""What a word counts that no memory holds: it can tell no memory from another, but it says what is asked.

The same benchmark: at 0.05 half of the turns that nothing can help get a memory all the same (10 of 20 instead of 6),
at 0.3 the right one reaches 20 of 40 turns."""
ASSUMED_DOCUMENTS = 50
"""A younger store is treated as one of this size: in it a word would be rare that is in one memory of two.

The same benchmark has a store of ninety, where 50 changes nothing; 200 lets 22 wrong memories in instead of 18."""
FORM_WEIGHTS = {"concept": 0.6, "name": 1.5, "word": 0.7, "letter": 0.1, "pair": 0.5, "character": 0.15}
"""What a token counts by its form: names and concepts tell, two neighbouring characters may be any two.

Chosen with `benchmarks/recall_on_technical_turns.py` (docs/decisions/0004)."""
DEFAULT_NOISE = 0.35
"""The embedder's noise where a store is too young to measure it. No benchmark chose it."""
MIN_NOISE_SAMPLE = 200
"""Of a hundred pairs the 99th percentile is the greatest, and one chance likeness would decide; of these the second."""
_FULL_DOUBT = 0.5
"""How far from its noise to 1 the cosine of an embedder without any worth must lie. No benchmark chose it."""


class Floor(Enum):
    """How near a memory must be."""

    STRICT = MIN_COVERAGE
    """What comes unasked."""
    ASKED = MIN_COVERAGE_ASKED
    """What a person asked for: a search, a recall question."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How a memory was found: the share of the question's words that it holds, its BM25 over the best, its cosine."""

    coverage: float = 0.0
    bm25_over_best: float = 0.0
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Embedding:
    """What is known of the vectors of this turn: the embedder's worth (0: none at hand) and its noise."""

    trust: float = 0.0
    noise: float = DEFAULT_NOISE


def rarity(statistics: TokenStatistics) -> dict[str, float]:
    """How much each token tells: inverse document frequency, smoothed; less for words that no memory holds."""
    total = max(statistics.documents, ASSUMED_DOCUMENTS)
    rarities = {}
    for token, frequency in statistics.frequencies.items():
        value = math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
        rarities[token] = value if frequency else value * UNKNOWN_TOKEN_SHARE
    return rarities


def form_of(token: str) -> str:
    """Which of `FORM_WEIGHTS` a token has. Technical words and what holds a digit or `_` are names."""
    if token.startswith("k_"):
        return "concept"
    if not token.isascii():
        return "character" if len(token) == 1 else "pair"
    if len(token) == 1:
        return "letter"
    return "name" if token in _technical_stems() or not token.isalpha() else "word"


@cache
def _technical_stems() -> frozenset[str]:
    tables = ("technical.words", "technical.names", "technical.short_names")
    return frozenset(stem(word.lower()) for table in tables for word in words.words(table, *words.of_whole_words()))


def coverage(matched: frozenset[str], token_weights: Mapping[str, float], rarities: Mapping[str, float]) -> float:
    """The share of the question's words that were found, weighted by rarity: 0 to 1."""
    importance = {
        token: weight * FORM_WEIGHTS[form_of(token)] * rarities.get(token, 0.0)
        for token, weight in token_weights.items()
    }
    whole = sum(importance.values())
    return sum(importance[token] for token in matched if token in importance) / whole if whole else 0.0


def collect(
    text_hits: Sequence[TextHit],
    vector_hits: Sequence[VectorHit],
    token_weights: Mapping[str, float],
    statistics: TokenStatistics,
) -> dict[Ref, Evidence]:
    """What both searches say of each record that either found."""
    rarities = rarity(statistics)
    best = max((hit.bm25 for hit in text_hits), default=0.0)
    cosines = {hit.ref: hit.cosine for hit in vector_hits}
    evidence = {
        hit.ref: Evidence(
            coverage=coverage(hit.matched, token_weights, rarities),
            bm25_over_best=hit.bm25 / best if best > 0 else 0.0,
            cosine=cosines.get(hit.ref),
        )
        for hit in text_hits
    }
    for ref, cosine in cosines.items():
        evidence.setdefault(ref, Evidence(cosine=cosine))
    return evidence


def noise_of(random_cosines: Sequence[float]) -> float:
    """The 99th percentile of random pairs: what is no nearer says nothing."""
    if len(random_cosines) < MIN_NOISE_SAMPLE:
        return DEFAULT_NOISE
    ordered = sorted(random_cosines)
    return max(0.0, ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))])


def is_relevant(evidence: Evidence, embedding: Embedding, floor: Floor = Floor.STRICT) -> bool:
    """The absolute floor: enough of the question's words, or a cosine above the embedder's noise.

    The less an embedder is worth, the further above its noise a cosine must lie: hashed n-grams are near where
    letters are, not where meaning is.
    """
    if evidence.coverage >= floor.value:
        return True
    if evidence.cosine is None or embedding.trust <= 0:
        return False
    doubt = max(0.0, 1.0 - embedding.trust) * _FULL_DOUBT
    return evidence.cosine > embedding.noise + (1.0 - embedding.noise) * doubt


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
