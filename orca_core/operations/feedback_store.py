"""Acts read for what they show, and the candidates that go live by them: claimed, settled and supported like any other
run of the memory agent. A run about a candidate names it as its target."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from uuid import uuid4

from msgspec.structs import replace

from orca_core.model.feedback import (
    ACTIONS,
    ActBatch,
    Action,
    ActionRecorded,
    ActionState,
    ActionType,
    ActsLearnt,
    ChooseActs,
    ChoosePromoted,
    Promotion,
    ReadingState,
    ShownPreference,
    Support,
    SupportedMemory,
    SupportKind,
    Visits,
)
from orca_core.model.learning import (
    OPEN_STATES,
    DroppedFact,
    Due,
    OpenRun,
    RunEnd,
    RunKind,
    RunResult,
    RunState,
    Settle,
)
from orca_core.model.memories import MEMORIES, Memory, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import parse_timestamp, timestamp
from orca_core.model.sessions import Round
from orca_core.model.tasks import TASKS
from orca_core.operations import actions, runs, supports
from orca_core.operations.actions import spoke_at
from orca_core.operations.columns import to_json
from orca_core.operations.learning_queue import Settlements
from orca_core.operations.memory_pairs import judge_pairs
from orca_core.operations.operations import OpenOperation
from orca_core.operations.queue import REPLACED, BegunRun, Claim, ClaimMaterial, RoundQueue, next_batch
from orca_core.operations.records import memories_there, records_there
from orca_core.operations.rounds import read_rounds
from orca_core.operations.supports import open_to_promotion, permits, pool_in
from orca_core.operations.tasks import with_steps
from orca_core.rules.feedback.promotion import MOST_ACTS, OTHERS, PROMOTED, REFUSED, acts_to_read, is_unchanged
from orca_core.rules.feedback.signals import source_of, stands_already, taken_back_by
from orca_core.rules.learning.run_schedule import is_out_of_tries, is_run_due
from orca_core.store.ports import Condition, Rows, any_of, is_, is_not

TAKEN_BACK = "taken_back"
"""Why a preference is dropped that only acts show which were taken back meanwhile."""
PROMOTE, HOLD = "promote", "hold"
"""What the operation on a candidate is called that goes live, or waits for a person from now on."""
MOST_ROUNDS = 20
"""So many of the latest rounds of a collected session are looked at beside a candidate. Chosen by hand."""
CHANGED = "what it stands on changed meanwhile"
_WAIT = (is_("state", ActionState.STANDING.value), is_("read", ReadingState.WAITING.value))


class FoundActs(ClaimMaterial, frozen=True, kw_only=True):
    """Acts that one run reads, and the candidate that they are to let live."""

    actions: tuple[Action, ...]
    candidate: SupportedMemory | None = None


class FeedbackStore(RoundQueue):
    """The acts of one scope, their readings, and the runs of its candidates."""

    async def record(self, action: Action, header: OperationHeader) -> ActionRecorded:
        def write(rows: Rows) -> ActionRecorded:
            meant = actions.with_attempt(rows, action)
            standing = actions.standing_in(rows, action.session_id)
            known = stands_already(meant, standing)
            if known is not None:
                return ActionRecorded(known, None, is_known=True)
            operation = self._operation(rows, header)
            taken_back = actions.withdraw(operation, taken_back_by(meant, standing))
            made: Action = operation.create(ACTIONS, replace(meant, uid=uuid4().hex))
            numbers = supports.memories_of_acts(rows, [each.id for each in taken_back])
            memories = supports.reconsider(rows, operation, numbers)
            return ActionRecorded(made, operation.number, tuple(taken_back), memories)

        return await self._transactions.write(write)

    async def standing(self, session_id: str, types: Sequence[ActionType]) -> list[Action]:
        def read(rows: Rows) -> list[Action]:
            replaced = actions.replaced_attempts(rows, session_id)
            return [each for each in actions.standing_in(rows, session_id, types) if each.round_id not in replaced]

        return await self._transactions.read(read)

    async def speaks_for(self, action_ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        return await self._transactions.read(lambda rows: supports.memories_by_act(rows, action_ids))

    async def supports_of(self, memory_ids: Sequence[int]) -> Mapping[int, tuple[Support, ...]]:
        return await self._transactions.read(lambda rows: supports.standing(rows, memory_ids))

    async def pool(self) -> list[SupportedMemory]:
        return await self._transactions.read(pool_in, own=True)

    async def pool_about(self, held_because: str, ids: Sequence[int]) -> tuple[list[SupportedMemory], list[Visits]]:
        return await self._transactions.read(lambda rows: supports.pool_about(rows, held_because, ids), own=True)

    async def note_searched(self, memory_ids: Sequence[int], at: datetime) -> None:
        def write(rows: Rows) -> None:
            for memory in memories_there(rows, sorted(set(memory_ids))):
                if memory.state is State.CANDIDATE:
                    visited = {"searched": memory.searched + 1, "searched_at": timestamp(at)}
                    rows.update(MEMORIES.table, visited, is_("id", memory.id))

        await self._transactions.write(write)

    async def acts_waiting(self) -> int:
        return await self._transactions.read(lambda rows: rows.count(ACTIONS.table, *_WAIT))

    async def claim_acts(self, due: Due, choose: ChooseActs) -> ActBatch | None:
        def left(rows: Rows, run: OpenRun) -> FoundActs | None:
            """Those of its acts that stand."""
            there = [each for each in _standing(rows, run.acts) if each.read is ReadingState.WAITING]
            return self._found_acts(rows, choose(there, replace(due, everything=True, session_id=None)))

        def fresh(rows: Rows, begun: Sequence[OpenRun]) -> FoundActs | None:
            held = {number for run in begun if not run.target for number in run.acts}
            return self._found_acts(rows, choose(_waiting(rows, held), due))

        claim = Claim(
            kind=RunKind.ACTIONS,
            now=due.now,
            is_due=lambda run: not run.target and is_run_due(run, due, due.now),
            left=left,
            fresh=fresh,
            batch=_batch,
            gone="its acts were taken back",
        )
        return await self._next(claim)

    async def finish_acts(
        self,
        batch: ActBatch,
        shown: Sequence[ShownPreference],
        dropped: Sequence[DroppedFact],
        settle: Settle,
        ended: RunEnd,
    ) -> ActsLearnt | None:
        def write(rows: Rows) -> ActsLearnt | None:
            if not self._is_current(rows, batch):
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=REPLACED)
                return None
            header = OperationHeader(Actor.ACTIONS, "acts", ended.at, batch.session_id or None)
            settlements = Settlements(rows, self._types, self._settings, header, batch, settle)
            acts = {each.id: each for each in _standing(rows, [each.id for each in batch.actions])}
            by_memory: dict[int, list[Action]] = {}
            fallen: list[DroppedFact] = []
            for each in shown:
                standing = [acts[number] for number in each.acts if number in acts]
                if not standing:
                    fallen.append(DroppedFact(each.proposal.new.content, TAKEN_BACK))
                elif (memory := settlements.take(each.proposal)) is not None:
                    by_memory.setdefault(memory, []).extend(standing)
            self._support(rows, settlements.operation, by_memory, spoke_at(rows, acts.values(), ended.at))
            rows.update(ACTIONS.table, {"read": ReadingState.DONE.value}, any_of("id", sorted(acts)))
            grown = ActsLearnt(settlements.learnt([*dropped, *fallen]), tuple(by_memory))
            state = RunState.DONE if by_memory or grown.learnt.dropped else RunState.NONE
            result = runs.result_of(grown.learnt, ended, grown.supported)
            runs.end(rows, batch.run, state, ended, operation=grown.learnt.operation, result=result)
            return grown

        return await self._transactions.write(write)

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
                source = source_of(each)
                at, session_id = spoke_at[each.id], each.session_id or None
                support = Support(0, memory, SupportKind.ACT, source, at, each.id, session_id, each.round)
                supports.add(rows, operation, support)
        # A further support changes nothing of what lives or waits.
        left = [each.id for each in memories_there(rows, list(by_memory)) if each.state is State.ARCHIVED]
        supports.reconsider(rows, operation, left)

    def _found_acts(self, rows: Rows, chosen: Sequence[Action]) -> FoundActs | None:
        """The acts with the rounds that they are about: all of a collected session."""
        if not chosen:
            return None
        acts = _standing(rows, [each.id for each in chosen])
        session_id = acts[0].session_id
        where: list[Condition] = list(_of(session_id))
        if not any(each.type is ActionType.COLLECT_SESSION for each in acts):
            where.append(any_of("number", sorted({each.round for each in acts if each.round is not None})))
        rounds = read_rounds(rows, [number for (number,) in rows.select("rounds", ("id",), *where)])
        return FoundActs(session_id=session_id, rounds=rounds, actions=tuple(acts))

    async def next_candidate_at(self) -> datetime | None:
        def read(rows: Rows) -> datetime | None:
            return min(filter(None, (run.next_at for run in _about_candidates(rows))), default=None)

        return await self._transactions.read(read)

    async def claim_candidate(self, due: Due, choose: ChoosePromoted) -> ActBatch | None:
        def left(rows: Rows, run: OpenRun) -> FoundActs | None:
            """Its candidate, where that is still ready."""
            pool = {each.memory.id: each for each in open_to_promotion(rows)}
            number = _candidate_of(run)
            is_ready = choose(list(pool.values()), due.now, pool.keys() - {number}) is not None
            return self._found_candidate(rows, pool[number]) if is_ready else None

        def fresh(rows: Rows, begun: Sequence[OpenRun]) -> FoundActs | None:
            pool = {each.memory.id: each for each in open_to_promotion(rows)}
            chosen = choose(list(pool.values()), due.now, {_candidate_of(run) for run in begun if run.target})
            return None if chosen is None else self._found_candidate(rows, pool[chosen.id])

        claim = Claim(
            kind=RunKind.ACTIONS,
            now=due.now,
            is_due=lambda run: bool(run.target) and is_run_due(run, due, due.now),
            left=left,
            fresh=fresh,
            batch=_batch,
            gone="it is not ready any more",
        )

        def find(rows: Rows) -> bool:
            return bool(_about_candidates(rows)) or choose(pool_in(rows), due.now, ()) is not None

        def write(rows: Rows) -> ActBatch | None:
            if due.everything:
                self._make_due(rows, due)
            return next_batch(rows, claim)

        # Most of the time nothing is ready: a turn that writes does not wait for this to be found out.
        return await self._transactions.write(write) if await self._transactions.read(find) else None

    async def finish_candidate(self, batch: ActBatch, ended: RunEnd, *, lives: bool) -> Promotion | None:
        assert batch.candidate is not None
        candidate = batch.candidate

        def write(rows: Rows) -> Promotion | None:
            if not self._stands(rows, batch, candidate):
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=CHANGED)
                return None
            header = OperationHeader(Actor.PROMOTION, PROMOTE if lives else HOLD, ended.at)
            operation = self._operation(rows, header)
            [before] = memories_there(rows, [candidate.memory.id])
            wanted = PROMOTED if lives else REFUSED
            memory: Memory = operation.change(MEMORIES.ref(before), wanted, before)
            judge_pairs(rows, operation.memories, ended.at)
            stored, held = ((memory.id,), ()) if lives else ((), (memory.id,))
            result = RunResult(stored=stored, candidates=held, verification=ended.verification)
            runs.end(rows, batch.run, RunState.DONE, ended, operation=operation.number, result=result)
            return Promotion(memory, operation.number)

        return await self._transactions.write(write)

    def _make_due(self, rows: Rows, due: Due) -> None:
        """Everything is wanted: also what failed too often, as if for the first time."""
        for run in _about_candidates(rows):
            if run.state in OPEN_STATES and run.id not in due.besides:
                tries = 0 if is_out_of_tries(run.tries) else run.tries
                rows.update("extraction_runs", {"next_at": timestamp(due.now), "tries": tries}, is_("id", run.id))

    def _found_candidate(self, rows: Rows, candidate: SupportedMemory) -> FoundActs:
        """The candidate with the acts that are shown of it, and the rounds that these and its other supports are
        about."""
        numbers = sorted({each.act for each in candidate.supports if each.act is not None})
        latest = _latest(rows, sorted(OTHERS), 2 * MOST_ACTS)
        acts = acts_to_read(candidate, [*records_there(rows, ACTIONS, numbers), *latest])
        rounds = self._rounds_of(rows, candidate, acts)
        return FoundActs(target=f"#{candidate.memory.id}", rounds=rounds, actions=tuple(acts), candidate=candidate)

    def _rounds_of(self, rows: Rows, candidate: SupportedMemory, acts: Sequence[Action]) -> tuple[Round, ...]:
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
        return read_rounds(rows, sorted(ids))

    def _stands(self, rows: Rows, batch: ActBatch, candidate: SupportedMemory) -> bool:
        """Whether the candidate stands on what it stood on, and all that was read still counts."""
        acts = [each.id for each in batch.actions]
        there = memories_there(rows, [candidate.memory.id])
        now = supports.supported(rows, list(filter(permits(rows), there)))
        stand = rows.count(ACTIONS.table, any_of("id", acts), is_("state", ActionState.STANDING.value))
        return self._is_current(rows, batch) and stand == len(acts) and is_unchanged(candidate, next(iter(now), None))


def _batch(rows: Rows, begun: BegunRun, found: FoundActs) -> ActBatch:
    """What a run reads, with the tasks that the acts are about."""
    numbers = sorted({each.task for each in found.actions if each.task is not None})
    rows.update("extraction_runs", {"acts": to_json([each.id for each in found.actions])}, is_("id", begun.run))
    runs.note_records(rows, begun.run, [ACTIONS.ref(each) for each in found.actions])
    return ActBatch(
        begun.run,
        RunKind.ACTIONS,
        found.session_id,
        found.rounds,
        begun.tries,
        actions=found.actions,
        tasks=tuple(with_steps(rows, records_there(rows, TASKS, numbers))),
        candidate=found.candidate,
    )


def _about_candidates(rows: Rows) -> list[OpenRun]:
    return runs.open_runs(rows, RunKind.ACTIONS, is_not("target", ""))


def _candidate_of(run: OpenRun) -> int:
    return int(run.target.removeprefix("#"))


def _waiting(rows: Rows, held: Collection[int]) -> list[Action]:
    """The acts that nobody has claimed, oldest first, without what was given with them: that may be long, and every one
    is looked at."""
    found = rows.select(ACTIONS.table, ("id", "type", "session_id", "at"), *_WAIT, order=("id",))
    return [
        Action(number, "", ActionType(word), session_id, parse_timestamp(at), read=ReadingState.WAITING)
        for number, word, session_id, at in found
        if number not in held
    ]


def _standing(rows: Rows, numbers: Iterable[int]) -> list[Action]:
    return [each for each in records_there(rows, ACTIONS, sorted(numbers)) if each.stands]


def _of(session_id: str) -> tuple[Condition, Condition]:
    return is_("session_id", session_id), is_("replaced_by", None)


def _latest(rows: Rows, types: Sequence[ActionType], most: int) -> list[Action]:
    """The latest acts of these types that stand, and have something to be read."""
    where = (
        any_of("type", [each.value for each in types]),
        is_("state", ActionState.STANDING.value),
        is_not("read", ReadingState.NEVER.value),
    )
    found = rows.select(ACTIONS.table, ACTIONS.names, *where, order=("-at", "-id"), limit=most)
    return [ACTIONS.from_row(row) for row in found]
