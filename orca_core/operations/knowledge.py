"""Runs that make knowledge of episodes: claimed and ended; and what a hand does to targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, ChangeOne, Episode
from orca_core.model.knowledge import (
    KNOWLEDGES,
    DueTargets,
    Judged,
    Knowledge,
    KnowledgeBatch,
    Settled,
    TargetCount,
    TargetRenamed,
)
from orca_core.model.learning import OpenRun, RunEnd, RunKind, RunState
from orca_core.model.memories import ArchivedBecause, Fields, State
from orca_core.model.operations import OperationHeader, RecordsChanged
from orca_core.model.records import RecordType
from orca_core.model.tasks import TASKS
from orca_core.operations import runs
from orca_core.operations.columns import to_json
from orca_core.operations.one_known import keep_one, put_aside
from orca_core.operations.operations import OpenOperation
from orca_core.operations.queue import Begun, Claim, Found, RunQueue, is_running
from orca_core.operations.records import RecordTypes, check_there, records_there
from orca_core.operations.sources import was_read
from orca_core.operations.targets import OnTarget, counted, on_targets, standing
from orca_core.operations.taught import settle
from orca_core.rules.work import consolidation_rules
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, Transactions, is_, is_not

CHANGED = "an episode was changed or deleted meanwhile"


class FoundTarget(Found, frozen=True, kw_only=True):
    """A target, and what there is on it."""

    there: OnTarget


Retell = Callable[[Any, str], Fields]
"""The fields of an episode, knowledge or task whose target gets another name."""


class KnowledgeStore(RunQueue):
    """Targets, knowledge and its runs in one scope."""

    def __init__(self, transactions: Transactions, types: RecordTypes, settings: MemorySettings) -> None:
        super().__init__(transactions, types, settings)

    async def targets(self) -> list[TargetCount]:
        def read(rows: Rows) -> list[TargetCount]:
            found = on_targets(rows, consolidation_rules.folded)
            return sorted(self._counts(rows, found), key=lambda each: (-each.episodes, each.target))

        return await self._transactions.read(read)

    async def of_target(self, target: str) -> list[Knowledge]:
        return await self._transactions.read(lambda rows: self._of_target(rows, target))

    async def claim(self, due: DueTargets) -> KnowledgeBatch | None:
        def left(rows: Rows, run: OpenRun) -> FoundTarget | None:
            """The episodes that wait on its target by now. Where none do, it counts as having read none."""
            on_target = on_targets(rows, consolidation_rules.folded).get(consolidation_rules.folded(run.target))
            if on_target is not None and on_target.waiting:
                return FoundTarget(target=on_target.spelling, there=on_target)
            rows.update("extraction_runs", {"episodes": "[]"}, is_("id", run.id))
            return None

        def fresh(rows: Rows, _begun: Sequence[OpenRun]) -> FoundTarget | None:
            found = on_targets(rows, consolidation_rules.folded)
            waiting = {folded: each for folded, each in found.items() if each.waiting}
            chosen = consolidation_rules.due_target(self._counts(rows, waiting), due) if waiting else None
            if chosen is None:
                return None
            there = found[consolidation_rules.folded(chosen.target)]
            return FoundTarget(target=there.spelling, there=there)

        claim = Claim(
            kind=RunKind.CONSOLIDATE,
            now=due.at,
            is_due=lambda run: consolidation_rules.is_run_due(run, due),
            left=left,
            fresh=fresh,
            batch=self._batch,
            gone="its episodes are gone",
        )
        return await self._next(claim)

    async def finish(self, batch: KnowledgeBatch, judged: Judged | None, ended: RunEnd) -> Settled | None:
        def write(rows: Rows) -> Settled | None:
            if not self._stands(rows, batch):
                rows.update("extraction_runs", {"episodes": "[]"}, is_("id", batch.run))
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=CHANGED)
                return None
            was_read(rows, [each.id for each in batch.episodes])
            if judged is None:
                runs.end(rows, batch.run, RunState.NONE, ended)
                return Settled()
            return settle(rows, self._types, self._settings, batch, judged, ended)

        return await self._transactions.write(write)

    async def accept(
        self, ids: Sequence[int], header: OperationHeader, change: ChangeOne[Knowledge]
    ) -> RecordsChanged[Knowledge]:
        def write(rows: Rows) -> RecordsChanged[Knowledge]:
            distinct = tuple(dict.fromkeys(ids))
            check_there(rows, KNOWLEDGES, distinct)
            operation = self._operation(rows, header)
            for before in records_there(rows, KNOWLEDGES, distinct):
                accepted: Knowledge = operation.change(KNOWLEDGES.ref(before), change(before), before)
                others = [each for each in self._of_target(rows, accepted.target) if each.id not in distinct]
                put_aside(operation, KNOWLEDGES, others, consolidation_rules.put_aside(header.at))
            keep_one(rows, operation, header.at, touched=distinct, chosen=distinct)
            return RecordsChanged(operation.number, tuple(records_there(rows, KNOWLEDGES, distinct)))

        return await self._transactions.write(write)

    async def rename_target(self, old: str, new: str, header: OperationHeader, retell: Retell) -> TargetRenamed:
        def write(rows: Rows) -> TargetRenamed:
            operation = self._operation(rows, header)
            renamed = [self._renamed(rows, operation, each, old, new, retell) for each in (EPISODES, KNOWLEDGES, TASKS)]
            keep_one(rows, operation, header.at, touched=renamed[1])
            return TargetRenamed(operation.number, *renamed)

        return await self._transactions.write(write)

    def _renamed(
        self, rows: Rows, operation: OpenOperation, record_type: RecordType[Any], old: str, new: str, retell: Retell
    ) -> tuple[int, ...]:
        folded = consolidation_rules.folded(old)
        named = rows.select(record_type.table, ("id", "target"), is_not("target", ""), order=("id",))
        ids = [number for number, target in named if target != new and consolidation_rules.folded(target) == folded]
        for record in records_there(rows, record_type, ids):
            operation.change(record_type.ref(record), retell(record, new), record)
        return tuple(ids)

    def _of_target(self, rows: Rows, target: str) -> list[Knowledge]:
        folded = consolidation_rules.folded(target)
        return [each for each in standing(rows) if folded and consolidation_rules.folded(each.target) == folded]

    def _counts(self, rows: Rows, found: dict[str, OnTarget]) -> list[TargetCount]:
        held = {consolidation_rules.folded(run.target) for run in runs.open_runs(rows, RunKind.CONSOLIDATE)}
        return [counted(rows, each, is_held=folded in held) for folded, each in found.items()]

    def _batch(self, rows: Rows, begun: Begun, found: FoundTarget) -> KnowledgeBatch:
        """The newest episodes; of several that are known, a pinned one stays beside what is renewed."""
        run, on_target = begun.run, found.there
        ids = on_target.waiting[-consolidation_rules.MOST :]
        new = records_there(rows, EPISODES, ids)
        known = [each for place, each in enumerate(on_target.known) if place == 0 or not each.pinned]
        before = {number for each in known for number in each.source_episodes} - set(ids)
        batch = KnowledgeBatch(
            run,
            RunKind.CONSOLIDATE,
            "",
            (),
            begun.tries,
            target=on_target.spelling,
            episodes=tuple(new),
            earlier=tuple(filter(_counts, records_there(rows, EPISODES, sorted(before, reverse=True)))),
            known=tuple(known),
        )
        rows.update("extraction_runs", {"episodes": to_json(ids), "target": batch.target}, is_("id", run))
        shown = [EPISODES.ref(each) for each in (*batch.episodes, *batch.earlier)]
        runs.note_records(rows, run, [*shown, *(KNOWLEDGES.ref(each) for each in known)])
        return batch

    def _stands(self, rows: Rows, batch: KnowledgeBatch) -> bool:
        """Whether all that was read is still as it was, and nothing else is known of the target."""
        read = (*batch.episodes, *batch.earlier)
        now = records_there(rows, EPISODES, [each.id for each in read])
        known = [each.id for each in self._of_target(rows, batch.target)]
        by_now = records_there(rows, KNOWLEDGES, [each.id for each in batch.known])
        return (
            [_words_of(each) for each in now] == [_words_of(each) for each in read]
            and [_words_of(each) for each in by_now] == [_words_of(each) for each in batch.known]
            and set(known[:1]) <= {each.id for each in batch.known}
            and is_running(rows, batch.run)
        )

    def _operation(self, rows: Rows, header: OperationHeader) -> OpenOperation:
        return OpenOperation(rows, self._types, self._settings, header)


def _counts(episode: Episode) -> bool:
    """Whether an episode still speaks for what was made of it. Who rejected it, or took its making back, said no; one
    that faded was true. A candidate is shown: it holds back what is made of it."""
    return episode.state is not State.REJECTED and episode.archived_because is not ArchivedBecause.UNDONE


def _words_of(record: Episode | Knowledge) -> Episode | Knowledge:
    """A record without what changes while it says the same: being looked at is no change."""
    if isinstance(record, Knowledge):
        return replace(record, access_count=0, last_accessed=None, updated_at=record.created_at)
    same = replace(record, access_count=0, last_accessed=None, updated_at=record.created_at)
    return replace(same, pinned=False, aged_from=record.created_at)
