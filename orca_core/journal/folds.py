"""Running summaries: claimed and folded like any other run of the memory agent."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from orca_core.domain.learning import Batch, RunEnd, RunKind, RunState
from orca_core.domain.stores.rows import Rows, Transactions, above, at_most, is_
from orca_core.journal import runs
from orca_core.journal.records import JournalRules
from orca_core.journal.tombstones import Tombstones

NOTHING_TOLD = "…"
"""Stands for a summary of which nothing may be told: an empty one would be written again and again."""


class Folds:
    """The summaries of one scope's sessions."""

    def __init__(self, transactions: Transactions, rules: JournalRules, read_rounds: runs.ReadRounds) -> None:
        self._transactions = transactions
        self._rules = rules
        self._read_rounds = read_rounds

    async def summary(self, session_id: str) -> tuple[str, int]:
        return await self._transactions.read(lambda rows: _summary(rows, session_id))

    async def due(self, now: datetime) -> list[str]:
        def read(rows: Rows) -> list[str]:
            waiting = runs.open_runs(rows, RunKind.SUMMARIZE)
            return list(dict.fromkeys(run.session_id for run in waiting if self._rules.is_fold_due(run, now)))

        return await self._transactions.read(read)

    async def claim(self, session_id: str, through: int, now: datetime) -> Batch | None:
        def write(rows: Rows) -> Batch | None:
            open_fold = next(reversed(runs.open_runs(rows, RunKind.SUMMARIZE, is_("session_id", session_id))), None)
            if open_fold is not None and not self._rules.is_fold_due(open_fold, now):
                return None
            if open_fold is not None and self._rules.is_spent(open_fold.tries):
                runs.park(rows, open_fold, now)
                return None
            summary, covered = _summary(rows, session_id)
            behind = (is_("session_id", session_id), above("number", covered), at_most("number", through))
            rounds = self._read_rounds(rows, [row[0] for row in rows.select("rounds", ("id",), *behind)])
            ids = [each.id for each in rounds]
            if not rounds:
                if open_fold is not None:
                    runs.end(rows, open_fold.id, RunState.NONE, RunEnd(now), error="its rounds are gone")
                return None
            if open_fold is None:
                run = runs.begin(rows, session_id, RunKind.SUMMARIZE, ids, now)
                return Batch(run, RunKind.SUMMARIZE, session_id, rounds, 1, summary=summary)
            runs.begin_again(rows, open_fold, ids, now)
            tries = open_fold.tries + 1
            return Batch(open_fold.id, RunKind.SUMMARIZE, session_id, rounds, tries, summary=summary)

        return await self._transactions.write(write)

    async def fold(self, batch: Batch, summary: str, ended: RunEnd) -> bool:
        def write(rows: Rows) -> bool:
            before, _ = _summary(rows, batch.session_id)
            ids = [each.id for each in batch.rounds]
            if before != batch.summary or len(self._read_rounds(rows, ids)) != len(ids):
                # its exchange may summarise deleted rounds
                error = "a round was replaced or deleted meanwhile"
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=error)
                return False
            told = Tombstones(rows, self._rules.deleting).without_deleted(summary)
            folded = {"summary": told.strip() or NOTHING_TOLD, "summary_through": batch.rounds[-1].number}
            rows.update("sessions", folded, is_("id", batch.session_id))
            runs.end(rows, batch.run, RunState.DONE, ended)
            return True

        return await self._transactions.write(write)


def leave_out_deleted(rows: Rows, rules: JournalRules, session_ids: Iterable[str]) -> None:
    """Take out of the summaries of these sessions what a person has just deleted."""
    tombstones = Tombstones(rows, rules.deleting)
    for session_id in session_ids:
        summary, _through = _summary(rows, session_id)
        if summary and (told := tombstones.without_deleted(summary)) != summary:
            rows.update("sessions", {"summary": told.strip() or NOTHING_TOLD}, is_("id", session_id))


def _summary(rows: Rows, session_id: str) -> tuple[str, int]:
    found = rows.select("sessions", ("summary", "summary_through"), is_("id", session_id))
    return ("", 0) if not found or not found[0][0] else (str(found[0][0]), int(found[0][1]))
