"""What a search found of a record: which of the words asked for it holds, what they tell, how near its vector is."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from orca_core import words
from orca_core.domain.recall import TextHit, TokenStatistics, VectorHit
from orca_core.domain.refs import Ref
from orca_core.rules.text.identifiers import stem
from orca_core.rules.text.terms import QueryTerms

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


@dataclass(frozen=True, slots=True)
class Evidence:
    """How a memory was found: the share of the question's words that it holds, its BM25 over the best, its cosine.

    `mass` is what the words that it holds weigh together, whatever else the question says; `mass_over_best` is that
    beside the greatest mass among all that were found."""

    coverage: float = 0.0
    bm25_over_best: float = 0.0
    cosine: float | None = None
    mass: float = 0.0
    mass_over_best: float = 0.0


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


def importance(token_weights: Mapping[str, float], rarities: Mapping[str, float]) -> dict[str, float]:
    """What each word of a question counts: its weight there, its form and its rarity."""
    return {
        token: weight * FORM_WEIGHTS[form_of(token)] * rarities.get(token, 0.0)
        for token, weight in token_weights.items()
    }


def mass(matched: frozenset[str], important: Mapping[str, float]) -> float:
    """What the words that were found count together."""
    return sum(sorted(important.get(token, 0.0) for token in matched))


def coverage(matched: frozenset[str], token_weights: Mapping[str, float], rarities: Mapping[str, float]) -> float:
    """The share of the question's words that were found, weighted by rarity: 0 to 1."""
    important = importance(token_weights, rarities)
    whole = sum(important.values())
    return mass(matched, important) / whole if whole else 0.0


def collect(
    text_hits: Sequence[TextHit],
    vector_hits: Sequence[VectorHit],
    token_weights: Mapping[str, float],
    statistics: TokenStatistics,
) -> dict[Ref, Evidence]:
    """What both searches say of each record that either found."""
    important = importance(token_weights, rarity(statistics))
    whole = sum(important.values())
    masses = {hit.ref: mass(hit.matched, important) for hit in text_hits}
    best_bm25 = max((hit.bm25 for hit in text_hits), default=0.0)
    best_mass = max(masses.values(), default=0.0)
    cosines = {hit.ref: hit.cosine for hit in vector_hits}
    evidence = {
        hit.ref: Evidence(
            coverage=masses[hit.ref] / whole if whole else 0.0,
            bm25_over_best=hit.bm25 / best_bm25 if best_bm25 > 0 else 0.0,
            cosine=cosines.get(hit.ref),
            mass=masses[hit.ref],
            mass_over_best=masses[hit.ref] / best_mass if best_mass > 0 else 0.0,
        )
        for hit in text_hits
    }
    for ref, cosine in cosines.items():
        evidence.setdefault(ref, Evidence(cosine=cosine))
    return evidence


def shared_words(
    asked: QueryTerms,
    tokens_of: Mapping[int, Collection[str]],
    statistics: TokenStatistics,
    cosines: Mapping[int, float],
) -> dict[int, Evidence]:
    """What is known of texts that no index holds: the words of the question in each, and its cosine where it has
    one. The share of the question stands for BM25."""
    important = importance(asked.weights, rarity(statistics))
    whole = sum(important.values())
    masses = {
        number: mass(frozenset(asked.tokens) & frozenset(tokens), important) for number, tokens in tokens_of.items()
    }
    best = max(masses.values(), default=0.0)
    return {
        number: Evidence(
            coverage=found / whole if whole else 0.0,
            bm25_over_best=found / best if best else 0.0,
            cosine=cosines.get(number),
            mass=found,
            mass_over_best=found / best if best else 0.0,
        )
        for number, found in masses.items()
    }


def noise_of(random_cosines: Sequence[float]) -> float:
    """The 99th percentile of random pairs: what is no nearer says nothing."""
    if len(random_cosines) < MIN_NOISE_SAMPLE:
        return DEFAULT_NOISE
    ordered = sorted(random_cosines)
    return max(0.0, ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))])
