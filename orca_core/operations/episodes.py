"""Sessions read for episodes: claimed, told and settled like any other run of the memory agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from uuid import uuid4

from msgspec.structs import replace

from orca_core.model.episodes import (
    EPISODES,
    Episode,
    EpisodeChanges,
    EpisodesWritten,
    JudgedEpisode,
    SessionEpisode,
    SettleEpisodes,
    SettleUnverified,
)
from orca_core.model.learning import (
    Batch,
    Choose,
    DroppedFact,
    Due,
    OpenRun,
    RunEnd,
    RunKind,
    RunResult,
    RunState,
    UnverifiedBatch,
    WaitS,
)
from orca_core.model.memories import Fields, Origin, OriginKind
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE, Ref
from orca_core.model.sessions import Round
from orca_core.model.tasks import TASKS, Task
from orca_core.operations import runs, verifier_retries
from orca_core.operations.knowledge_targets import written_by_hand
from orca_core.operations.operations import OpenOperation
from orca_core.operations.queue import REPLACED, BegunRun, Claim, ClaimMaterial, next_batch
from orca_core.operations.records import records_there
from orca_core.operations.rounds import read_rounds
from orca_core.operations.verifier_retries import Again, VerifierRetries
from orca_core.rules.learning.run_schedule import due_session, is_run_due
from orca_core.store.ports import Rows, above, is_

Untold = Callable[[Sequence[Round], Sequence[Task]], Sequence[Round]]
"""The rounds that no task tells of (`rules.work.telling.untold`)."""


class EpisodeStore(VerifierRetries):
    """The readings of one scope's sessions."""

    async def claim(self, due: Due, choose: Choose, untold: Untold) -> Batch | None:
        def left(rows: Rows, run: OpenRun) -> ClaimMaterial | None:
            """All that it read; where a part of that is gone, the rest waits again."""
            rounds = read_rounds(rows, run.rounds)
            is_whole = len(rounds) == len(run.rounds)
            return ClaimMaterial(session_id=run.session_id, rounds=rounds) if is_whole else None

        def fresh(rows: Rows, begun: Sequence[OpenRun]) -> ClaimMaterial | None:
            held = {run.session_id for run in begun}
            waiting = [replace(each, is_held=each.session_id in held) for each in rows.lists.sessions_to_read()]
            while (session_id := due_session(waiting, due)) is not None:
                if found := self._behind(rows, session_id, choose, untold):
                    return found
                waiting = [each for each in waiting if each.session_id != session_id]
            return None

        def batch(_rows: Rows, begun: BegunRun, found: ClaimMaterial) -> Batch:
            return Batch(begun.run, RunKind.EPISODES, found.session_id, found.rounds, begun.tries, left=found.left)

        claim = Claim(
            kind=RunKind.EPISODES,
            now=due.now,
            is_due=lambda run: is_run_due(run, due, due.now),
            left=left,
            fresh=fresh,
            batch=batch,
        )
        # Most sessions were read long ago: a turn that writes does not wait for this to be found out.
        if not await self._transactions.read(lambda rows: self._may_be_due(rows, due)):
            return None
        return await self._transactions.write(lambda rows: next_batch(rows, claim))

    async def finish(
        self,
        batch: Batch,
        judged: Sequence[JudgedEpisode],
        dropped: Sequence[DroppedFact],
        settle: SettleEpisodes,
        ended: RunEnd,
        model: str,
    ) -> EpisodesWritten | None:
        def write(rows: Rows) -> EpisodesWritten | None:
            numbers = tuple(each.number for each in batch.rounds)
            if not self._are_all_there(rows, batch.rounds) or _read_through(rows, batch.session_id) >= numbers[0]:
                # its exchange may tell of deleted rounds
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=REPLACED)
                return None
            header = OperationHeader(Actor.EPISODES, "episodes", ended.at, batch.session_id, numbers[-1])
            operation = self._operation(rows, header)
            origin = Origin(OriginKind.EXTRACTION, batch.session_id, numbers, None, model)
            known = _of_session(rows, batch.session_id)
            told = _carried_out(operation, settle(judged, known, origin, ended.at), dropped)
            _read_to(rows, batch.session_id, numbers[-1])
            named = [each.id for each in (*told.made, *told.changed)]
            runs.note_records(rows, batch.run, [Ref(EPISODE, each) for each in named])
            state = RunState.DONE if named or told.dropped else RunState.NONE
            result = RunResult(episodes=tuple(named), dropped=told.dropped, verification=ended.verification)
            runs.end(rows, batch.run, state, ended, operation=told.operation, result=result)
            return told

        return await self._transactions.write(write)

    async def claim_unverified(
        self, now: datetime, besides: Sequence[str], wait_s: WaitS, *, is_wanted: bool
    ) -> UnverifiedBatch | None:
        again = Again(now, wait_s, RunKind.EPISODES, is_wanted)
        return await self.claim_retry(EPISODES, again, besides)

    async def finish_unverified(
        self, batch: UnverifiedBatch, judged: Mapping[int, JudgedEpisode], settle: SettleUnverified, ended: RunEnd
    ) -> EpisodesWritten | None:
        def write(rows: Rows) -> EpisodesWritten | None:
            if not self._is_current(rows, batch):
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=REPLACED)
                return None
            header = OperationHeader(Actor.EPISODES, "verify", ended.at, batch.session_id, batch.rounds[-1].number)
            operation = self._operation(rows, header)
            changed: dict[int, Fields] = {}
            dropped: list[DroppedFact] = []
            for each in records_there(rows, EPISODES, [each for each in batch.candidates if each in judged]):
                if verifier_retries.waits_for_it(rows, EPISODES, each):
                    known = SessionEpisode(each, written_by_hand(rows, each))
                    if fields := settle(judged[each.id], known):
                        changed[each.id] = fields
                    dropped += judged[each.id].left_out
            told = _carried_out(operation, EpisodeChanges(changed=changed, dropped=tuple(dropped)), ())
            state = RunState.NONE if told.operation is None else RunState.DONE
            named = tuple(each.id for each in told.changed)
            result = RunResult(episodes=named, dropped=told.dropped, verification=ended.verification)
            runs.end(rows, batch.run, state, ended, operation=told.operation, result=result)
            return told

        return await self._transactions.write(write)

    def _may_be_due(self, rows: Rows, due: Due) -> bool:
        unended = runs.open_runs(rows, RunKind.EPISODES)
        if any(is_run_due(run, due, due.now) for run in unended):
            return True
        return due_session(rows.lists.sessions_to_read(), due) is not None

    def _behind(self, rows: Rows, session_id: str, choose: Choose, untold: Untold) -> ClaimMaterial | None:
        """The rounds behind those that were read; None where tasks tell of all of them."""
        queued = {row[0] for row in rows.select("dialogue_buffer", ("round_id",), is_("session_id", session_id))}
        behind = (is_("session_id", session_id), above("number", _read_through(rows, session_id)))
        ids = [row[0] for row in rows.select("rounds", ("id",), *behind) if row[0] in queued]
        rounds = read_rounds(rows, ids)
        tasks = rows.select(TASKS.table, TASKS.names, is_("session_id", session_id))
        left: Sequence[Round] = untold(rounds, [TASKS.from_row(row) for row in tasks])
        if not left:
            if rounds:
                _read_to(rows, session_id, rounds[-1].number)
            return None
        taken = tuple(left[: choose(left)])
        return ClaimMaterial(session_id=session_id, rounds=taken, left=len(left) - len(taken))


def _read_through(rows: Rows, session_id: str) -> int:
    found = rows.select("sessions", ("episodes_through",), is_("id", session_id))
    return int(found[0][0]) if found else 0


def _read_to(rows: Rows, session_id: str, number: int) -> None:
    rows.update("sessions", {"episodes_through": number}, is_("id", session_id))


def _of_session(rows: Rows, session_id: str) -> list[SessionEpisode]:
    """The episodes that were read out of a session, oldest first."""
    found = rows.select(
        EPISODES.table, EPISODES.names, is_("origin_session", session_id), is_("task", None), order=("id",)
    )
    episodes = [EPISODES.from_row(row) for row in found]
    return [SessionEpisode(each, written_by_hand(rows, each)) for each in episodes]


def _carried_out(operation: OpenOperation, telling: EpisodeChanges, dropped: Sequence[DroppedFact]) -> EpisodesWritten:
    changed: list[Episode] = []
    for number, fields in (telling.changed or {}).items():
        changed.append(operation.change(Ref(EPISODE, number), fields))
    refused = [(each, operation.why_refused(EPISODES, each)) for each in telling.made]
    made = [operation.create(EPISODES, replace(each, uid=uuid4().hex)) for each, why in refused if not why]
    again = [DroppedFact(each.trigger_summary, why) for each, why in refused if why]
    return EpisodesWritten(tuple(made), tuple(changed), (*dropped, *telling.dropped, *again), operation.number)
