"""How near a memory is said to be."""

from __future__ import annotations

import pytest

from orca_core.model.memories import NearBy, Nearness
from orca_core.rules.retrieval.evidence import Embedding, Evidence
from orca_core.rules.retrieval.floors import nearness_of


@pytest.mark.parametrize(
    ("evidence", "trust", "nearness"),
    [
        (Evidence(coverage=0.4, cosine=0.834), 1.0, Nearness(0.83, NearBy.MEANING)),
        (Evidence(coverage=0.4, cosine=0.834), 0.6, Nearness(0.83, NearBy.MEANING)),
        (Evidence(coverage=0.4, cosine=0.834), 0.25, Nearness(0.4, NearBy.WORDS)),
        (Evidence(coverage=0.4, cosine=None), 1.0, Nearness(0.4, NearBy.WORDS)),
        (Evidence(coverage=0.4, cosine=0.834), 0.0, Nearness(0.4, NearBy.WORDS)),
        (Evidence(coverage=1.0000001, cosine=1.0000001), 1.0, Nearness(1.0, NearBy.MEANING)),
        (Evidence(coverage=1.0000001), 0.0, Nearness(1.0, NearBy.WORDS)),
        (Evidence(cosine=-0.2), 1.0, Nearness(0.0, NearBy.MEANING)),
    ],
)
def test_a_figure_says_by_what_it_was_found(evidence: Evidence, trust: float, nearness: Nearness) -> None:
    assert nearness_of(evidence, Embedding(trust=trust)) == nearness
