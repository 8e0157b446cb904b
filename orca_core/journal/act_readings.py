"""Acts read for what they show: claimed, settled and supported like any other run of the memory agent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from orca_core.domain.claims import OpenRun
from orca_core.domain.dialogues import Round
from orca_core.domain.growth.actions import ACTIONS, Action, ActionRead, ActionState, ActionType
from orca_core.domain.growth.reading import ActBatch, ChooseActs, Grown, Shown
from orca_core.domain.growth.supports import Support, SupportKind
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.learning import DroppedFact, Due, RunEnd, RunKind, RunState
from orca_core.domain.memories import State
from orca_core.domain.settling import Settle
from orca_core.domain.stores.rows import Condition, Rows, Transactions, any_of, is_
from orca_core.domain.times import parse_timestamp
from orca_core.domain.work.tasks import TASKS
from orca_core.journal import runs
from orca_core.journal.columns import to_json
from orca_core.journal.growth import supports
from orca_core.journal.growth.speaking import spoke_at
from orca_core.journal.operations import OpenOperation
from orca_core.journal.records import JournalRules, RecordTypes, memories_there, records_there
from orca_core.journal.settlements import Settlements
from orca_core.journal.tasks import with_steps

TAKEN_BACK = "taken_back"
"""Why a preference is dropped that only acts show which were taken back meanwhile."""
_WAIT = (is_("state", ActionState.STANDING.value), is_("read", ActionRead.WAITING.value))


class ActRuns:
    """The readings of one scope's acts."""

    def __init__(
        self, transactions: Transactions, types: RecordTypes, rules: JournalRules, read_rounds: runs.ReadRounds
    ) -> None:
        self._transactions = transactions
        self._types = types
        self._rules = rules
        self._read_rounds = read_rounds

    async def waiting(self) -> int:
        return await self._transactions.read(lambda rows: rows.count(ACTIONS.table, *_WAIT))

    async def claim(self, due: Due, choose: ChooseActs) -> ActBatch | None:
        def write(rows: Rows) -> ActBatch | None:
            for run in _open_runs(rows):
                if self._rules.is_run_due(run, due, due.now) and (batch := self._resumed(rows, run, due, choose)):
                    return batch
            chosen = choose(_waiting(rows, _held(rows)), due)
            if not chosen:
                return None
            run_id = runs.begin(rows, chosen[0].session_id, RunKind.ACTIONS, (), due.now)
            return self._batch(rows, run_id, _standing(rows, [each.id for each in chosen]), 1)

        # Most of the time nothing waits: a turn that writes does not wait for this to be found out.
        return await self._transactions.write(write) if await self._may_be_due(due, choose) else None

    async def finish(
        self, batch: ActBatch, shown: Sequence[Shown], dropped: Sequence[DroppedFact], settle: Settle, ended: RunEnd
    ) -> Grown | None:
        def write(rows: Rows) -> Grown | None:
            if not self._stands(rows, batch):
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error="a round was replaced or deleted")
                return None
            header = OperationHeader(Actor.ACTIONS, "acts", ended.at, batch.session_id or None)
            settlements = Settlements(rows, self._types, self._rules, header, batch, settle)
            acts = {each.id: each for each in _standing(rows, [each.id for each in batch.actions])}
            by_memory: dict[int, list[Action]] = {}
            fallen: list[DroppedFact] = []
            for each in shown:
                standing = [acts[number] for number in each.acts if number in acts]
                if not standing:
                    fallen.append(DroppedFact(each.proposal.new.content, TAKEN_BACK))
                elif (memory := settlements.take(each.proposal)) is not None:
                    by_memory.setdefault(memory, []).extend(standing)
            self._support(rows, settlements.operation, by_memory, spoke_at(rows, self._rules, acts.values(), ended.at))
            rows.update(ACTIONS.table, {"read": ActionRead.DONE.value}, any_of("id", sorted(acts)))
            grown = Grown(settlements.learnt([*dropped, *fallen]), tuple(by_memory))
            state = RunState.DONE if by_memory or grown.learnt.dropped else RunState.NONE
            result = runs.result_of(grown.learnt, ended, grown.supported)
            runs.end(rows, batch.run, state, ended, operation=grown.learnt.operation, result=result)
            return grown

        return await self._transactions.write(write)

    async def _may_be_due(self, due: Due, choose: ChooseActs) -> bool:
        def read(rows: Rows) -> bool:
            if any(self._rules.is_run_due(run, due, due.now) for run in _open_runs(rows)):
                return True
            return bool(choose(_waiting(rows, _held(rows)), due))

        return await self._transactions.read(read)

    def _support(
        self,
        rows: Rows,
        operation: OpenOperation,
        by_memory: Mapping[int, Sequence[Action]],
        spoke_at: Mapping[int, datetime],
    ) -> None:
        """Note the acts as supports; what had left for want of them stands again."""
        for memory, acts in by_memory.items():
            for each in acts:
                source = self._rules.growth.source_of(each)
                at, session_id = spoke_at[each.id], each.session_id or None
                support = Support(0, memory, SupportKind.ACT, source, at, each.id, session_id, each.round)
                supports.add(rows, operation, support)
        # A further support changes nothing of what lives or waits.
        left = [each.id for each in memories_there(rows, list(by_memory)) if each.state is State.ARCHIVED]
        supports.reconsider(rows, self._rules, operation, left)

    def _resumed(self, rows: Rows, run: OpenRun, due: Due, choose: ChooseActs) -> ActBatch | None:
        """Retry a run that was cut short or failed, with those of its acts that stand."""
        left = [each for each in _standing(rows, run.acts) if each.read is ActionRead.WAITING]
        chosen = choose(left, replace(due, everything=True, session_id=None))
        if not chosen:
            runs.end(rows, run.id, RunState.NONE, RunEnd(due.now), error="its acts were taken back")
            return None
        if self._rules.is_spent(run.tries):
            runs.park(rows, run, due.now)
            return None
        runs.begin_again(rows, run, (), due.now)
        return self._batch(rows, run.id, chosen, run.tries + 1)

    def _batch(self, rows: Rows, run: int, acts: Sequence[Action], tries: int) -> ActBatch:
        rounds = self._rounds_of(rows, acts)
        numbers = sorted({each.task for each in acts if each.task is not None})
        batch = ActBatch(
            run,
            RunKind.ACTIONS,
            acts[0].session_id,
            rounds,
            tries,
            actions=tuple(acts),
            tasks=tuple(with_steps(rows, records_there(rows, TASKS, numbers))),
        )
        read = {"rounds": to_json([each.id for each in rounds]), "acts": to_json([each.id for each in acts])}
        rows.update("extraction_runs", read, is_("id", run))
        runs.note_records(rows, run, [ACTIONS.ref(each) for each in acts])
        return batch

    def _rounds_of(self, rows: Rows, acts: Sequence[Action]) -> tuple[Round, ...]:
        """The rounds that the acts are about: all of a collected session."""
        where: list[Condition] = [is_("session_id", acts[0].session_id), is_("replaced_by", None)]
        if not any(each.type is ActionType.COLLECT_SESSION for each in acts):
            numbers = sorted({each.round for each in acts if each.round is not None})
            where.append(any_of("number", numbers))
        return self._read_rounds(rows, [number for (number,) in rows.select("rounds", ("id",), *where)])

    def _stands(self, rows: Rows, batch: ActBatch) -> bool:
        """Whether every round that was read is still the one that counts, and the run is still this one."""
        ids = [each.id for each in batch.rounds]
        if len(self._read_rounds(rows, ids)) != len(ids):
            return False
        return bool(rows.count("extraction_runs", is_("id", batch.run), is_("state", RunState.RUNNING.value)))


def _open_runs(rows: Rows) -> list[OpenRun]:
    """Those that read acts; one with a target is about a candidate."""
    return runs.open_runs(rows, RunKind.ACTIONS, is_("target", ""))


def _held(rows: Rows) -> set[int]:
    """The acts of runs that have not ended."""
    return {number for run in _open_runs(rows) for number in run.acts}


def _waiting(rows: Rows, held: Collection[int]) -> list[Action]:
    """The acts that nobody has claimed, oldest first, without what was given with them: that may be long, and every one
    is looked at."""
    found = rows.select(ACTIONS.table, ("id", "type", "session_id", "at"), *_WAIT, order=("id",))
    return [
        Action(number, "", ActionType(word), session_id, parse_timestamp(at), read=ActionRead.WAITING)
        for number, word, session_id, at in found
        if number not in held
    ]


def _standing(rows: Rows, numbers: Iterable[int]) -> list[Action]:
    return [each for each in records_there(rows, ACTIONS, sorted(numbers)) if each.stands]
