"""Memories that the verifier has not answered about: claimed to be asked about once more, by runs of their own, which
tell how often that was tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from orca_core.model.learning import Learnt, Proposal, RunEnd, RunKind, RunState, Settle, UnverifiedBatch, WaitS
from orca_core.model.memories import MEMORIES, Memory
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import MEMORY, memory_ref
from orca_core.operations import asking_again, runs
from orca_core.operations.asking_again import Again
from orca_core.operations.queue import REPLACED, Runs
from orca_core.operations.records import memories_there
from orca_core.operations.rounds import read_rounds
from orca_core.operations.settlements import Settlements
from orca_core.store.ports import Rows

AROUND = 3
"""So many rounds before and after those of a candidate are read with them: a game may be opened before. Chosen by
hand."""


class Unverified(Runs):
    """The candidates of one scope that wait for the verifier."""

    async def claim_unverified(
        self, now: datetime, besides: Sequence[str], wait_s: WaitS, *, is_wanted: bool
    ) -> UnverifiedBatch | None:
        again = Again(now, wait_s, RunKind.EXTRACT, is_wanted)

        def due(rows: Rows) -> Mapping[str, Sequence[Memory]]:
            return asking_again.due(rows, MEMORIES, again)

        if not await self._transactions.read(lambda rows: due(rows) or asking_again.cut_short(rows, MEMORY)):
            return None

        def write(rows: Rows) -> UnverifiedBatch | None:
            asking_again.end_cut_short(rows, MEMORY, now)
            for session_id, waiting in due(rows).items():
                if session_id not in besides and (batch := self._claimed(rows, session_id, waiting, now)):
                    return batch
            return None

        return await self._transactions.write(write)

    async def finish_unverified(
        self,
        batch: UnverifiedBatch,
        proposals: Sequence[Proposal],
        held: Mapping[int, str],
        settle: Settle,
        ended: RunEnd,
    ) -> Learnt | None:
        def write(rows: Rows) -> Learnt | None:
            if not self._is_current(rows, batch):
                runs.end(rows, batch.run, RunState.NONE, ended, error=REPLACED)
                return None
            header = OperationHeader(Actor.EXTRACTION, "verify", ended.at, batch.session_id, batch.rounds[-1].number)
            settlements = Settlements(rows, self._types, self._settings, header, batch, settle)
            there = memories_there(rows, list(batch.candidates))
            waiting = {memory.id for memory in there if asking_again.waits_for_it(rows, MEMORIES, memory)}
            for proposal in proposals:
                if waiting.intersection(proposal.nominated):
                    settlements.take(proposal)
            for memory_id in sorted(waiting & held.keys()):
                settlements.operation.change(memory_ref(memory_id), {"held_because": held[memory_id]})
            learnt = settlements.learnt(())
            learnt = replace(learnt, operation=settlements.operation.number)
            state = RunState.NONE if learnt.operation is None else RunState.DONE
            runs.end(rows, batch.run, state, ended, operation=learnt.operation, result=runs.result_of(learnt, ended))
            return learnt

        return await self._transactions.write(write)

    def _claimed(self, rows: Rows, session_id: str, waiting: Sequence[Memory], now: datetime) -> UnverifiedBatch | None:
        """A run about as many candidates of one session as one question takes, with the rounds that they stand on and
        some around each; None where none of these is there any more."""
        candidates, there = asking_again.whole(rows, session_id, waiting)
        if not candidates:
            return None
        steps = range(-AROUND, AROUND + 1)
        near = {number + step for each in candidates for number in each.origin.rounds for step in steps}
        rounds = read_rounds(rows, [there[number] for number in sorted(near & there.keys())])
        ids = tuple(each.id for each in candidates)
        run = asking_again.begin(rows, session_id, MEMORY, ids, rounds, now)
        return UnverifiedBatch(run, RunKind.VERIFY, session_id, rounds, 1, is_again=True, candidates=ids)
