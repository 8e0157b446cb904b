"""Measure what speaks for a record: which of the words asked for it holds, what they tell, how near its vector is;
choose the words that are looked up. Every candidate of either search is measured by both."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.errors import EmbeddingError
from orca_core.model.llm import Vector
from orca_core.model.recall import TokenStatistics
from orca_core.rules.text.search_terms import stem

K = TypeVar("K", bound=Hashable)

UNKNOWN_TOKEN_SHARE = 0.15
"""What a word counts that no memory holds: it can tell no memory from another, but it says what is asked.

The same benchmark: at 0.05 half of the turns that nothing can help get a memory all the same (10 of 20 instead of 6),
at 0.3 the right one reaches 20 of 40 turns."""
ASSUMED_DOCUMENTS = 50
"""A younger store is treated as one of this size: in it a word would be rare that is in one memory of two.

The same benchmark has a store of ninety, where 50 changes nothing; 200 lets 22 wrong memories in instead of 18."""
FORM_WEIGHTS = {"name": 1.5, "word": 0.7, "letter": 0.1, "pair": 0.5, "character": 0.15}
"""What a token counts by its form: names tell, two neighbouring characters may be any two.

Chosen with `benchmarks/recall_on_technical_turns.py` (docs/decisions/0004)."""
ORDERING_FORM_POWER = 0.5
"""To the order, forms count with their root. `benchmarks/recall_steps.py` tells no difference between this, whole forms
and none (0.2 of recall@5); of technical turns three of eighty more have their memory first or second than without."""
DEFAULT_NOISE = 0.35
"""The embedder's noise where a store is too young to measure it. No benchmark chose it."""
MIN_NOISE_SAMPLE = 200
"""Of a hundred pairs the 99th percentile is the greatest, and one chance likeness would decide; of these the second."""


class MatchEvidence(Struct, frozen=True):
    """How a memory was found: the share of the question's words that it holds, and its cosine.

    `mass` is what the words that it holds weigh together, whatever else the question says. `words` is the mass by which
    it is ordered. `standing` is all that speaks for it, what its neighbours lend included, beside the best one
    (`score_fusion`)."""

    coverage: float = 0.0
    cosine: float | None = None
    mass: float = 0.0
    words: float = 0.0
    standing: float = 0.0


class EmbedderWorth(Struct, frozen=True):
    """What is known of the vectors of this turn: the embedder's worth (0: none at hand) and its noise."""

    trust: float = 0.0
    noise: float = DEFAULT_NOISE


def rarity(statistics: TokenStatistics) -> dict[str, float]:
    """Tell how much each token tells: inverse document frequency, smoothed; less for words that no memory holds."""
    total = max(statistics.documents, ASSUMED_DOCUMENTS)
    rarities = {}
    for token, frequency in statistics.frequencies.items():
        value = math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
        rarities[token] = value if frequency else value * UNKNOWN_TOKEN_SHARE
    return rarities


def form_of(token: str) -> str:
    """Tell which of `FORM_WEIGHTS` a token has. Technical words and what holds a digit or `_` are names."""
    if not token.isascii():
        return "character" if len(token) == 1 else "pair"
    if len(token) == 1:
        return "letter"
    return "name" if token in technical_stems() or not token.isalpha() else "word"


@cache
def technical_stems() -> frozenset[str]:
    """Names and words of the trade, as tokens."""
    tables = ("technical.words", "technical.names", "technical.short_names")
    return frozenset(stem(word.lower()) for table in tables for word in words.words(table, *words.of_whole_words()))


def importance(
    token_weights: Mapping[str, float], rarities: Mapping[str, float], form_power: float = 1.0
) -> dict[str, float]:
    """Return what each word of a question counts: its weight there, its form and its rarity."""
    return {
        token: weight * FORM_WEIGHTS[form_of(token)] ** form_power * rarities.get(token, 0.0)
        for token, weight in token_weights.items()
    }


def matched_mass(matched: Collection[str], important: Mapping[str, float]) -> float:
    """Return what the words that were found count together."""
    return math.fsum(important[token] for token in matched if token in important)


def coverage(matched: Collection[str], token_weights: Mapping[str, float], rarities: Mapping[str, float]) -> float:
    """The share of the question's words that were found, weighted by rarity: 0 to 1."""
    important = importance(token_weights, rarities)
    whole = math.fsum(important.values())
    return matched_mass(matched, important) / whole if whole else 0.0


def evidence_of(
    tokens_of: Mapping[K, Collection[str]],
    cosines: Mapping[K, float],
    token_weights: Mapping[str, float],
    statistics: TokenStatistics,
) -> dict[K, MatchEvidence]:
    """Return what words and vectors say of each of these texts, given by their tokens."""
    rarities = rarity(statistics)
    important = importance(token_weights, rarities)
    ordering = importance(token_weights, rarities, ORDERING_FORM_POWER)
    whole = math.fsum(important.values())
    asked = frozenset(important)
    found = {}
    for key, tokens in tokens_of.items():
        held = asked.intersection(tokens)
        told = math.fsum([important[token] for token in held]) if held else 0.0
        orders = math.fsum([ordering[token] for token in held]) if held else 0.0
        found[key] = MatchEvidence(told / whole if whole else 0.0, cosines.get(key), told, orders)
    return found


def noise_of(random_cosines: Sequence[float]) -> float:
    """The 99th percentile of random pairs: what is no nearer says nothing."""
    if len(random_cosines) < MIN_NOISE_SAMPLE:
        return DEFAULT_NOISE
    ordered = sorted(random_cosines)
    return max(0.0, ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))])


MAX_TOKENS = 32
"""Chosen by hand: what is nominated is measured by all words, so `benchmarks/recall_steps.py`, whose stores are small,
tells no difference from the 24 rarest."""
MAX_POSTINGS = 3_000
"""The most index entries that one search may read, for common words have many. Chosen by hand; `benchmarks/stores.py`
measures the search."""


ONLY_ONE = 10
"""So many times as many entries the only word may have. Chosen by hand: what is held by more tells nothing."""


def most_telling_words(
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


def most_telling_words_of_record(frequencies: Mapping[str, int]) -> list[str]:
    """The words of an indexed record that tell most of what else holds them: a word that it alone holds finds nothing
    but itself, and there are many of these."""
    shared = {token: count for token, count in frequencies.items() if count > 1}
    rarities = rarity(TokenStatistics(max(shared.values(), default=0), shared))
    return most_telling_words(importance(dict.fromkeys(shared, 1.0), rarities), shared)


SMALLEST_NORM = 1e-6
"""A shorter vector has no direction. Chosen by hand."""


def check_vectors(vectors: Sequence[Vector], texts: int, model: str, dimensions: int) -> list[Vector]:
    """The vectors, one a text, each of the model's width and of a length. Raises EmbeddingError: another answer to the
    same text would be the same."""
    try:
        widths = [len(each) for each in vectors]
        lengths = [math.hypot(*each) for each in vectors]
    except (TypeError, ValueError, OverflowError) as error:
        raise _bad(model, "one of its vectors can not be read") from error
    if len(widths) != texts:
        raise _bad(model, f"it gave {len(widths)} vectors for {texts} texts")
    for width in widths:
        if width != dimensions:
            raise EmbeddingError(
                template="{provider}: vectors of {found} numbers, where {wanted} were expected",
                retryable=False,
                provider=model,
                found=width,
                wanted=dimensions,
            )
    if not all(math.isfinite(length) and length >= SMALLEST_NORM for length in lengths):
        raise _bad(model, "one of its vectors is no direction (zero or not a number)")
    return list(vectors)


def _bad(model: str, detail: str) -> EmbeddingError:
    return EmbeddingError(retryable=False, provider=model, detail=detail)


FAILURES_TO_OPEN = 3
RETRY_AFTER_S = 60.0
"""Chosen by hand. A failure may cost a turn `embedding.query_timeout`: three turns wait, then none for a minute."""


class Circuit(Struct, frozen=True):
    """Failures in a row, and since when it has been open (None: it is closed)."""

    failures: int = 0
    opened_at: float | None = None


def after_failure(circuit: Circuit, now: float) -> Circuit:
    """Three in a row open it; a failed new try opens it for another while."""
    failures = circuit.failures + 1
    return Circuit(failures, now if failures >= FAILURES_TO_OPEN else None)


def after_success(circuit: Circuit) -> Circuit:
    return replace(circuit, failures=0, opened_at=None)


def is_closed(circuit: Circuit, now: float, retry_after_s: float = RETRY_AFTER_S) -> bool:
    """Tell whether a call may go through: always while closed, and again when it has been open for so long."""
    return circuit.opened_at is None or now - circuit.opened_at >= retry_after_s
