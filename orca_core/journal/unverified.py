"""Candidates that the verifier has not answered about: claimed to be asked about once more, by runs of their own, which
tell how often that was tried. What a person took back is theirs to decide, and not asked about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.learning import Learnt, RunEnd, RunKind, RunState, UnverifiedBatch, WaitS
from orca_core.domain.memories import MEMORIES, Memory, State
from orca_core.domain.refs import memory_ref
from orca_core.domain.settling import Proposal, Settle
from orca_core.domain.stores.rows import Rows, any_of, is_, is_not
from orca_core.domain.times import parse_timestamp
from orca_core.domain.verifying import VerifierFailure
from orca_core.journal import runs
from orca_core.journal.queue import REPLACED, Runs, is_running
from orca_core.journal.records import memories_there
from orca_core.journal.settlements import Settlements
from orca_core.journal.since import put_back_at

UNREAD = "unread"
MAX_TRIES = 3
"""So many answers may be missing or unreadable once more; then a person decides."""
QUIET = timedelta(minutes=5)
"""So long it is left alone, however often a person looks."""
MOST = 10
"""So many candidates one question is about."""
AROUND = 3
"""So many rounds before and after those of a candidate are read with them: a game may be opened before. Chosen by
hand, as QUIET and MOST are."""


_NOT_REACHED = frozenset({VerifierFailure.FAILED.value, VerifierFailure.NO_TOKENS.value})


class Try(Struct, frozen=True):
    """When a memory was to be asked about once more, and whether the verifier was reached: else it is no try that
    counts, and the next one waits longer."""

    at: datetime
    was_reached: bool


class Unverified(Runs):
    """The candidates of one scope that wait for the verifier."""

    async def claim_unverified(
        self, now: datetime, besides: Sequence[str], wait_s: WaitS, *, is_wanted: bool
    ) -> UnverifiedBatch | None:
        def due(rows: Rows) -> list[Memory]:
            return _due(rows, now, wait_s, is_wanted=is_wanted)

        if not await self._transactions.read(lambda rows: due(rows) or _cut_short(rows)):
            return None

        def write(rows: Rows) -> UnverifiedBatch | None:
            for run in _cut_short(rows):  # what it asked about is asked anew, if not too often
                runs.end(rows, run, RunState.FAILED, RunEnd(now), error="cut short")
            for session_id, waiting in _by_session(due(rows)).items():
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
            ids = [each.id for each in batch.rounds]
            if len(self._read_rounds(rows, ids)) != len(ids) or not is_running(rows, batch.run):
                runs.end(rows, batch.run, RunState.NONE, ended, error=REPLACED)
                return None
            header = OperationHeader(Actor.EXTRACTION, "verify", ended.at, batch.session_id, batch.rounds[-1].number)
            settlements = Settlements(rows, self._types, self._rules, header, batch, settle)
            waiting = {memory.id for memory in memories_there(rows, list(batch.candidates)) if _waits(rows, memory)}
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
        standing = (is_("session_id", session_id), is_("state", "done"), is_("replaced_by", None))
        there = {number: each for each, number in rows.select("rounds", ("id", "number"), *standing)}
        candidates = [each for each in waiting if there.keys() >= set(each.origin.rounds)][:MOST]
        if not candidates:
            return None
        steps = range(-AROUND, AROUND + 1)
        near = {number + step for each in candidates for number in each.origin.rounds for step in steps}
        rounds = self._read_rounds(rows, [there[number] for number in sorted(near & there.keys())])
        named = _target([each.id for each in candidates])
        run = runs.begin(rows, session_id, RunKind.VERIFY, [each.id for each in rounds], now, again=True, target=named)
        return UnverifiedBatch(
            run, RunKind.VERIFY, session_id, rounds, 1, is_again=True, candidates=tuple(each.id for each in candidates)
        )


def _cut_short(rows: Rows) -> list[int]:
    """The runs that ended without saying so: one is under way at a time, and none while another is claimed."""
    return [run.id for run in runs.open_runs(rows, RunKind.VERIFY) if run.state is RunState.RUNNING]


def _due(rows: Rows, now: datetime, wait_s: WaitS, *, is_wanted: bool) -> list[Memory]:
    """The candidates that are to be asked about, oldest first: where a person looks at them (`is_wanted`), if that was
    not done a moment ago; else after a run that was begun since they were last asked about."""
    waits = (is_("state", State.CANDIDATE.value), is_("held_because", UNREAD), is_not("origin_session", None))
    ids = [row[0] for row in rows.select(MEMORIES.table, ("id",), *waits, order=("id",))]
    if not ids:
        return []
    tried = _tried(rows)
    begun = _latest_run(rows)
    return [
        memory
        for memory in memories_there(rows, ids)
        if memory.origin.rounds
        and sum(each.was_reached for each in tried.get(memory.id, ())) < MAX_TRIES
        and _has_rested(tried.get(memory.id, ()), now, wait_s)
        and _is_time(memory, [each.at for each in tried.get(memory.id, ())], begun, now if is_wanted else None)
        and _waits(rows, memory)
    ]


def _has_rested(tried: Sequence[Try], now: datetime, wait_s: WaitS) -> bool:
    """Whether a verifier that could not be reached was left alone for long enough."""
    failures = len(list(takewhile(lambda each: not each.was_reached, reversed(tried))))
    return not failures or now - tried[-1].at >= timedelta(seconds=wait_s(failures))


def _is_time(memory: Memory, tried: Sequence[datetime], begun: datetime | None, wanted_at: datetime | None) -> bool:
    if wanted_at is not None and all(wanted_at - each >= QUIET for each in tried):
        return True
    return begun is not None and begun > max([memory.created_at, *tried])


def _tried(rows: Rows) -> dict[int, list[Try]]:
    """When each memory was to be asked about once more, in order. A run that never ended counts: it may have asked."""
    found: dict[int, list[Try]] = {}
    columns = ("target", "started_at", "result")
    for target, at, result in rows.select("extraction_runs", columns, is_("kind", RunKind.VERIFY.value), order=("id",)):
        went = (json.loads(result).get("second_reading") if result else None) or {}
        each = Try(parse_timestamp(at), went.get("failure") not in _NOT_REACHED)
        for named in target.split():
            found.setdefault(int(named.removeprefix("#")), []).append(each)
    return found


def _latest_run(rows: Rows) -> datetime | None:
    """When the latest run was begun that read something."""
    ended = (is_("kind", RunKind.EXTRACT.value), any_of("state", [RunState.DONE.value, RunState.NONE.value]))
    found = rows.select("extraction_runs", ("started_at",), *ended, order=("-id",), limit=1)
    return parse_timestamp(found[0][0]) if found else None


def _by_session(waiting: Sequence[Memory]) -> dict[str, list[Memory]]:
    found: dict[str, list[Memory]] = {}
    for memory in waiting:
        found.setdefault(str(memory.origin.session_id), []).append(memory)
    return found


def _target(ids: Sequence[int]) -> str:
    return " ".join(f"#{each}" for each in ids)


def _waits(rows: Rows, memory: Memory) -> bool:
    """Whether it waits for the verifier, and not for a person who put it back."""
    is_unread = memory.state is State.CANDIDATE and memory.held_because == UNREAD
    return is_unread and put_back_at(rows, memory) is None
