"""Candidates that go live by acts: claimed as runs of the memory agent, let live or held by what the verifier says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from orca_core.domain.claims import OpenRun
from orca_core.domain.dialogues import Round
from orca_core.domain.growth.actions import ACTIONS, Action, ActionRead, ActionState, ActionType
from orca_core.domain.growth.reading import ActBatch, Promotion
from orca_core.domain.growth.supports import ChoosePromoted, Supported
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.learning import Due, RunEnd, RunKind, RunResult, RunState
from orca_core.domain.memories import MEMORIES, Memory
from orca_core.domain.stores.rows import Condition, Rows, Transactions, any_of, is_, is_not
from orca_core.domain.work.tasks import TASKS
from orca_core.journal import runs
from orca_core.journal.columns import to_json
from orca_core.journal.growth import supports
from orca_core.journal.growth.promoting import open_to_promotion, permits, pool_in
from orca_core.journal.operations import OpenOperation
from orca_core.journal.pairs import judge_pairs
from orca_core.journal.records import JournalRules, RecordTypes, memories_there, records_there
from orca_core.journal.tasks import with_steps

PROMOTE, HOLD = "promote", "hold"
"""What the operation on a candidate is called that goes live, or waits for a person from now on."""
MOST_ROUNDS = 20
"""So many of the latest rounds of a collected session are looked at. Chosen by hand."""
CHANGED = "what it stands on changed meanwhile"
NOT_READY = "it is not ready any more"


class Promotions:
    """The runs of one scope's candidates; the target of each names its candidate."""

    def __init__(
        self, transactions: Transactions, types: RecordTypes, rules: JournalRules, read_rounds: runs.ReadRounds
    ) -> None:
        self._transactions = transactions
        self._types = types
        self._rules = rules
        self._read_rounds = read_rounds

    async def next_at(self) -> datetime | None:
        def read(rows: Rows) -> datetime | None:
            return min(filter(None, (run.next_at for run in _open_runs(rows))), default=None)

        return await self._transactions.read(read)

    async def claim(self, due: Due, choose: ChoosePromoted) -> ActBatch | None:
        def find(rows: Rows) -> bool:
            return bool(_open_runs(rows)) or choose(pool_in(rows), due.now, ()) is not None

        def write(rows: Rows) -> ActBatch | None:
            pool = {each.memory.id: each for each in open_to_promotion(rows, self._rules)}
            open_ones = {int(run.target.removeprefix("#")): run for run in _open_runs(rows)}
            for number, run in open_ones.items():
                if choose(list(pool.values()), due.now, pool.keys() - {number}) is None:
                    runs.end(rows, run.id, RunState.NONE, RunEnd(due.now), error=NOT_READY)
                elif batch := self._resumed(rows, run, pool[number], due):
                    return batch
            chosen = choose(list(pool.values()), due.now, open_ones.keys())
            if chosen is None:
                return None
            run_id = runs.begin(rows, "", RunKind.ACTIONS, (), due.now, target=f"#{chosen.id}")
            return self._batch(rows, run_id, pool[chosen.id], 1)

        # Most of the time nothing is ready: a turn that writes does not wait for this to be found out.
        return await self._transactions.write(write) if await self._transactions.read(find) else None

    async def finish(self, batch: ActBatch, ended: RunEnd, *, lives: bool) -> Promotion | None:
        assert batch.candidate is not None
        candidate = batch.candidate

        def write(rows: Rows) -> Promotion | None:
            if not self._stands(rows, batch, candidate):
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=CHANGED)
                return None
            header = OperationHeader(Actor.PROMOTION, PROMOTE if lives else HOLD, ended.at)
            operation = OpenOperation(rows, self._types, self._rules, header)
            [before] = memories_there(rows, [candidate.memory.id])
            wanted = self._rules.growth.promoted if lives else self._rules.growth.doubted
            memory: Memory = operation.change(MEMORIES.ref(before), wanted, before)
            judge_pairs(rows, self._rules, operation.memories, ended.at)
            stored, held = ((memory.id,), ()) if lives else ((), (memory.id,))
            result = RunResult(stored=stored, candidates=held, second_reading=ended.second_reading)
            runs.end(rows, batch.run, RunState.DONE, ended, operation=operation.number, result=result)
            return Promotion(memory, operation.number)

        return await self._transactions.write(write)

    def _resumed(self, rows: Rows, run: OpenRun, candidate: Supported, due: Due) -> ActBatch | None:
        """Retry a run that was cut short or failed; where everything is wanted, also one that failed too often."""
        if run.id in due.besides or not (due.everything or self._rules.is_run_due(run, due, due.now)):
            return None
        tries = run.tries
        if self._rules.is_spent(tries):
            if run.state is RunState.RUNNING:
                runs.park(rows, run, due.now)
                return None
            tries = 0
        runs.begin_again(rows, run, (), due.now, tries=tries + 1)
        return self._batch(rows, run.id, candidate, tries + 1)

    def _batch(self, rows: Rows, run: int, candidate: Supported, tries: int) -> ActBatch:
        """The candidate with the acts that are shown of it, and what these and its other supports refer to."""
        acts = self._acts(rows, candidate)
        rounds = self._rounds_of(rows, candidate, acts)
        numbers = sorted({each.task for each in acts if each.task is not None})
        read = {"rounds": to_json([each.id for each in rounds]), "acts": to_json([each.id for each in acts])}
        rows.update("extraction_runs", read, is_("id", run))
        runs.note_records(rows, run, [ACTIONS.ref(each) for each in acts])
        return ActBatch(
            run,
            RunKind.ACTIONS,
            "",
            rounds,
            tries,
            actions=tuple(acts),
            tasks=tuple(with_steps(rows, records_there(rows, TASKS, numbers))),
            candidate=candidate,
        )

    def _acts(self, rows: Rows, candidate: Supported) -> Sequence[Action]:
        numbers = sorted({each.act for each in candidate.supports if each.act is not None})
        supporting = records_there(rows, ACTIONS, numbers)
        latest = _latest(rows, sorted(self._rules.growth.others), 2 * self._rules.growth.most_acts)
        return self._rules.growth.acts_to_read(candidate, [*supporting, *latest])

    def _rounds_of(self, rows: Rows, candidate: Supported, acts: Sequence[Action]) -> tuple[Round, ...]:
        """The rounds that the acts are about, the latest of a collected session, and those that speak for it."""
        numbers: dict[str, set[int]] = {}
        ids: set[int] = set()
        spoken = [(each.session_id, each.round) for each in candidate.supports if each.act is None]
        for session_id, number in [*((each.session_id, each.round) for each in acts), *spoken]:
            if session_id is not None and number is not None:
                numbers.setdefault(session_id, set()).add(number)
        for each in acts:
            if each.type is ActionType.COLLECT_SESSION:
                latest = rows.select("rounds", ("id",), *_of(each.session_id), order=("-number",), limit=MOST_ROUNDS)
                ids.update(number for (number,) in latest)
        for session_id, those in numbers.items():
            found = rows.select("rounds", ("id",), *_of(session_id), any_of("number", sorted(those)))
            ids.update(number for (number,) in found)
        return self._read_rounds(rows, sorted(ids))

    def _stands(self, rows: Rows, batch: ActBatch, candidate: Supported) -> bool:
        """Whether the candidate stands on what it stood on, and all that was read still counts."""
        rounds, acts = [each.id for each in batch.rounds], [each.id for each in batch.actions]
        there = memories_there(rows, [candidate.memory.id])
        now = supports.supported(rows, list(filter(permits(rows, self._rules), there)))
        stand = rows.count(ACTIONS.table, any_of("id", acts), is_("state", ActionState.STANDING.value))
        return (
            bool(rows.count("extraction_runs", is_("id", batch.run), is_("state", RunState.RUNNING.value)))
            and len(self._read_rounds(rows, rounds)) == len(rounds)
            and stand == len(acts)
            and self._rules.growth.is_same(candidate, next(iter(now), None))
        )


def _open_runs(rows: Rows) -> list[OpenRun]:
    return runs.open_runs(rows, RunKind.ACTIONS, is_not("target", ""))


def _of(session_id: str) -> tuple[Condition, Condition]:
    return is_("session_id", session_id), is_("replaced_by", None)


def _latest(rows: Rows, types: Sequence[ActionType], most: int) -> list[Action]:
    """The latest acts of these types that stand, and have something to be read."""
    where = (
        any_of("type", [each.value for each in types]),
        is_("state", ActionState.STANDING.value),
        is_not("read", ActionRead.NEVER.value),
    )
    found = rows.select(ACTIONS.table, ACTIONS.names, *where, order=("-at", "-id"), limit=most)
    return [ACTIONS.from_row(row) for row in found]
