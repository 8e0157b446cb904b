"""Candidates of a search measured against one question: their evidence, and how near each is beside the nearest."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.recall import Neighbours, TokenStatistics
from orca_core.rules.retrieval.finding import fusion
from orca_core.rules.retrieval.finding.evidence import Embedding, Evidence, evidence_of
from orca_core.rules.retrieval.finding.floors import FLOORS, is_relevant
from orca_core.rules.retrieval.finding.fusion import Relevance
from orca_core.rules.retrieval.finding.neighbours import with_neighbours


class Asked(Struct, frozen=True):
    """What candidates are measured by: the weights of the question's words, how common they are, and the embedder."""

    weights: Mapping[str, float]
    statistics: TokenStatistics
    embedding: Embedding


class Candidates(Struct, frozen=True):
    """The records of one kind that are measured, by their numbers: their words, the cosines of those with a vector.
    `own` is what words and vectors say of each, once they are `weighed`."""

    words: Mapping[int, Collection[str]]
    cosines: Mapping[int, float] = field(default_factory=dict)
    own: Mapping[int, Evidence] = field(default_factory=dict)

    def with_others(self, others: Candidates) -> Candidates:
        """These and others, weighed alike."""
        return Candidates(
            {**self.words, **others.words}, {**self.cosines, **others.cosines}, {**self.own, **others.own}
        )


class Measured(Struct, frozen=True):
    """What is known of each candidate, and how near it is beside the nearest, which has 1."""

    evidence: Mapping[int, Evidence] = field(default_factory=dict)
    relevance: Mapping[int, Relevance] = field(default_factory=dict)

    def nearest(self, count: int) -> list[int]:
        """Best first; of equal ones the latest, which has the greatest number."""
        return sorted(self.relevance, key=lambda number: (-self.relevance[number].total, -number))[:count]


def weighed(asked: Asked, candidates: Candidates) -> Candidates:
    """The candidates with what words and vectors say of each: that depends on no other one."""
    own = evidence_of(candidates.words, candidates.cosines, asked.weights, asked.statistics)
    return replace(candidates, own=own)


def measure(asked: Asked, candidates: Candidates, neighbours: Mapping[int, Neighbours] | None = None) -> Measured:
    """Measure the candidates by words and vectors, with what neighbours lend."""
    evidence: Mapping[int, Evidence] = candidates.own or weighed(asked, candidates).own
    relevant = fusion.relevances(evidence, asked.embedding)
    if neighbours:
        relevant = with_neighbours(relevant, fusion.above_average(evidence, asked.embedding), neighbours)
    beside_best = fusion.over_best(relevant)
    if any(is_relevant(each, asked.embedding, FLOORS.searched) for each in evidence.values()):
        evidence = fusion.with_standing(evidence, beside_best)
    return Measured(evidence, beside_best)
