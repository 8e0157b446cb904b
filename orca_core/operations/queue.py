"""The queue of all that is learnt: runs of every kind on one table, claimed, tried again, parked, given back and ended.
What is due, and what is settled, the kinds say (`claims`, `episodes`, `folds`, `guides`, `knowledge` …)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from orca_core.model.learning import OPEN_STATES, Batch, OpenRun, RunEnd, RunResult, RunState
from orca_core.model.memories import Fields
from orca_core.model.operations import OperationHeader
from orca_core.model.record_types import RecordType, Ref, timestamp
from orca_core.model.sessions import Round
from orca_core.operations import runs
from orca_core.operations.operations import OpenOperation, ScopedStore
from orca_core.operations.rounds import read_rounds
from orca_core.rules.learning.run_schedule import is_fold_due, is_out_of_tries
from orca_core.store.ports import Rows, any_of, is_

REPLACED = "a round was replaced or deleted meanwhile"


class ClaimMaterial(Struct, frozen=True, kw_only=True):
    """What one run is about: rounds of a session, of which `left` more are due, or one target. A kind of run adds what
    else it reads."""

    session_id: str = ""
    rounds: tuple[Round, ...] = ()
    target: str = ""
    left: int = 0


class BegunRun(Struct, frozen=True):
    """A run that is under way, for the `tries`-th time; `is_again` where its rounds had been read before."""

    run: int
    tries: int = 1
    is_again: bool = False


class Writing(Protocol):
    """The operation in which a run writes what it learnt: it can be undone whole."""

    def create(self, record_type: RecordType[Any], record: Any) -> Any:
        """Insert a record; returns it with its number."""
        ...

    def change(self, ref: Ref, wanted: Fields, before: Any = None) -> Any:
        """Change fields of a record; returns it as it is then."""
        ...


M = TypeVar("M", bound=ClaimMaterial)
B = TypeVar("B", bound=Batch)


class Claim(Struct, Generic[M, B], frozen=True, kw_only=True):
    """How the next batch of a kind is claimed: of a run that was cut short or failed and `is_due`, with what is `left`
    of what it read (none: it ends, for the reason `gone`), else of a new one, about what is found `fresh` beside the
    runs that are open. All of it inside one transaction."""

    kind: str
    now: datetime
    is_due: Callable[[OpenRun], bool]
    left: Callable[[Rows, OpenRun], M | None]
    fresh: Callable[[Rows, Sequence[OpenRun]], M | None]
    batch: Callable[[Rows, BegunRun, M], B]
    gone: str = "its rounds are gone"


class RunQueue(ScopedStore):
    """Runs of one scope: what is due is claimed in one transaction, and ended in another with all that it wrote."""

    async def _next(self, claim: Claim[M, B]) -> B | None:
        """The next batch that is due. Most of the time nothing is: this is found out before the lock is taken, so that
        a turn that writes does not wait for it."""
        if not await self._transactions.read(lambda rows: may_be_due(rows, claim)):
            return None
        return await self._transactions.write(lambda rows: next_batch(rows, claim))


class RoundQueue(RunQueue):
    """Runs that read rounds."""

    def _are_all_there(self, rows: Rows, rounds: Sequence[Round]) -> bool:
        """Whether every round that was read is still the one that counts."""
        ids = [each.id for each in rounds]
        return len(read_rounds(rows, ids)) == len(ids)

    def _is_current(self, rows: Rows, batch: Batch) -> bool:
        """Whether the run is still the one that was begun, and what it read still counts."""
        return is_running(rows, batch.run) and self._are_all_there(rows, batch.rounds)


class SessionRuns(RoundQueue):
    """The queue of one scope for every kind that reads rounds of a session."""

    async def take(self, kind: str, now: datetime, least: int, besides: Sequence[int] = ()) -> Batch | None:
        def left(rows: Rows, run: OpenRun) -> ClaimMaterial | None:
            rounds = read_rounds(rows, run.rounds)
            return ClaimMaterial(session_id=run.session_id, rounds=rounds) if rounds else None

        def fresh(rows: Rows, _begun: Sequence[OpenRun]) -> ClaimMaterial | None:
            for session_id, ids in _unread_rounds(rows, kind).items():
                rounds = read_rounds(rows, ids) if len(ids) >= least else ()
                if len(rounds) >= least:
                    return ClaimMaterial(session_id=session_id, rounds=rounds)
            return None

        def batch(_rows: Rows, begun: BegunRun, found: ClaimMaterial) -> Batch:
            return Batch(begun.run, kind, found.session_id, found.rounds, begun.tries)

        def is_due(run: OpenRun) -> bool:
            return run.id not in besides and is_fold_due(run, now)

        claim = Claim(kind=kind, now=now, is_due=is_due, left=left, fresh=fresh, batch=batch)
        return await self._next(claim)

    async def settle(
        self, batch: Batch, header: OperationHeader, write: Callable[[Writing], RunResult], ended: RunEnd
    ) -> RunResult | None:
        def settled(rows: Rows) -> RunResult | None:
            if not self._is_current(rows, batch):
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=REPLACED)
                return None
            operation = self._operation(rows, header)
            result = write(_Noted(rows, batch.run, operation))
            state = RunState.NONE if operation.number is None else RunState.DONE
            runs.end(rows, batch.run, state, ended, operation=operation.number, result=result)
            return result

        return await self._transactions.write(settled)

    async def fail(self, batch: Batch, state: RunState, error: str, next_at: datetime | None, ended: RunEnd) -> None:
        # A verification that fails is not retried automatically: its rounds were read once.
        wait_until = None if batch.is_again else next_at
        await self._transactions.write(
            lambda rows: runs.end(rows, batch.run, state, ended, error=error, next_at=wait_until)
        )

    async def release(self, batch: Batch) -> None:
        await self._transactions.write(lambda rows: runs.give_back(rows, batch.run))

    async def retry(self, session_id: str | None, now: datetime) -> int:
        def write(rows: Rows) -> int:
            where = [any_of("state", [state.value for state in OPEN_STATES]), is_("again", 0)]
            if session_id is not None:
                where.append(is_("session_id", session_id))
            return rows.update("extraction_runs", {"next_at": timestamp(now), "tries": 0}, *where)

        return await self._transactions.write(write)


class _Noted:
    """The operation of a run: what it writes stands in the exchange, too, which goes when that is deleted."""

    def __init__(self, rows: Rows, run: int, operation: OpenOperation) -> None:
        self._rows = rows
        self._run = run
        self._operation = operation

    def create(self, record_type: RecordType[Any], record: Any) -> Any:
        made = self._operation.create(record_type, record)
        runs.note_records(self._rows, self._run, [record_type.ref(made)])
        return made

    def change(self, ref: Ref, wanted: Fields, before: Any = None) -> Any:
        runs.note_records(self._rows, self._run, [ref])
        return self._operation.change(ref, wanted, before)


def _unread_rounds(rows: Rows, kind: str) -> dict[str, list[int]]:
    """The rounds that wait or waited to be learnt from, and that no run of this kind read, by session."""
    ran = rows.select("extraction_runs", ("rounds",), is_("kind", kind))
    read = {number for (numbers,) in ran for number in json.loads(numbers)}
    found: dict[str, list[int]] = {}
    for number, session_id in rows.select("dialogue_buffer", ("round_id", "session_id"), order=("id",)):
        if number not in read:
            found.setdefault(session_id, []).append(number)
    return found


def may_be_due(rows: Rows, claim: Claim[M, B]) -> bool:
    """Whether a claim would do anything, for a look before the lock is taken."""
    begun = runs.open_runs(rows, claim.kind)
    return any(map(claim.is_due, begun)) or claim.fresh(rows, begun) is not None


def next_batch(rows: Rows, claim: Claim[M, B]) -> B | None:
    """The next batch that is due, claimed in the caller's transaction."""
    for run in filter(claim.is_due, runs.open_runs(rows, claim.kind)):
        if batch := _resumed(rows, claim, run):
            return batch
    found = claim.fresh(rows, runs.open_runs(rows, claim.kind))
    if found is None:
        return None
    ids = [each.id for each in found.rounds]
    run_id = runs.begin(rows, found.session_id, claim.kind, ids, claim.now, target=found.target)
    return claim.batch(rows, BegunRun(run_id), found)


def is_running(rows: Rows, run: int) -> bool:
    """Whether the run is still the one that was begun."""
    return bool(rows.count("extraction_runs", is_("id", run), is_("state", RunState.RUNNING.value)))


def _resumed(rows: Rows, claim: Claim[M, B], run: OpenRun) -> B | None:
    """Another try at a run, with what is left of what it read; one without any is ended, one tried too often parked."""
    left = claim.left(rows, run)
    if left is None:
        runs.end(rows, run.id, RunState.NONE, RunEnd(claim.now), error=claim.gone)
        return None
    if is_out_of_tries(run.tries):
        runs.park(rows, run, claim.now)
        return None
    runs.begin_again(rows, run, [each.id for each in left.rounds], claim.now)
    return claim.batch(rows, BegunRun(run.id, run.tries + 1, run.is_again), left)
