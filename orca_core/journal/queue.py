"""The queue of all that is learnt: runs of every kind on one table, claimed, tried again, parked, given back and ended.
What is due, and what is settled, the kinds say (`claims`, `episodes`, `folds`, `guides`, `knowledge` …)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from orca_core.domain.claims import OpenRun
from orca_core.domain.journal import OperationHeader
from orca_core.domain.learning import OPEN_STATES, Batch, RunEnd, RunResult, RunState
from orca_core.domain.stores.learning import Begun, Claim, Found, Writing
from orca_core.domain.stores.rows import Rows, Transactions, any_of, is_
from orca_core.domain.times import timestamp
from orca_core.journal import runs
from orca_core.journal.operations import OpenOperation
from orca_core.journal.records import JournalRules, RecordTypes

M = TypeVar("M", bound=Found)
B = TypeVar("B", bound=Batch)

REPLACED = "a round was replaced or deleted meanwhile"


class Runs:
    """The queue of one scope."""

    def __init__(
        self, transactions: Transactions, types: RecordTypes, rules: JournalRules, read_rounds: runs.ReadRounds
    ) -> None:
        self._transactions = transactions
        self._types = types
        self._rules = rules
        self._read_rounds = read_rounds

    async def take(self, claim: Claim[M, B]) -> B | None:
        # Most of the time nothing is due: a turn that writes does not wait for this to be found out.
        if not await self._transactions.read(lambda rows: may_be_due(rows, claim)):
            return None
        return await self._transactions.write(lambda rows: next_batch(rows, self._rules, claim))

    async def settle(
        self, batch: Batch, header: OperationHeader, write: Callable[[Writing], RunResult], ended: RunEnd
    ) -> RunResult | None:
        def settled(rows: Rows) -> RunResult | None:
            ids = [each.id for each in batch.rounds]
            if len(self._read_rounds(rows, ids)) != len(ids) or not is_running(rows, batch.run):
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=REPLACED)
                return None
            operation = OpenOperation(rows, self._types, self._rules, header)
            result = write(operation)
            state = RunState.NONE if operation.number is None else RunState.DONE
            runs.end(rows, batch.run, state, ended, operation=operation.number, result=result)
            return result

        return await self._transactions.write(settled)

    async def fail(self, batch: Batch, state: RunState, error: str, next_at: datetime | None, ended: RunEnd) -> None:
        # A second reading that fails is not retried automatically: its rounds were read once.
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


def may_be_due(rows: Rows, claim: Claim[M, B]) -> bool:
    """Whether a claim would do anything, for a look before the lock is taken."""
    begun = runs.open_runs(rows, claim.kind)
    return any(map(claim.is_due, begun)) or claim.fresh(rows, begun) is not None


def next_batch(rows: Rows, rules: JournalRules, claim: Claim[M, B]) -> B | None:
    """The next batch that is due, claimed in the caller's transaction."""
    for run in filter(claim.is_due, runs.open_runs(rows, claim.kind)):
        if batch := _resumed(rows, rules, claim, run):
            return batch
    found = claim.fresh(rows, runs.open_runs(rows, claim.kind))
    if found is None:
        return None
    ids = [each.id for each in found.rounds]
    run_id = runs.begin(rows, found.session_id, claim.kind, ids, claim.now, target=found.target)
    return claim.batch(rows, Begun(run_id), found)


def is_running(rows: Rows, run: int) -> bool:
    """Whether the run is still the one that was begun."""
    return bool(rows.count("extraction_runs", is_("id", run), is_("state", RunState.RUNNING.value)))


def _resumed(rows: Rows, rules: JournalRules, claim: Claim[M, B], run: OpenRun) -> B | None:
    """Another try at a run, with what is left of what it read; one without any is ended, one tried too often parked."""
    left = claim.left(rows, run)
    if left is None:
        runs.end(rows, run.id, RunState.NONE, RunEnd(claim.now), error=claim.gone)
        return None
    if rules.is_spent(run.tries):
        runs.park(rows, run, claim.now)
        return None
    runs.begin_again(rows, run, [each.id for each in left.rounds], claim.now)
    return claim.batch(rows, Begun(run.id, run.tries + 1, run.is_again), left)
