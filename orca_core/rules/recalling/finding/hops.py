"""A second hop: what the nearest memories speak of is looked for, too ("who looks after the server that the billing
runs on?"). It adds a little to what shares their words; it decides nothing alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from orca_core.domain.recall import TokenStatistics
from orca_core.rules.recalling.finding.evidence import importance, mass, rarity
from orca_core.rules.recalling.finding.fusion import Relevance, spread_of

HOP_FROM = 3
"""From so many of the nearest. Chosen by hand, as `HOP_WORDS`: the figures hardly move with either."""
HOP_WORDS = 16
HOP_SHARE = 0.1
"""What the words of a hop count. `benchmarks/recall_steps.py`: it brings raw turns 0.2 of recall@5 and costs nothing;
at 0.3 all but these lose half a point."""
COMMON_SHARE = 0.05
COMMON_COUNT = 3
"""What stands in more memories than this share of all, and three, leads nowhere."""


def words_to_follow(nearest: Sequence[Collection[str]], asked: Collection[str]) -> frozenset[str]:
    """The words of the nearest memories that the question does not say: no dates, concepts or single characters."""
    return frozenset(
        token
        for tokens in nearest[:HOP_FROM]
        for token in tokens
        if token not in asked and len(token) > 1 and not token.startswith(("d_", "k_"))
    )


def hop_weights(nearest: Sequence[Collection[str]], statistics: TokenStatistics) -> dict[str, float]:
    """What each of the words that are followed counts: those that join several memories, but not many."""
    most = statistics.documents * COMMON_SHARE + COMMON_COUNT
    joining = {token: count for token, count in statistics.frequencies.items() if 2 <= count <= most}
    weights = importance(
        {token: float(sum(token in tokens for tokens in nearest[:HOP_FROM])) for token in joining},
        rarity(TokenStatistics(statistics.documents, joining)),
    )
    best = sorted(weights, key=lambda token: (-weights[token], token))[:HOP_WORDS]
    return {token: weights[token] for token in best}


def with_hop(
    relevant: Mapping[int, Relevance],
    tokens_of: Mapping[int, Collection[str]],
    weights: Mapping[str, float],
    origins: Collection[int],
) -> dict[int, Relevance]:
    """The relevance of each memory, more for what shares the words that are followed; not for where they come from."""
    followed = frozenset(weights)
    shared = {
        number: 0.0 if number in origins else mass(followed.intersection(tokens_of[number]), weights)
        for number in relevant
    }
    mean, spread = spread_of(shared.values())
    if spread <= 0:
        return dict(relevant)
    return {
        number: each.plus(Relevance(text=max(0.0, shared[number] - mean) / spread), HOP_SHARE)
        for number, each in relevant.items()
    }
