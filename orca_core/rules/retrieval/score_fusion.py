"""Score candidates of one question: words and meaning summed (never ranked), with weight and recency on top.

Both arms score every candidate. An arm's scores count by how far they spread among the candidates, from the least one
upwards: z-scores but for a constant, so that no arm needs a scale of its own. The four parts add up to the score, which
only orders, and only within one question: its nearest memory has all of `RELEVANCE_SHARE`. Whether a memory is near
at all is the matter of `relevance_floors`."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping
from datetime import datetime
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.memories import Memory
from orca_core.model.recall import Neighbours, ScoreParts, TokenStatistics
from orca_core.rules.retrieval.match_evidence import EmbedderWorth, MatchEvidence, evidence_of
from orca_core.rules.retrieval.relevance_floors import FLOORS, is_relevant

K = TypeVar("K", bound=Hashable)

RELEVANCE_SHARE = 0.85
WEIGHT_SHARE = 0.10
RECENCY_SHARE = 0.05
"""The shares add up to 1. Weight and recency are small: they order what is equally near. No benchmark chose them."""
RECENCY_HALF_LIFE_DAYS = 180.0
"""After so long recency counts half. No benchmark chose it; it moves a score by `RECENCY_SHARE` at most."""
_LEAST_SPREAD = 1e-9


class Relevance(Struct, frozen=True):
    """How near, by vectors and by words; they add up, and neither is below 0."""

    vector: float = 0.0
    text: float = 0.0

    @property
    def total(self) -> float:
        return self.vector + self.text

    def plus(self, other: Relevance, share: float = 1.0) -> Relevance:
        return Relevance(self.vector + share * other.vector, self.text + share * other.text)


class _Arm(Struct, frozen=True):
    """How one search's scores lie among the candidates."""

    least: float
    mean: float
    spread: float

    def above(self, start: float, value: float) -> float:
        return max(0.0, value - start) / self.spread


def relevances(evidence: Mapping[K, MatchEvidence], embedding: EmbedderWorth) -> dict[K, Relevance]:
    """Tell how near each candidate is by itself; the vectors count as much beside the words as the embedder is
    worth."""
    return _summed(evidence, embedding, lambda arm: arm.least)


def above_average(evidence: Mapping[K, MatchEvidence], embedding: EmbedderWorth) -> dict[K, Relevance]:
    """Tell how far each candidate stands out among all: what it has to lend to others."""
    return _summed(evidence, embedding, lambda arm: arm.mean)


def _summed(
    evidence: Mapping[K, MatchEvidence], embedding: EmbedderWorth, start_of: Callable[[_Arm], float]
) -> dict[K, Relevance]:
    by_words, by_vectors = _arms(evidence, embedding)
    words_from, vectors_from = start_of(by_words), start_of(by_vectors)
    return {
        key: Relevance(
            vector=0.0 if each.cosine is None else embedding.trust * by_vectors.above(vectors_from, each.cosine),
            text=by_words.above(words_from, each.words),
        )
        for key, each in evidence.items()
    }


def over_best(relevant: Mapping[K, Relevance]) -> dict[K, Relevance]:
    """The same beside the nearest one, which has 1."""
    best = max((each.total for each in relevant.values()), default=0.0)
    if best <= 0:
        return dict.fromkeys(relevant, Relevance())
    return {key: Relevance(each.vector / best, each.text / best) for key, each in relevant.items()}


def with_standing(evidence: Mapping[K, MatchEvidence], standing: Mapping[K, Relevance]) -> dict[K, MatchEvidence]:
    """The evidence, with what speaks for each one in all, beside the best."""
    # Written out: `replace` takes four times as long, and there are hundreds.
    return {
        key: MatchEvidence(each.coverage, each.cosine, each.mass, each.words, standing[key].total)
        for key, each in evidence.items()
    }


def score_parts(relevance: Relevance, *, weight: float, max_weight: float, age_days: float) -> ScoreParts:
    """The four parts of a memory's score, of its relevance beside the best one's."""
    return ScoreParts(
        vector=round(RELEVANCE_SHARE * relevance.vector, 6),
        text=round(RELEVANCE_SHARE * relevance.text, 6),
        weight=round(WEIGHT_SHARE * min(1.0, weight / max_weight), 6),
        recency=round(RECENCY_SHARE * 0.5 ** (max(0.0, age_days) / RECENCY_HALF_LIFE_DAYS), 6),
    )


def score_memory(memory: Memory, relevance: Relevance, *, max_weight: float, now: datetime) -> ScoreParts:
    """`score` of a long-term memory."""
    age_days = (now - memory.created_at).total_seconds() / 86_400
    return score_parts(relevance, weight=memory.weight, max_weight=max_weight, age_days=age_days)


def _spread_of(values: Collection[float]) -> tuple[float, float]:
    """Mean and standard deviation; the order of the values changes neither."""
    if not values:
        return 0.0, 0.0
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def _arms(evidence: Mapping[K, MatchEvidence], embedding: EmbedderWorth) -> tuple[_Arm, _Arm]:
    """Words are counted from none of them, cosines from the least or the noise."""
    cosines = [each.cosine for each in evidence.values() if each.cosine is not None]
    return _arm([each.words for each in evidence.values()], 0.0), _arm(cosines, min([embedding.noise, *cosines]))


def _arm(values: list[float], least: float) -> _Arm:
    mean, spread = _spread_of(values)
    return _Arm(least, mean, spread if spread > _LEAST_SPREAD else 1.0)


BEFORE = 0.4
AFTER = 0.1
BEFORE_THAT = 0.2
"""What a memory gets of what speaks for the one before it, the one after it and the one before that, each as far as it
stands out. `benchmarks/recall_steps.py`: without them recall@5 is 2.7 points less. What comes unasked lends nothing: on
technical turns two of eighty right memories went for it."""


def with_neighbours(
    own: Mapping[int, Relevance], above: Mapping[int, Relevance], neighbours: Mapping[int, Neighbours]
) -> dict[int, Relevance]:
    """The relevance of each memory with what its neighbours lend, so far as these were measured themselves."""
    result = dict(own)
    for number, beside in neighbours.items():
        if number not in own:
            continue
        for lender, share in ((beside.before, BEFORE), (beside.after, AFTER), (beside.before_that, BEFORE_THAT)):
            if lender is not None and lender in above:
                result[number] = result[number].plus(above[lender], share)
    return result


class QueryWeights(Struct, frozen=True):
    """What candidates are measured by: the weights of the question's words, how common they are, and the embedder."""

    weights: Mapping[str, float]
    statistics: TokenStatistics
    embedding: EmbedderWorth


class Candidates(Struct, frozen=True):
    """The records of one kind that are measured, by their numbers: their words, the cosines of those with a vector.
    `own` is what words and vectors say of each, once they are `weighed`."""

    words: Mapping[int, Collection[str]]
    cosines: Mapping[int, float] = field(default_factory=dict)
    own: Mapping[int, MatchEvidence] = field(default_factory=dict)

    def with_others(self, others: Candidates) -> Candidates:
        """These and others, weighed alike."""
        return Candidates(
            {**self.words, **others.words}, {**self.cosines, **others.cosines}, {**self.own, **others.own}
        )


class MeasuredCandidates(Struct, frozen=True):
    """What is known of each candidate, and how near it is beside the nearest, which has 1."""

    evidence: Mapping[int, MatchEvidence] = field(default_factory=dict)
    relevance: Mapping[int, Relevance] = field(default_factory=dict)

    def nearest(self, count: int) -> list[int]:
        """Best first; of equal ones the latest, which has the greatest number."""
        return sorted(self.relevance, key=lambda number: (-self.relevance[number].total, -number))[:count]


def with_evidence(asked: QueryWeights, candidates: Candidates) -> Candidates:
    """The candidates with what words and vectors say of each: that depends on no other one."""
    own = evidence_of(candidates.words, candidates.cosines, asked.weights, asked.statistics)
    return replace(candidates, own=own)


def measure_candidates(
    asked: QueryWeights, candidates: Candidates, neighbours: Mapping[int, Neighbours] | None = None
) -> MeasuredCandidates:
    """Measure the candidates by words and vectors, with what neighbours lend."""
    evidence: Mapping[int, MatchEvidence] = candidates.own or with_evidence(asked, candidates).own
    relevant = relevances(evidence, asked.embedding)
    if neighbours:
        relevant = with_neighbours(relevant, above_average(evidence, asked.embedding), neighbours)
    beside_best = over_best(relevant)
    if any(is_relevant(each, asked.embedding, FLOORS.searched) for each in evidence.values()):
        evidence = with_standing(evidence, beside_best)
    return MeasuredCandidates(evidence, beside_best)
