"""Settles the facts of one run, one by one, inside the transaction that ends the run."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from orca_core.model.learning import Batch, DroppedFact, Known, Learnt, Proposal, Settle, Settlement, StoredFact
from orca_core.model.memories import Added, Memory, NewMemory, SaidAgain, State
from orca_core.model.operations import DELETED, OperationHeader
from orca_core.operations import known, pairs
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows

BROUGHT_BACK = (Added.PROMOTED, Added.RESTORED)
MAX_SIMILAR = 5
"""Chosen by hand."""


class Settlements:
    """One operation for all that a run changes."""

    def __init__(
        self,
        rows: Rows,
        types: RecordTypes,
        settings: MemorySettings,
        header: OperationHeader,
        batch: Batch,
        settle: Settle,
    ) -> None:
        self._rows = rows
        self._types = types
        self._settings = settings
        self._earlier = known.from_same_rounds(rows, batch)
        self._header = header
        self._settle = settle
        self._operation = OpenOperation(rows, types, settings, header)
        self._stored: list[StoredFact] = []
        self._confirmed: list[int] = []
        self._replaced: list[tuple[int, int]] = []
        self._dropped: list[DroppedFact] = []

    @property
    def operation(self) -> OpenOperation:
        return self._operation

    def take(self, proposal: Proposal) -> int | None:
        """Carry out what the rule decides for one fact, compared with the memories as they are now. Returns the memory
        that says it by now; None where there is none."""
        own = [fact.memory.id for fact in self._stored]
        beside = known.beside(self._rows, self._types, proposal, own, self._earlier)
        heard = beside.heard | set(self._confirmed)
        settlement = self._settle(proposal, replace(beside, heard=heard))
        if settlement.reason:
            self._dropped.append(DroppedFact(proposal.new.content, settlement.reason))
        elif settlement.known is not None and settlement.again is not None:
            [same] = [memory for memory in beside.memories if memory.id == settlement.known]
            if settlement.again.outcome in BROUGHT_BACK and self._operation.is_deleted(same):
                self._dropped.append(DroppedFact(proposal.new.content, DELETED))
                return None
            self._say_again(same, settlement.again, settlement.outdated_by)
            self._operation.put_away(settlement.moot)
            self._list_pairs(same, settlement, proposal, beside)
            return same.id
        elif settlement.store is not None:
            said, stored = self._store(settlement.store, settlement, proposal)
            if stored is not None:
                self._operation.put_away(settlement.moot)
                self._list_pairs(stored, settlement, proposal, beside)
            return said
        return None

    def learnt(self, dropped: Sequence[DroppedFact]) -> Learnt:
        """The outcome of all facts; `dropped` were refused before."""
        return Learnt(
            stored=tuple(fact for fact in self._stored if fact.memory.state is State.LIVE),
            confirmed=tuple(dict.fromkeys(self._confirmed)),
            replaced=tuple(self._replaced),
            candidates=tuple(fact for fact in self._stored if fact.memory.state is State.CANDIDATE),
            dropped=(*dropped, *self._dropped),
            operation=self._operation.number,
        )

    def _say_again(self, same: Memory, decided: SaidAgain, outdated_by: int | None) -> None:
        addition = self._operation.say_again(same, decided)
        self._replaced += [(old, same.id) for old in addition.superseded]
        if outdated_by is not None:
            self._outdate(same.id, outdated_by)
        elif addition.outcome is Added.CONFIRMED:
            self._confirmed.append(same.id)
        else:
            self._stored.append(StoredFact(addition.memory, ()))

    def _store(self, new: NewMemory, settlement: Settlement, proposal: Proposal) -> tuple[int | None, Memory | None]:
        """The number of the memory that says it, None where it was dropped; and the memory, where it was made."""
        addition = self._operation.add(new)
        if addition.outcome is Added.DROPPED:
            self._dropped.append(DroppedFact(new.content, addition.reason))
            return None, None
        if addition.outcome is Added.CONFIRMED:
            self._confirmed.append(addition.memory.id)
            return addition.memory.id, None
        memory = addition.memory
        similar = tuple(each for each in proposal.nominated if each != memory.id)[:MAX_SIMILAR]
        if settlement.outdated_by is not None:
            self._outdate(memory.id, settlement.outdated_by)
            return memory.id, None
        self._stored.append(StoredFact(memory, similar))
        if memory.state is State.LIVE:
            archived = self._operation.supersede(settlement.supersedes, by=memory.id)
            self._replaced += [(old, memory.id) for old in archived]
        return memory.id, memory

    def _outdate(self, memory_id: int, newer: int) -> None:
        self._operation.supersede([memory_id], by=newer)
        self._replaced.append((memory_id, newer))

    def _list_pairs(self, said: Memory, settlement: Settlement, proposal: Proposal, beside: Known) -> None:
        others = {memory.id: memory for memory in beside.memories}
        for other, why in settlement.undecided:
            pairs.list_pair(self._rows, said, proposal.new.origin, others[other], why, self._header.at)
