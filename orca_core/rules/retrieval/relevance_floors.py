"""Tell whether a memory is near enough at all: absolute floors, not the best of a bad lot.

What comes unasked must hold enough of what tells, however long the question is and however much else it says; what a
person asked for may be a guess.
"""

from __future__ import annotations

from math import inf

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.memories import NearBy, Nearness
from orca_core.model.recall import Shortfall
from orca_core.rules.retrieval.match_evidence import EmbedderWorth, MatchEvidence

MEANING_MASS = 12.0
"""What a cosine at the embedder's noise weighs beside words, for an embedder of full worth.
`benchmarks/recall_on_technical_turns.py` chose it on the development half, for the embedder of meaning."""
FULL_WORTH = 0.7
"""From this worth on an embedder has all of that; below it falls with the cube: hashed letters (0.25) are left a
twentieth. The same benchmark: more for letters brings nothing, less for meaning costs two of a hundred turns."""
USUAL_COSINE = 0.62
"""The cosine of what has nothing to do with each other, over the noise: it speaks neither for a memory nor against it.
The same benchmark."""
LEAST_NOISE = 0.05
"""Below this the noise of a small store was measured by luck. Chosen by hand."""
BESIDE_LOOKUPS = 2.0
"""So many times as near must be what comes unasked where the model may look up the rest.

Development (three sets, 360 pairs, 200 hopeless turns, `local`): without it 55 % of what comes is wrong, the right one
is there in 25 of 100 turns, and 7.5 % of hopeless turns get something; with it 14 %, 12 and none."""
MARGIN = 1.25
"""So many times as near as the next must it be there: what several memories share tells none of them from the others.

Development (*lives*, *lives-2*): the right ones are twice as near as the next, one of them 1.34 times; what a rare name
brought that several held was as near as the next."""
_FULL_DOUBT = 0.5
"""How far from its noise to 1 the cosine of an embedder without any worth must lie. No benchmark chose it."""


class Floor(Struct, frozen=True):
    """How near a memory must be: either figure is enough."""

    nearness: float
    """See `nearness`."""
    share: float
    """The share of the question's words, weighted by rarity."""
    standing: float = 0.0
    """Where something stands above the floor: how high each other must stand beside the best, with what its neighbours
    lend (`MatchEvidence.standing`); 0 where each stands for itself."""

    def times(self, factor: float) -> Floor:
        return replace(self, nearness=self.nearness * factor, share=self.share * factor)


_NO_SHARE = 9.0
"""More than any share: a short question is held whole by what shares one everyday word with it."""


class Floors(Struct, frozen=True):
    """One floor for each way in which a memory comes."""

    searched: Floor
    """What a person searches for, who sees a list: nobody is disturbed by what they asked for.

    Measured on LoCoMo, MemoryBank and MemDaily, whose licences keep them out of here (`benchmarks/recall_steps.py`): a
    share of the question of 0.10 for each returns 6 points of recall@5 that 0.28 throws away; a standing of 0.25 beside
    the best returns another point, and no more. docs/recall.md has the curve."""
    asked: Floor
    """What answers a question about the user in a chat, where what does not belong costs tokens. By
    `benchmarks/precision.py` half of what a turn gets belongs there at 0.4, and nothing is lost that came at 0.25."""
    open: Floor
    """What a person asked for by "what do you know of …?": the nearest, whatever they are."""
    technical: Floor
    """What comes unasked into a technical turn."""
    unasked: Floor
    """What comes unasked into any other turn: a memory so near opens the gate for itself."""
    work: Floor
    """An episode, or knowledge, that comes unasked. It names many things: one shared name (6.9) is not enough.

    `benchmarks/recall_on_technical_turns.py … --episodes FILE`, development, `local` and `meaning`: of 60 turns that
    nothing can help 2 and 5 get an episode at 2.5, 1 and 1 at 4.5, none at 7; of 100 that a memory helps 29 and 63 get
    one, 22 and 47, 12 and 29."""
    alike: Floor
    """A summary of an earlier round, a memory beside a candidate: no store tells how rare their words are, so it is a
    share of the text alone."""

    def beside_lookups(self) -> Floors:
        """The same, where the model may look up what does not come."""
        return replace(self, technical=self.technical.times(BESIDE_LOOKUPS), unasked=self.unasked.times(BESIDE_LOOKUPS))

    def times(self, factor: float) -> Floors:
        """The same, with what comes unasked so many times as near: benchmarks draw a curve by it."""
        return replace(
            self,
            technical=self.technical.times(factor),
            unasked=self.unasked.times(factor),
            work=self.work.times(factor),
        )


FLOORS = Floors(
    searched=Floor(nearness=2.7, share=0.10, standing=0.25),
    asked=Floor(nearness=2.7, share=0.10, standing=0.4),
    open=Floor(nearness=0.0, share=0.0),
    technical=Floor(nearness=2.75, share=_NO_SHARE),
    unasked=Floor(nearness=3.85, share=_NO_SHARE),
    work=Floor(nearness=7.0, share=_NO_SHARE),
    alike=Floor(nearness=inf, share=0.28),
)
"""`benchmarks/recall_on_technical_turns.py --sweep` shows what other floors for what comes unasked would bring."""


def nearness(evidence: MatchEvidence, embedding: EmbedderWorth) -> float:
    """Return what the words of the question that a memory holds weigh, and how far its cosine stands out of the
    noise."""
    if evidence.cosine is None or embedding.trust <= 0:
        return evidence.mass
    over_noise = evidence.cosine / max(embedding.noise, LEAST_NOISE)
    worth = min(1.0, embedding.trust / FULL_WORTH) ** 3
    return evidence.mass + MEANING_MASS * worth * (over_noise - USUAL_COSINE)


def shortfall(evidence: MatchEvidence, embedding: EmbedderWorth, floor: Floor) -> Shortfall:
    """Tell how near a memory came to a floor that it does not reach, by the figure that decided."""
    if floor.standing and evidence.standing > 0:
        return Shortfall(round(evidence.standing, 2), floor.standing)
    if floor.nearness == inf:
        return Shortfall(round(evidence.coverage, 2), floor.share)
    return Shortfall(round(max(0.0, nearness(evidence, embedding)), 2), floor.nearness)


def is_relevant(evidence: MatchEvidence, embedding: EmbedderWorth, floor: Floor = FLOORS.technical) -> bool:
    """Tell whether a memory stands above a floor: by what it holds of the question, or by a cosine out of all doubt."""
    if floor.standing and evidence.standing > 0:
        return evidence.standing >= floor.standing
    is_near = evidence.coverage >= floor.share or nearness(evidence, embedding) >= floor.nearness
    return is_near or is_above_noise(evidence.cosine, embedding)


def is_above_noise(cosine: float | None, embedding: EmbedderWorth) -> bool:
    """Tell whether a cosine tells by itself.

    The less an embedder is worth, the further above its noise a cosine must lie: hashed n-grams are near where letters
    are, not where meaning is.
    """
    if cosine is None or embedding.trust <= 0:
        return False
    doubt = max(0.0, 1.0 - embedding.trust) * _FULL_DOUBT
    return cosine > embedding.noise + (1.0 - embedding.noise) * doubt


KNOWS_MEANING_FROM = 0.5
"""An embedder of less worth goes by letters: its cosine would be taken for a likeness of meaning."""


def nearness_of(evidence: MatchEvidence, embedding: EmbedderWorth) -> Nearness:
    if evidence.cosine is not None and embedding.trust >= KNOWS_MEANING_FROM:
        return Nearness(round(min(1.0, max(0.0, evidence.cosine)), 2), NearBy.MEANING)
    return Nearness(round(min(1.0, evidence.coverage), 2), NearBy.WORDS)
