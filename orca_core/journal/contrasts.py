"""Candidates read against the latest acts: claimed as runs of the memory agent, let live or held by what was read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from orca_core.domain.claims import OpenRun
from orca_core.domain.dialogues import Round
from orca_core.domain.growth.actions import ACTIONS, Action, ActionRead, ActionState, ActionType
from orca_core.domain.growth.contrast import ActToRead, ChooseCandidate, ContrastBatch, DueCandidates
from orca_core.domain.growth.reading import Promotion
from orca_core.domain.growth.supports import Contrast, Support, Supported, SupportKind
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.learning import RunEnd, RunKind, RunResult, RunState
from orca_core.domain.memories import MEMORIES, Memory
from orca_core.domain.stores.rows import Rows, Transactions, any_of, is_, is_not
from orca_core.domain.work.tasks import TASKS
from orca_core.journal import runs
from orca_core.journal.columns import to_json
from orca_core.journal.growth import supports
from orca_core.journal.growth.promoting import HOLD, PROMOTE, open_to_promotion, pool_in
from orca_core.journal.growth.speaking import spoke_at
from orca_core.journal.operations import OpenOperation
from orca_core.journal.pairs import judge_pairs
from orca_core.journal.records import JournalRules, RecordTypes, memories_there, records_there
from orca_core.journal.tasks import with_steps
from orca_core.journal.tombstones import Tombstones

MOST_ROUNDS = 20
"""So many of the latest rounds of a collected session are looked at. Chosen by hand."""
CHANGED = "what it stands on changed meanwhile"
NOT_READY = "it is not ready any more"


class ContrastRuns:
    """The readings of one scope's candidates."""

    def __init__(
        self, transactions: Transactions, types: RecordTypes, rules: JournalRules, read_rounds: runs.ReadRounds
    ) -> None:
        self._transactions = transactions
        self._types = types
        self._rules = rules
        self._own = rules.growth.contrast
        self._read_rounds = read_rounds

    async def next_at(self) -> datetime | None:
        def read(rows: Rows) -> datetime | None:
            times = (run.next_at for run in runs.open_runs(rows, RunKind.CONTRAST))
            return min(filter(None, times), default=None)

        return await self._transactions.read(read)

    async def claim(self, due: DueCandidates, choose: ChooseCandidate) -> ContrastBatch | None:
        def find(rows: Rows) -> bool:
            begun = runs.open_runs(rows, RunKind.CONTRAST)
            return bool(begun) or choose(pool_in(rows), due.at, ()) is not None

        def write(rows: Rows) -> ContrastBatch | None:
            pool = {each.memory.id: each for each in open_to_promotion(rows, self._rules)}
            open_ones = {_candidate_of(run): run for run in runs.open_runs(rows, RunKind.CONTRAST)}
            for number, run in open_ones.items():
                chosen = choose(list(pool.values()), due.at, pool.keys() - {number})
                if chosen is None:
                    runs.end(rows, run.id, RunState.NONE, RunEnd(due.at), error=NOT_READY)
                elif batch := self._resumed(rows, run, pool[chosen.id], due):
                    return batch
            chosen = choose(list(pool.values()), due.at, open_ones.keys())
            if chosen is None:
                return None
            run_id = runs.begin(rows, "", RunKind.CONTRAST, (), due.at, target=f"#{chosen.id}")
            return self._batch(rows, run_id, pool[chosen.id], self._acts(rows, pool[chosen.id]), due.at)

        # Most of the time nothing is ready: a turn that writes does not wait for this to be found out.
        return await self._transactions.write(write) if await self._transactions.read(find) else None

    async def finish(self, batch: ContrastBatch, contrast: Contrast, ended: RunEnd) -> Promotion | None:
        def write(rows: Rows) -> Promotion | None:
            if not self._stands(rows, batch):
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=CHANGED)
                return None
            wanted = self._rules.growth.promoted if contrast.lives else self._own.doubted
            action = PROMOTE if contrast.lives else HOLD
            operation = OpenOperation(
                rows, self._types, self._rules, OperationHeader(Actor.PROMOTION, action, ended.at)
            )
            [before] = memories_there(rows, [contrast.memory])
            memory: Memory = operation.change(MEMORIES.ref(before), wanted, before)
            judge_pairs(rows, self._rules, operation.memories, ended.at)
            result = RunResult(contrast=contrast)
            runs.end(rows, batch.run, RunState.DONE, ended, operation=operation.number, result=result)
            return Promotion(memory, operation.number)

        return await self._transactions.write(write)

    def _resumed(self, rows: Rows, run: OpenRun, candidate: Supported, due: DueCandidates) -> ContrastBatch | None:
        """Retry a run that was cut short or failed; what came since begins its tries anew."""
        acts = self._acts(rows, candidate)
        if not self._own.is_run_due(run, due, [each.id for each in acts]):
            return None
        tries = run.tries
        if self._rules.is_spent(run.tries):
            if run.state is RunState.RUNNING:
                runs.park(rows, run, due.at)
                return None
            tries = 0
        runs.begin_again(rows, run, (), due.at, tries=tries + 1)
        return self._batch(rows, run.id, candidate, acts, due.at, tries=tries + 1)

    def _acts(self, rows: Rows, candidate: Supported) -> Sequence[Action]:
        """What it is read against."""
        numbers = sorted({each.act for each in candidate.supports if each.act is not None})
        supporting = records_there(rows, ACTIONS, numbers)
        latest = _latest(rows, list(self._own.types_read(candidate, supporting)), 2 * self._own.most)
        return self._own.read_against(candidate, list({each.id: each for each in (*supporting, *latest)}.values()))

    def _batch(
        self, rows: Rows, run: int, candidate: Supported, acts: Sequence[Action], now: datetime, tries: int = 1
    ) -> ContrastBatch:
        rounds = self._rounds_of(rows, acts)
        numbers = sorted({each.task for each in acts if each.task is not None})
        read = {"rounds": to_json([each.id for each in rounds]), "acts": to_json([each.id for each in acts])}
        rows.update("extraction_runs", read, is_("id", run))
        runs.note_records(rows, run, [ACTIONS.ref(each) for each in acts])
        return ContrastBatch(
            run,
            RunKind.CONTRAST,
            "",
            rounds,
            tries,
            candidate=candidate,
            acts=tuple(self._to_read(rows, candidate, acts, now)),
            tasks=tuple(with_steps(rows, records_there(rows, TASKS, numbers))),
        )

    def _to_read(self, rows: Rows, candidate: Supported, acts: Sequence[Action], now: datetime) -> list[ActToRead]:
        """Each as what it would speak for the candidate, or speaks already."""
        known = {each.act: each for each in candidate.supports if each.act is not None}
        at = spoke_at(rows, self._rules, acts, now)
        return [
            ActToRead(each, known.get(each.id) or self._support(candidate.memory.id, each, at[each.id]))
            for each in acts
        ]

    def _support(self, memory: int, act: Action, at: datetime) -> Support:
        source, session_id = self._rules.growth.source_of(act), act.session_id or None
        return Support(0, memory, SupportKind.ACT, source, at, act.id, session_id, act.round)

    def _rounds_of(self, rows: Rows, acts: Sequence[Action]) -> tuple[Round, ...]:
        """The rounds that the acts are about: the latest of a collected session."""
        numbers: dict[str, set[int]] = {}
        ids: set[int] = set()
        for each in acts:
            here = (is_("session_id", each.session_id), is_("replaced_by", None))
            if each.type is ActionType.COLLECT_SESSION:
                latest = rows.select("rounds", ("id",), *here, order=("-number",), limit=MOST_ROUNDS)
                ids.update(number for (number,) in latest)
            elif each.round is not None:
                numbers.setdefault(each.session_id, set()).add(each.round)
        for session_id, those in numbers.items():
            here = (is_("session_id", session_id), is_("replaced_by", None))
            ids.update(number for (number,) in rows.select("rounds", ("id",), *here, any_of("number", sorted(those))))
        return self._read_rounds(rows, sorted(ids))

    def _stands(self, rows: Rows, batch: ContrastBatch) -> bool:
        """Whether the candidate stands on what it stood on, and all that was read still counts."""
        assert batch.candidate is not None
        rounds, acts = [each.id for each in batch.rounds], [each.act.id for each in batch.acts]
        there = memories_there(rows, [batch.candidate.memory.id])
        is_deleted = any(map(Tombstones(rows, self._rules.deleting).states_deleted, there))
        now = [] if is_deleted else supports.supported(rows, there)
        stand = rows.count(ACTIONS.table, any_of("id", acts), is_("state", ActionState.STANDING.value))
        return (
            bool(rows.count("extraction_runs", is_("id", batch.run), is_("state", RunState.RUNNING.value)))
            and len(self._read_rounds(rows, rounds)) == len(rounds)
            and stand == len(acts)
            and self._own.is_same(batch.candidate, next(iter(now), None))
        )


def _candidate_of(run: OpenRun) -> int:
    return int(run.target.removeprefix("#"))


def _latest(rows: Rows, types: Sequence[ActionType], most: int) -> list[Action]:
    """The latest acts of these types that stand, and have something to be read."""
    where = (
        any_of("type", [each.value for each in types]),
        is_("state", ActionState.STANDING.value),
        is_not("read", ActionRead.NEVER.value),
    )
    found = rows.select(ACTIONS.table, ACTIONS.names, *where, order=("-at", "-id"), limit=most)
    return [ACTIONS.from_row(row) for row in found]
