"""Rounds that wait to be learnt from, and candidates that wait for the verifier: claimed, settled and ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.learning import (
    OPEN_STATES,
    Batch,
    Choose,
    DroppedFact,
    Due,
    KnownMemories,
    LearntFacts,
    OpenRun,
    Proposal,
    Queue,
    Resolution,
    RunEnd,
    RunKind,
    RunState,
    Settle,
    StoredFact,
    UnverifiedBatch,
    WaitingSession,
    WaitS,
)
from orca_core.model.memories import MEMORIES, Added, Memory, NewMemory, SaidAgain, State
from orca_core.model.operations import DELETED, Actor, OperationHeader
from orca_core.model.record_types import memory_ref, parse_timestamp
from orca_core.model.sessions import Round
from orca_core.operations import known_memories, memory_pairs, runs, supports, verifier_retries
from orca_core.operations.operations import OpenOperation, ScopedStore
from orca_core.operations.queue import REPLACED, BegunRun, Claim, ClaimMaterial, SessionRuns, next_batch
from orca_core.operations.records import RecordTypes, memories_there
from orca_core.operations.rounds import read_rounds
from orca_core.operations.runs import RunRecord
from orca_core.operations.tombstones import Tombstones
from orca_core.operations.verifier_retries import Again, VerifierRetries
from orca_core.rules.learning.run_schedule import due_session, is_fold_due, is_run_due
from orca_core.settings import MemorySettings
from orca_core.store.ports import Condition, Rows, above, any_of, at_most, is_, is_not

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
        self._earlier = known_memories.from_same_rounds(rows, batch)
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
        beside = known_memories.beside(self._rows, self._types, proposal, own, self._earlier)
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

    def learnt(self, dropped: Sequence[DroppedFact]) -> LearntFacts:
        """The outcome of all facts; `dropped` were refused before."""
        return LearntFacts(
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

    def _store(self, new: NewMemory, settlement: Resolution, proposal: Proposal) -> tuple[int | None, Memory | None]:
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

    def _list_pairs(self, said: Memory, settlement: Resolution, proposal: Proposal, beside: KnownMemories) -> None:
        others = {memory.id: memory for memory in beside.memories}
        for other, why in settlement.undecided:
            memory_pairs.list_pair(self._rows, said, proposal.new.origin, others[other], why, self._header.at)


AROUND = 3
"""So many rounds before and after those of a candidate are read with them: a game may be opened before. Chosen by
hand."""


class UnverifiedMemories(SessionRuns, VerifierRetries):
    """The candidates of one scope that wait for the verifier."""

    async def claim_unverified(
        self, now: datetime, besides: Sequence[str], wait_s: WaitS, *, is_wanted: bool
    ) -> UnverifiedBatch | None:
        return await self.claim_retry(MEMORIES, Again(now, wait_s, RunKind.EXTRACT, is_wanted), besides, AROUND)

    async def finish_unverified(
        self,
        batch: UnverifiedBatch,
        proposals: Sequence[Proposal],
        held: Mapping[int, str],
        settle: Settle,
        ended: RunEnd,
    ) -> LearntFacts | None:
        def write(rows: Rows) -> LearntFacts | None:
            if not self._is_current(rows, batch):
                runs.end(rows, batch.run, RunState.NONE, ended, error=REPLACED)
                return None
            header = OperationHeader(Actor.EXTRACTION, "verify", ended.at, batch.session_id, batch.rounds[-1].number)
            settlements = Settlements(rows, self._types, self._settings, header, batch, settle)
            there = memories_there(rows, list(batch.candidates))
            waiting = {memory.id for memory in there if verifier_retries.waits_for_it(rows, MEMORIES, memory)}
            for proposal in proposals:
                if waiting.intersection(proposal.nominated):
                    settlements.take(proposal)
            for memory_id in sorted(waiting & held.keys()):
                settlements.operation.change(memory_ref(memory_id), {"held_because": held[memory_id]})
            learnt = settlements.learnt(())
            state = RunState.NONE if learnt.operation is None else RunState.DONE
            runs.end(rows, batch.run, state, ended, operation=learnt.operation, result=runs.result_of(learnt, ended))
            return learnt

        return await self._transactions.write(write)


NOTHING_TOLD = "…"
"""Stands for a summary of which nothing may be told: an empty one would be written again and again."""


class Fold(ClaimMaterial, frozen=True, kw_only=True):
    """Rounds, and the summary that they are folded into."""

    summary: str


class SummaryFolds(ScopedStore):
    """The summaries of one scope's sessions."""

    async def summary(self, session_id: str) -> tuple[str, int]:
        return await self._transactions.read(lambda rows: _summary(rows, session_id))

    async def folds_due(self, now: datetime) -> list[str]:
        def read(rows: Rows) -> list[str]:
            waiting = runs.open_runs(rows, RunKind.SUMMARIZE)
            return list(dict.fromkeys(run.session_id for run in waiting if is_fold_due(run, now)))

        return await self._transactions.read(read)

    async def claim_fold(self, session_id: str, through: int, now: datetime) -> Batch | None:
        def behind_it(rows: Rows) -> Fold | None:
            summary, covered = _summary(rows, session_id)
            behind = (is_("session_id", session_id), above("number", covered), at_most("number", through))
            rounds = read_rounds(rows, [row[0] for row in rows.select("rounds", ("id",), *behind)])
            return Fold(session_id=session_id, rounds=rounds, summary=summary) if rounds else None

        def fresh(rows: Rows, begun: Sequence[OpenRun]) -> Fold | None:
            return None if any(run.session_id == session_id for run in begun) else behind_it(rows)

        def batch(_rows: Rows, begun: BegunRun, found: Fold) -> Batch:
            return Batch(begun.run, RunKind.SUMMARIZE, session_id, found.rounds, begun.tries, summary=found.summary)

        claim = Claim(
            kind=RunKind.SUMMARIZE,
            now=now,
            is_due=lambda run: run.session_id == session_id and is_fold_due(run, now),
            left=lambda rows, _run: behind_it(rows),
            fresh=fresh,
            batch=batch,
        )
        return await self._transactions.write(lambda rows: next_batch(rows, claim))

    async def fold(self, batch: Batch, summary: str, ended: RunEnd) -> bool:
        def write(rows: Rows) -> bool:
            before, _ = _summary(rows, batch.session_id)
            ids = [each.id for each in batch.rounds]
            if before != batch.summary or len(read_rounds(rows, ids)) != len(ids):
                # its exchange may summarise deleted rounds
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=REPLACED)
                return False
            told = Tombstones(rows).without_deleted(summary)
            folded = {"summary": told.strip() or NOTHING_TOLD, "summary_through": batch.rounds[-1].number}
            rows.update("sessions", folded, is_("id", batch.session_id))
            runs.end(rows, batch.run, RunState.DONE, ended)
            return True

        return await self._transactions.write(write)


CHOSEN_AMONG = 32
"""So many rounds are read first of those that wait. Chosen by hand: as a rule fewer fit into one run."""
_NEW, _CLAIMED, _DONE = "new", "claimed", "done"
_UNENDED = tuple(state.value for state in (RunState.RUNNING, *OPEN_STATES))


class ClaimedRounds(ClaimMaterial, frozen=True, kw_only=True):
    """Rounds, and those of them that nobody has claimed yet."""

    new: tuple[int, ...] = ()


class LearningQueue(UnverifiedMemories, SummaryFolds, RunRecord):
    """The rounds of one scope that wait to be learnt from, what waits for the verifier, summaries, and all runs."""

    async def queue(self) -> Queue:
        """How much waits, how runs stand, and how the last ones ended."""
        return await self._transactions.read(_queue, own=True)

    async def claim(self, due: Due, choose: Choose) -> Batch | None:
        def write(rows: Rows) -> Batch | None:
            # Replaced rounds are never read: without them every due session has something to claim.
            _drop_replaced(rows)
            return next_batch(rows, self._of_due(due, choose))

        return await self._transactions.write(write)

    async def claim_again(self, session_id: str, after_round: int, now: datetime, choose: Choose) -> Batch | None:
        def write(rows: Rows) -> Batch | None:
            if not rows.count("sessions", is_("id", session_id)):
                raise NotFound(what="session", id=session_id)
            finished = (is_("session_id", session_id), is_("state", "done"), above("number", after_round))
            standing = rows.select("rounds", ("id",), *finished, is_("replaced_by", None), order=("number",))
            taken = self._chosen(rows, [row[0] for row in standing], choose)
            if not taken:
                return None
            ids = [each.id for each in taken]
            run = runs.begin(rows, session_id, RunKind.EXTRACT, ids, now, again=True)
            return Batch(run, RunKind.EXTRACT, session_id, taken, 1, left=len(standing) - len(taken), is_again=True)

        return await self._transactions.write(write)

    async def finish_run(
        self, batch: Batch, proposals: Sequence[Proposal], dropped: Sequence[DroppedFact], settle: Settle, ended: RunEnd
    ) -> LearntFacts | None:
        def write(rows: Rows) -> LearntFacts | None:
            if not self._stands(rows, batch):
                _let_go(rows, batch, ended)
                return None
            number = batch.rounds[-1].number if batch.rounds else None
            header = OperationHeader(Actor.EXTRACTION, "extract", ended.at, batch.session_id, number)
            settlements = Settlements(rows, self._types, self._settings, header, batch, settle)
            for proposal in proposals:
                memory = settlements.take(proposal)
                if memory is not None:
                    supports.add_rounds(rows, settlements.operation, memory, proposal.new)
            learnt = settlements.learnt(dropped)
            rows.update("dialogue_buffer", {"state": _DONE}, is_("run", batch.run))
            changed = learnt.stored or learnt.confirmed or learnt.candidates
            state = RunState.DONE if changed or learnt.dropped else RunState.NONE
            runs.end(rows, batch.run, state, ended, operation=learnt.operation, result=runs.result_of(learnt, ended))
            return learnt

        return await self._transactions.write(write)

    def _of_due(self, due: Due, choose: Choose) -> Claim[ClaimedRounds, Batch]:
        def left(rows: Rows, run: OpenRun) -> ClaimedRounds | None:
            rounds = read_rounds(rows, run.rounds if run.is_again else _claimed_ids(rows, run.id))
            return ClaimedRounds(session_id=run.session_id, rounds=rounds) if rounds else None

        def fresh(rows: Rows, _begun: Sequence[OpenRun]) -> ClaimedRounds | None:
            session_id = due_session(_waiting(rows), due)
            return None if session_id is None else self._unclaimed(rows, session_id, due, choose)

        def batch(rows: Rows, begun: BegunRun, found: ClaimedRounds) -> Batch:
            if found.new:
                claimed = {"state": _CLAIMED, "run": begun.run}
                rows.update("dialogue_buffer", claimed, any_of("round_id", found.new))
            return Batch(
                begun.run,
                RunKind.EXTRACT,
                found.session_id,
                found.rounds,
                begun.tries,
                left=found.left,
                is_again=begun.is_again,
            )

        return Claim(
            kind=RunKind.EXTRACT,
            now=due.now,
            is_due=lambda run: is_run_due(run, due, due.now),
            left=left,
            fresh=fresh,
            batch=batch,
        )

    def _unclaimed(self, rows: Rows, session_id: str, due: Due, choose: Choose) -> ClaimedRounds:
        waiting = rows.select("dialogue_buffer", ("round_id",), is_("session_id", session_id), is_("state", _NEW))
        counting = (any_of("id", [row[0] for row in waiting]), is_("replaced_by", None))
        numbers = [row[0] for row in rows.select("rounds", ("id",), *counting, order=("number",), limit=due.most)]
        taken = self._chosen(rows, numbers, choose)
        assert taken  # an empty batch would be claimed again for ever
        new = tuple(each.id for each in taken)
        return ClaimedRounds(session_id=session_id, rounds=taken, left=len(numbers) - len(taken), new=new)

    def _chosen(self, rows: Rows, numbers: Sequence[int], choose: Choose) -> tuple[Round, ...]:
        """The first of these rounds, as many as are chosen. All of a long chat may wait: no more are read under the
        lock than are needed to choose."""
        most = CHOSEN_AMONG
        while True:
            rounds = read_rounds(rows, numbers[:most])
            count = choose(rounds)
            if count < len(rounds) or most >= len(numbers):
                return rounds[:count]
            most *= 2

    def _stands(self, rows: Rows, batch: Batch) -> bool:
        """Whether every round that was read is still the one that counts."""
        if not self._are_all_there(rows, batch.rounds):
            return False
        ids = {each.id for each in batch.rounds}
        # Rounds are queued in the order in which they ended, and read in the order in which they were asked.
        return batch.is_again or set(_claimed_ids(rows, batch.run)) == ids


def _drop_replaced(rows: Rows) -> None:
    queued = rows.select("dialogue_buffer", ("id", "round_id"), any_of("state", (_NEW, _CLAIMED)))
    if not queued:
        return
    counting = any_of("id", [round_id for _, round_id in queued])
    there = {row[0] for row in rows.select("rounds", ("id",), counting, is_("replaced_by", None))}
    if dropped := [number for number, round_id in queued if round_id not in there]:
        rows.delete("dialogue_buffer", any_of("id", dropped))


def _waiting(rows: Rows) -> list[WaitingSession]:
    """Sessions with rounds that nobody has claimed."""
    queued: dict[str, list[int]] = {}
    for number, session_id in rows.select("dialogue_buffer", ("id", "session_id"), is_("state", _NEW)):
        queued.setdefault(session_id, []).append(number)
    if not queued:
        return []
    [[newest]] = rows.select("sessions", ("created_at",), order=("-created_at",), limit=1)
    is_held = (is_("kind", RunKind.EXTRACT.value), is_not("next_at", None))
    held = {row[0] for row in rows.select("extraction_runs", ("session_id",), *is_held)}
    return [
        WaitingSession(
            session_id,
            rounds=len(queued[session_id]),
            first=min(queued[session_id]),
            used_at=parse_timestamp(used_at),
            is_left=newest > used_at,
            is_held=session_id in held,
        )
        for session_id, used_at in rows.select("sessions", ("id", "used_at"), any_of("id", list(queued)))
    ]


def _claimed_ids(rows: Rows, run: int) -> list[int]:
    return [row[0] for row in rows.select("dialogue_buffer", ("round_id",), is_("run", run), is_("state", _CLAIMED))]


def _let_go(rows: Rows, batch: Batch, ended: RunEnd) -> None:
    """Queue the remaining rounds of a void batch again."""
    rows.update("dialogue_buffer", {"state": _NEW, "run": None}, is_("run", batch.run), is_("state", _CLAIMED))
    runs.end(rows, batch.run, RunState.NONE, ended, error=REPLACED)


def _queue(rows: Rows) -> Queue:
    waiting = rows.select("dialogue_buffer", ("session_id",), is_("state", _NEW), order=("id",))
    running, failing, parked = 0, 0, 0
    tries: list[str] = []
    for state, next_at, is_again in rows.select(
        "extraction_runs", ("state", "next_at", "again"), any_of("state", _UNENDED)
    ):
        tries += [next_at] if next_at else []
        running += state == RunState.RUNNING.value
        failing += state != RunState.RUNNING.value and next_at is not None
        parked += state != RunState.RUNNING.value and next_at is None and not is_again
    ends = [_last(rows, "ended_at", is_("state", each.value)) for each in (RunState.DONE, RunState.NONE)]
    last_success = max((each for each in ends if each), default=None)
    return Queue(
        waiting=dict(Counter(session_id for (session_id,) in waiting)),
        running=running,
        failing=failing,
        parked=parked,
        next_at=parse_timestamp(min(tries)) if tries else None,
        last_success=parse_timestamp(last_success) if last_success else None,
        last_error=_last(rows, "error", any_of("state", [each.value for each in OPEN_STATES])) or "",
    )


def _last(rows: Rows, column: str, which: Condition) -> str | None:
    """A column of the run that ended last."""
    found = rows.select("extraction_runs", (column,), which, order=("-ended_at",), limit=1)
    return found[0][0] if found else None


def leave_out_deleted(rows: Rows, session_ids: Iterable[str]) -> None:
    """Take out of the summaries of these sessions what a person has just deleted."""
    tombstones = Tombstones(rows)
    for session_id in session_ids:
        summary, _through = _summary(rows, session_id)
        if summary and (told := tombstones.without_deleted(summary)) != summary:
            rows.update("sessions", {"summary": told.strip() or NOTHING_TOLD}, is_("id", session_id))


def _summary(rows: Rows, session_id: str) -> tuple[str, int]:
    found = rows.select("sessions", ("summary", "summary_through"), is_("id", session_id))
    return ("", 0) if not found or not found[0][0] else (str(found[0][0]), int(found[0][1]))
