"""Rounds that wait for the memory agent, and the facts that come of reading them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

import apsw

from orca_core.domain.errors import NotFound
from orca_core.domain.learning import (
    OPEN_STATES,
    Batch,
    Choose,
    DroppedFact,
    Due,
    Learnt,
    Proposal,
    Queue,
    RunEnd,
    RunKind,
    RunResult,
    RunState,
    Settle,
)
from orca_core.domain.memories import Actor, OperationHeader
from orca_core.domain.times import parse_timestamp, timestamp
from orca_core.journal.records import JournalRules, RecordTypes
from orca_core.journal.settling import Settlements
from orca_core.rules.learning import backlog
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.engine.transactions import SQLiteTransactions
from orca_core.storage.sqlite.learning import runs

_OPEN = to_json([state.value for state in OPEN_STATES])
_OPEN_RUN = """
    SELECT id, session_id, tries, rounds, again FROM extraction_runs
    WHERE scope = :scope AND kind = 'extract' AND (:session IS NULL OR session_id = :session)
      AND id NOT IN (SELECT value FROM json_each(:besides))
      AND (state = 'running'
           OR state IN (SELECT value FROM json_each(:open)) AND again = 0 AND next_at IS NOT NULL
              AND (next_at <= :now OR :everything))
    ORDER BY id LIMIT 1
"""
_DUE_SESSION = """
    SELECT b.session_id FROM dialogue_buffer b JOIN sessions s ON s.scope = b.scope AND s.id = b.session_id
    WHERE b.scope = :scope AND b.state = 'new' AND (:session IS NULL OR b.session_id = :session)
      AND NOT EXISTS (SELECT 1 FROM extraction_runs x WHERE x.scope = b.scope AND x.session_id = b.session_id
                      AND x.kind = 'extract' AND x.next_at IS NOT NULL)
    GROUP BY b.session_id
    HAVING count(*) >= :batch_size OR :everything OR s.used_at < :idle_since
        OR b.session_id IN (SELECT value FROM json_each(:ended))
        OR EXISTS (SELECT 1 FROM sessions other WHERE other.scope = b.scope AND other.created_at > s.used_at)
    ORDER BY min(b.id) LIMIT 1
"""
_DROP_REPLACED = """
    DELETE FROM dialogue_buffer WHERE scope = ?1 AND state IN ('new', 'claimed')
      AND NOT EXISTS (SELECT 1 FROM rounds r WHERE r.id = round_id AND r.scope = ?1 AND r.replaced_by IS NULL)
"""
_WAITING_IDS = "SELECT round_id FROM dialogue_buffer WHERE scope = ? AND session_id = ? AND state = 'new' ORDER BY id"
_CLAIMED_IDS = "SELECT round_id FROM dialogue_buffer WHERE run = ? AND state = 'claimed' ORDER BY id"
_FINISHED_IDS = """
    SELECT id FROM rounds WHERE scope = ? AND session_id = ? AND number > ? AND replaced_by IS NULL AND state = 'done'
    ORDER BY number
"""


class SQLiteLearning:
    """The queue of one scope."""

    def __init__(self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, rules: JournalRules) -> None:
        self._scope = scope
        self._transactions = transactions
        self._types = types
        self._rules = rules

    async def claim(self, due: Due, choose: Choose) -> Batch | None:
        def write(connection: apsw.Connection) -> Batch | None:
            # What was replaced is nobody's to read: without it every session that is due has something to claim.
            connection.execute(_DROP_REPLACED, (self._scope.own,))
            bindings = self._bindings(due) | {"open": _OPEN, "besides": to_json(due.besides)}
            while row := connection.execute(_OPEN_RUN, bindings).fetchone():
                if batch := self._resumed(connection, row, due.now):
                    return batch
            row = connection.execute(
                _DUE_SESSION, self._bindings(due) | {"batch_size": due.batch_size, "ended": to_json(due.ended)}
            ).fetchone()
            return None if row is None else self._claimed(connection, row[0], due, choose)

        return await self._scope.write(write)

    async def claim_again(self, session_id: str, after_round: int, now: datetime, choose: Choose) -> Batch | None:
        def write(connection: apsw.Connection) -> Batch | None:
            if not connection.execute(
                "SELECT 1 FROM sessions WHERE scope = ? AND id = ?", (self._scope.own, session_id)
            ).fetchone():
                raise NotFound(what="session", id=session_id)
            ids = [row[0] for row in connection.execute(_FINISHED_IDS, (self._scope.own, session_id, after_round))]
            rounds = runs.rounds_of(connection, self._scope.own, ids)
            taken = rounds[: choose(rounds)]
            if not taken:
                return None
            ids = [each.id for each in taken]
            run = runs.begin(connection, self._scope.own, session_id, RunKind.EXTRACT, ids, now, again=True)
            return Batch(run, RunKind.EXTRACT, session_id, taken, 1, left=len(rounds) - len(taken), is_again=True)

        return await self._scope.write(write)

    async def finish_run(
        self, batch: Batch, proposals: Sequence[Proposal], dropped: Sequence[DroppedFact], settle: Settle, ended: RunEnd
    ) -> Learnt | None:
        def write(connection: apsw.Connection) -> Learnt | None:
            if not self._stands(connection, batch):
                self._let_go(connection, batch, ended)
                return None
            header = OperationHeader(
                Actor.EXTRACTION,
                "extract",
                ended.at,
                batch.session_id,
                batch.rounds[-1].number if batch.rounds else None,
            )
            settlements = Settlements(
                self._transactions.rows_of(connection), self._types, self._rules, header, batch, settle
            )
            for proposal in proposals:
                settlements.take(proposal)
            learnt = settlements.learnt(dropped)
            connection.execute("UPDATE dialogue_buffer SET state = 'done' WHERE run = ?", (batch.run,))
            changed = learnt.stored or learnt.confirmed or learnt.candidates
            state = RunState.DONE if changed or learnt.dropped else RunState.NONE
            runs.end(connection, batch.run, state, ended, operation=learnt.operation, result=result_of(learnt))
            return learnt

        return await self._scope.write(write)

    async def fail(self, batch: Batch, state: RunState, error: str, next_at: datetime | None, ended: RunEnd) -> None:
        def write(connection: apsw.Connection) -> None:
            # A second reading that fails is not tried again by itself: its rounds were read once.
            wait_until = None if batch.is_again else next_at
            runs.end(connection, batch.run, state, ended, error=error, next_at=wait_until)

        await self._scope.write(write)

    async def release(self, batch: Batch) -> None:
        await self._scope.write(lambda connection: runs.give_back(connection, batch.run))

    async def retry(self, session_id: str | None, now: datetime) -> int:
        def write(connection: apsw.Connection) -> int:
            connection.execute(
                "UPDATE extraction_runs SET next_at = ?, tries = 0 WHERE scope = ? AND again = 0"
                " AND state IN (SELECT value FROM json_each(?)) AND (? IS NULL OR session_id = ?)",
                (timestamp(now), self._scope.own, _OPEN, session_id, session_id),
            )
            return connection.changes()

        return await self._scope.write(write)

    async def queue(self) -> Queue:
        return await self._scope.read(self._queue)

    def _bindings(self, due: Due) -> dict[str, object]:
        return {
            "scope": self._scope.own,
            "session": due.session_id,
            "now": timestamp(due.now),
            "idle_since": timestamp(due.idle_since),
            "everything": due.everything,
        }

    def _resumed(self, connection: apsw.Connection, row: Sequence[object], now: datetime) -> Batch | None:
        """A run that was cut short or failed, with what is left of its rounds; one that has none left is over."""
        run, session_id, tries, round_ids, again = int(str(row[0])), str(row[1]), int(str(row[2])), str(row[3]), row[4]
        ids = json.loads(round_ids) if again else [each[0] for each in connection.execute(_CLAIMED_IDS, (run,))]
        rounds = runs.rounds_of(connection, self._scope.own, ids)
        if not rounds:
            runs.end(connection, run, RunState.NONE, RunEnd(now), error="its rounds are gone")
            return None
        if backlog.is_spent(tries):
            runs.park(connection, run, tries, now)
            return None
        runs.begin_again(connection, run, [each.id for each in rounds], now)
        return Batch(run, RunKind.EXTRACT, session_id, rounds, tries + 1, is_again=bool(again))

    def _claimed(self, connection: apsw.Connection, session_id: str, due: Due, choose: Choose) -> Batch:
        ids = [row[0] for row in connection.execute(_WAITING_IDS, (self._scope.own, session_id))]
        rounds = runs.rounds_of(connection, self._scope.own, ids)[: due.most]
        taken = rounds[: choose(rounds)]
        assert taken  # a batch without a round would be claimed again for ever
        run = runs.begin(connection, self._scope.own, session_id, RunKind.EXTRACT, [each.id for each in taken], due.now)
        connection.execute(
            "UPDATE dialogue_buffer SET state = 'claimed', run = ? WHERE round_id IN (SELECT value FROM json_each(?))",
            (run, to_json([each.id for each in taken])),
        )
        return Batch(run, RunKind.EXTRACT, session_id, taken, 1, left=len(rounds) - len(taken))

    def _stands(self, connection: apsw.Connection, batch: Batch) -> bool:
        """Whether every round that was read is still the one that counts."""
        ids = [each.id for each in batch.rounds]
        if len(runs.rounds_of(connection, self._scope.own, ids)) != len(ids):
            return False
        # They wait in the order in which they ended, and are read in the order in which they were asked.
        return batch.is_again or {row[0] for row in connection.execute(_CLAIMED_IDS, (batch.run,))} == set(ids)

    def _let_go(self, connection: apsw.Connection, batch: Batch, ended: RunEnd) -> None:
        connection.execute(
            "UPDATE dialogue_buffer SET state = 'new', run = NULL WHERE run = ? AND state = 'claimed'", (batch.run,)
        )
        runs.end(connection, batch.run, RunState.NONE, ended, error="a round was replaced or deleted meanwhile")

    def _queue(self, connection: apsw.Connection) -> Queue:
        waiting = dict(
            connection.execute(
                "SELECT session_id, count(*) FROM dialogue_buffer WHERE scope = ? AND state = 'new'"
                " GROUP BY session_id ORDER BY min(id)",
                (self._scope.own,),
            )
        )
        row = connection.execute(
            "SELECT count(*) FILTER (WHERE state = 'running'),"
            " count(*) FILTER (WHERE state IN (SELECT value FROM json_each(?2)) AND next_at IS NOT NULL),"
            " count(*) FILTER (WHERE state IN (SELECT value FROM json_each(?2)) AND next_at IS NULL AND again = 0),"
            " min(next_at), max(ended_at) FILTER (WHERE state IN ('done', 'none'))"
            " FROM extraction_runs WHERE scope = ?1",
            (self._scope.own, _OPEN),
        ).fetchone()
        assert row is not None
        error = connection.execute(
            "SELECT error FROM extraction_runs WHERE scope = ? AND state IN (SELECT value FROM json_each(?))"
            " ORDER BY ended_at DESC LIMIT 1",
            (self._scope.own, _OPEN),
        ).fetchone()
        return Queue(
            waiting=waiting,
            running=row[0],
            failing=row[1],
            parked=row[2],
            next_at=parse_timestamp(row[3]) if row[3] else None,
            last_success=parse_timestamp(row[4]) if row[4] else None,
            last_error=str(error[0] or "") if error else "",
        )


def result_of(learnt: Learnt) -> RunResult:
    return RunResult(
        stored=tuple(fact.memory.id for fact in learnt.stored),
        confirmed=learnt.confirmed,
        replaced=learnt.replaced,
        candidates=tuple(fact.memory.id for fact in learnt.candidates),
        dropped=learnt.dropped,
        similar={fact.memory.id: fact.similar for fact in (*learnt.stored, *learnt.candidates)},
    )
