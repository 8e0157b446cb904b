"""Running summaries: claimed and folded like any other run of the memory agent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from orca_core.model.learning import Batch, OpenRun, RunEnd, RunKind, RunState
from orca_core.operations import runs
from orca_core.operations.operations import ScopedStore
from orca_core.operations.queue import REPLACED, BegunRun, Claim, ClaimMaterial, next_batch
from orca_core.operations.rounds import read_rounds
from orca_core.operations.tombstones import Tombstones
from orca_core.rules.learning.run_schedule import is_fold_due
from orca_core.store.ports import Rows, above, at_most, is_

NOTHING_TOLD = "…"
"""Stands for a summary of which nothing may be told: an empty one would be written again and again."""


class Fold(ClaimMaterial, frozen=True, kw_only=True):
    """Rounds, and the summary that they are folded into."""

    summary: str


class SummaryStore(ScopedStore):
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
