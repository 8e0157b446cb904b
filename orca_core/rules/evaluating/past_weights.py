"""The weights of memories through stored turns, moved by given settings.

What an answer did with a memory is known only where the memory stood before the model: one that would have come besides
moves nothing. What a person changed between two turns is taken over as it was."""

from __future__ import annotations

from collections.abc import Collection

from orca_core.domain.dataclass import dataclass
from orca_core.domain.memories import Status, Use
from orca_core.domain.recall import Receipt, WeightMove
from orca_core.domain.refs import Ref
from orca_core.rules.keeping.weights import DIGITS, moved
from orca_core.settings import MemorySettings


@dataclass(slots=True)
class PastWeight:
    """One memory: its weight by these settings, and `stored` as the turns so far left it."""

    content: str
    weight: float
    stored: float
    is_archived: bool = False
    was_archived: bool = False

    @property
    def is_reproduced(self) -> bool:
        """Whether these settings give what is stored."""
        return self.weight == self.stored and self.is_archived == self.was_archived


class PastWeights:
    """All memories that turns moved."""

    def __init__(self, memory: MemorySettings) -> None:
        self.memories: dict[Ref, PastWeight] = {}
        self._memory = memory

    @property
    def archived(self) -> frozenset[Ref]:
        """Those that would be archived by now."""
        return frozenset(ref for ref, each in self.memories.items() if each.is_archived)

    def take(self, receipt: Receipt, injected: Collection[Ref]) -> None:
        """Move the weights that the turn moved, of the memories that are put before the model."""
        judged = receipt.references
        uses = {**dict.fromkeys(judged.used, Use.USED), **dict.fromkeys(judged.unused, Use.UNUSED)}
        items = {each.ref: each for each in receipt.injection.injected}
        for move in receipt.weights:
            item = items.get(move.ref)
            known = self.memories.get(move.ref)
            if known is None:
                known = PastWeight(item.content if item else "", move.before, move.before)
                self.memories[move.ref] = known
            _take_over(known, move)
            if move.ref in injected and not known.is_archived:
                self._move(known, uses.get(move.ref, Use.UNKNOWN), is_pinned=bool(item and item.pinned))
            known.stored = move.after
            known.was_archived = move.status is Status.ARCHIVED

    def _move(self, known: PastWeight, use: Use, *, is_pinned: bool) -> None:
        long_term = self._memory.long_term
        known.weight = moved(known.weight, use, pinned=is_pinned, weights=self._memory.weights, long_term=long_term)
        known.is_archived = known.weight < long_term.archive_threshold and not is_pinned


def _take_over(known: PastWeight, move: WeightMove) -> None:
    """What happened to it since the turn before: a memory that was archived and stands before a model again was
    restored."""
    if known.was_archived:
        known.is_archived, known.was_archived, known.weight = False, False, move.before
    elif move.before != known.stored:
        known.weight = round(max(known.weight + move.before - known.stored, 0.0), DIGITS)
    known.stored = move.before
