"""Which words of a question or a record a search looks up: those that tell most, if their entries may be read."""

from __future__ import annotations

from collections.abc import Mapping

from orca_core.model.recall import TokenStatistics
from orca_core.rules.retrieval.finding.evidence import importance, rarity

MAX_TOKENS = 32
"""Chosen by hand: what is nominated is measured by all words, so `benchmarks/recall_steps.py`, whose stores are small,
tells no difference from the 24 rarest."""
MAX_POSTINGS = 3_000
"""The most index entries that one search may read, for common words have many. Chosen by hand; `benchmarks/stores.py`
measures the search."""


ONLY_ONE = 10
"""So many times as many entries the only word may have. Chosen by hand: what is held by more tells nothing."""


def telling(
    important: Mapping[str, float], frequencies: Mapping[str, int], most_postings: int = MAX_POSTINGS
) -> list[str]:
    """The words that tell most, weight and rarity taken together. The rarest alone would be chatter: a slip of the pen
    is rarer than what is asked for. What has too many entries is passed over; where everything has, the rarest word is
    taken, up to a bound, too."""
    chosen: list[str] = []
    postings = 0
    for token in sorted(important, key=lambda each: (-important[each], each)):
        frequency = frequencies.get(token, 0)
        if frequency == 0 or postings + frequency > most_postings:
            continue
        chosen.append(token)
        postings += frequency
        if len(chosen) == MAX_TOKENS:
            break
    if chosen:
        return chosen
    known = [(frequencies[each], each) for each in important if frequencies.get(each, 0)]
    return [token for frequency, token in sorted(known)[:1] if frequency <= ONLY_ONE * most_postings]


def telling_of_a_record(frequencies: Mapping[str, int]) -> list[str]:
    """The words of an indexed record that tell most of what else holds them: a word that it alone holds finds nothing
    but itself, and there are many of these."""
    shared = {token: count for token, count in frequencies.items() if count > 1}
    rarities = rarity(TokenStatistics(max(shared.values(), default=0), shared))
    return telling(importance(dict.fromkeys(shared, 1.0), rarities), shared)
