"""Whether a memory is near enough at all: an absolute floor, not the best of a bad lot."""

from __future__ import annotations

from enum import Enum

from orca_core.rules.recalling.evidence import Embedding, Evidence

MIN_COVERAGE = 0.28
"""The least share of the question's words, weighted by rarity, that makes a memory relevant.

`benchmarks/recall_on_technical_turns.py` chose it (docs/decisions/0004): at 0.24 the right memory reaches 28 of 40
turns instead of 26, but 24 wrong ones come along instead of 18; at 0.32 it reaches 23."""
MIN_COVERAGE_ASKED = 0.10
"""The same where a person asks: nobody is disturbed by what they asked for.

Measured on LoCoMo, MemoryBank and MemDaily, whose licences keep them out of here: it returns 5 points of recall@5 that
the strict floor throws away, and 13 on short Chinese facts."""
_FULL_DOUBT = 0.5
"""How far from its noise to 1 the cosine of an embedder without any worth must lie. No benchmark chose it."""


class Floor(Enum):
    """How near a memory must be."""

    STRICT = MIN_COVERAGE
    """What comes unasked."""
    ASKED = MIN_COVERAGE_ASKED
    """What a person asked for: a search, a recall question."""


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
