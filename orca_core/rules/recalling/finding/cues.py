"""How near a question is to a memory's cues: both must say much of each other.

A cue adds to what its own memory holds of the question, in the same figures, so that floors and order need to know
nothing of it; and it counts for less, the less of it the question says. One word in common, or a small part of either,
counts nothing: else a cue of everyday words would bring its memory on any day."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.domain.recall import CueHit, TokenStatistics
from orca_core.rules.recalling.finding.evidence import (
    FORM_WEIGHTS,
    Embedding,
    Evidence,
    form_of,
    importance,
    mass,
    rarity,
    technical_terms,
)
from orca_core.rules.recalling.finding.floors import LEAST_NOISE
from orca_core.rules.recalling.finding.fusion import Relevance

CUES_FROM_TRUST = 0.5
"""From this worth of an embedder on, cues get vectors: hashed letters (0.25) know of them what their words tell.
Chosen by hand."""
LEAST_WORDS = 2
"""`benchmarks/recall_on_technical_turns.py --cues`, development half: one everyday word would be enough for one more of
a hundred turns to get what it should; it stands against cues that were made to come on any day."""
LEAST_OF_CUE = 0.25
LEAST_OF_QUESTION = 0.2
"""The same: nothing comes out otherwise without the two, two turns of a hundred are lost at 0.3."""
SHARE_POWER = 0.35
"""How fast a cue counts less where less of it is said. At 0.5 two turns of a hundred less get what they should, at 1
five, and of what comes as much more is wrong."""
ORDERING_SHARE = 1.5
"""What a cue's words count in the order beside the memory's own; at 0.8 two turns of a hundred less."""
MEANING_MASS = 20.0
FROM_NOISE = 0.9
MOST_MEANING = 2.0
"""What the cosine of a cue counts beside words: from this share of the noise on, as floors count cosines, and at most
so much, which is below every floor: a vector of a cue alone brings nothing. The same benchmark with vectors of
meaning: 67 turns instead of 61; from 0.8 on 68, but two more of sixty hopeless ones get something."""
ORDERING_BY_MEANING = 2.0
"""What the vectors of cues count in the order beside those of the memories. The same benchmark with vectors of meaning:
the right memory is in a slot for 67 turns of a hundred, without for 66."""
SPREAD_OVER_NOISE = 0.4
"""How far the cosines of cues spread, beside the noise: in the working lives of the benchmark 0.15 to 0.35, and from
0.15 to 0.4 it comes out the same. The spread of those that were found would say nothing where they are few."""
MOST_MEMORIES = 12
"""So many memories the cues nominate. Chosen by hand."""
CUES_WITH_A_WORD = 2.0
"""In so many cues of its memory a word of them stands on average. Chosen by hand."""


class CueMatches(Struct, frozen=True):
    """The nearest cue of each memory, by its number: the words that it shares with the question, and how much they
    count. `weights` are what each word of the question counts, where cues are looked at, too. `cosines` are those of
    the nearest cue of each memory, where cues have vectors. `by_hand` are the memories whose cues a person wrote."""

    words: Mapping[int, tuple[frozenset[str], float]] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    cosines: Mapping[int, float] = field(default_factory=dict)
    by_hand: frozenset[int] = frozenset()

    @property
    def speaks(self) -> bool:
        """Whether a cue says anything of any memory."""
        return bool(self.words or self.cosines)


def words_of_cues(tokens: Iterable[str]) -> list[str]:
    """Those of a question's words that are looked for in cues: no letters, no single characters."""
    return [token for token in tokens if form_of(token) not in ("letter", "character")]


def weights_with_cues(
    token_weights: Mapping[str, float], memories: TokenStatistics, cues: Mapping[str, int]
) -> dict[str, float]:
    """What each word of a question counts, by how many memories hold it in what they say or in a cue; of `cues` is
    known how many hold it."""
    held = {
        token: min(memories.documents, memories.frequencies.get(token, 0) + math.ceil(count / CUES_WITH_A_WORD))
        for token, count in cues.items()
    }
    return importance(token_weights, rarity(TokenStatistics(memories.documents, held)))


def best_matches(hits: Iterable[CueHit], weights: Mapping[str, float]) -> CueMatches:
    """The nearest cue of each memory. Cues are not added up: no memory gains by having many."""
    whole = math.fsum(weights.values())
    best: dict[int, tuple[frozenset[str], float]] = {}
    by_hand: set[int] = set()
    for hit in hits:
        if hit.by_hand:
            by_hand.add(hit.ref.id)
        shared = hit.tokens & weights.keys()
        if _words_in(shared) < LEAST_WORDS:
            continue
        of_cue, found = _form_mass(shared) / _form_mass(hit.tokens), mass(shared, weights)
        if of_cue < LEAST_OF_CUE or found < LEAST_OF_QUESTION * whole:
            continue
        share = of_cue**SHARE_POWER
        known = best.get(hit.ref.id)
        if known is None or share * found > known[1] * mass(known[0], weights):
            best[hit.ref.id] = (shared, share)
    strongest = sorted(best, key=lambda number: (-best[number][1] * mass(best[number][0], weights), number))
    nearest = {number: best[number] for number in strongest[:MOST_MEMORIES]}
    return CueMatches(nearest, weights, by_hand=frozenset(by_hand))


def with_cues(
    evidence: Mapping[int, Evidence],
    tokens_of: Mapping[int, Collection[str]],
    cues: CueMatches,
    embedding: Embedding,
) -> dict[int, Evidence]:
    """The evidence, in which each memory also holds the words that only its nearest cue shares with the question, and
    what the nearest one means."""
    added = {
        number: share * mass(shared.difference(tokens_of[number]), cues.weights)
        for number, (shared, share) in cues.words.items()
        if number in evidence
    }
    everyday = {
        number for number in added if number not in cues.by_hand and not tells(cues.words[number][0], tokens_of[number])
    }
    meant = {number: _meaning(cosine, embedding) for number, cosine in cues.cosines.items()}
    changed = {
        number: replace(
            evidence[number],
            mass=evidence[number].mass + added.get(number, 0.0) + meant.get(number, 0.0),
            words=evidence[number].words + ORDERING_SHARE * added.get(number, 0.0),
            everyday=added[number] if number in everyday else 0.0,
        )
        for number in evidence.keys() & (added.keys() | meant.keys())
    }
    return {number: changed.get(number, each) for number, each in evidence.items()} if changed else dict(evidence)


def tells(shared: Collection[str], own: Collection[str]) -> bool:
    """Whether the words that a question shares with a cue may bring its memory into an everyday turn: where the memory
    is about the trade or holds one of them itself, or one of them is a number or a word of the trade. What any day says
    and the memory does not ("good morning") tells nothing, unless a person wrote it.

    `benchmarks/recall_on_technical_turns.py --cues`, development half: two turns of a hundred lose their memory by it,
    one with vectors of meaning, that only everyday words of its cues had brought."""
    return any(token in own or token.isdecimal() for token in shared) or any(map(_is_of_the_trade, (*own, *shared)))


def _is_of_the_trade(token: str) -> bool:
    """Not a day on which something was said."""
    is_name = form_of(token) == "name" and not token.isdecimal() and not token.startswith("d_")
    return is_name or token in technical_terms()


def with_meaning_of_cues(
    relevant: Mapping[int, Relevance], cues: CueMatches, embedding: Embedding
) -> dict[int, Relevance]:
    """The relevance of each memory, more for what the cosine of its nearest cue is above the noise. A cosine counts by
    itself, not by what the other cues' are: they may be few, and all of them far."""
    noise = max(embedding.noise, LEAST_NOISE)
    share = ORDERING_BY_MEANING * embedding.trust
    meant = {
        number: relevant[number].plus(Relevance(vector=max(0.0, cosine - noise) / (SPREAD_OVER_NOISE * noise)), share)
        for number, cosine in cues.cosines.items()
        if number in relevant
    }
    return {number: meant.get(number, each) for number, each in relevant.items()} if meant else dict(relevant)


def _meaning(cosine: float, embedding: Embedding) -> float:
    over_noise = cosine / max(embedding.noise, LEAST_NOISE)
    return min(MOST_MEANING, MEANING_MASS * embedding.trust**2 * max(0.0, over_noise - FROM_NOISE))


def _form_mass(tokens: Iterable[str]) -> float:
    return math.fsum(FORM_WEIGHTS[form_of(token)] for token in tokens)


def _words_in(tokens: Iterable[str]) -> int:
    """How many of them are words: no concepts, letters or single characters. A name tells as much as two."""
    return sum(_WORDS[form_of(token)] for token in tokens)


_WORDS = {"concept": 0, "name": 2, "word": 1, "letter": 0, "pair": 1, "character": 0}
