"""How near a memory is said to be, as a figure for people. It decides nothing."""

from __future__ import annotations

from orca_core.model.memories import NearBy, Nearness
from orca_core.rules.retrieval.finding.evidence import Embedding, Evidence

KNOWS_MEANING_FROM = 0.5
"""An embedder of less worth goes by letters: its cosine would be taken for a likeness of meaning."""


def nearness_of(evidence: Evidence, embedding: Embedding) -> Nearness:
    if evidence.cosine is not None and embedding.trust >= KNOWS_MEANING_FROM:
        return Nearness(round(min(1.0, max(0.0, evidence.cosine)), 2), NearBy.MEANING)
    return Nearness(round(min(1.0, evidence.coverage), 2), NearBy.WORDS)
