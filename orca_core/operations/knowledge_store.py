"""Runs that make knowledge of episodes: claimed, settled and ended; and what a person does to targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, ChangeOne, Episode
from orca_core.model.knowledge import (
    KNOWLEDGES,
    SOURCE_DELETED,
    DueTargets,
    JudgedKnowledge,
    Knowledge,
    KnowledgeBatch,
    KnowledgeWritten,
    TargetCount,
    TargetRenamed,
)
from orca_core.model.learning import DroppedFact, OpenRun, RunEnd, RunKind, RunResult, RunState
from orca_core.model.memories import ArchivedBecause, Fields, Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader, RecordsChanged
from orca_core.model.record_types import RecordType
from orca_core.model.tasks import TASKS
from orca_core.operations import runs
from orca_core.operations.columns import to_json
from orca_core.operations.knowledge_targets import (
    OnTarget,
    counted,
    keep_one,
    on_targets,
    put_aside,
    standing,
    was_read,
)
from orca_core.operations.operations import OpenOperation
from orca_core.operations.queue import BegunRun, Claim, ClaimMaterial, RunQueue, is_running
from orca_core.operations.records import RecordTypes, check_there, record_of, records_there
from orca_core.rules.learning.run_schedule import is_target_run_due
from orca_core.rules.work import consolidation_rules
from orca_core.rules.work.consolidation_rules import fold_target
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, is_, is_not


def settle(
    rows: Rows,
    types: RecordTypes,
    settings: MemorySettings,
    batch: KnowledgeBatch,
    judged: JudgedKnowledge,
    ended: RunEnd,
) -> KnowledgeWritten:
    """What is held back never takes the place of what lives: it waits beside it, and takes it once it is accepted."""
    header = OperationHeader(Actor.CONSOLIDATION, "consolidate", ended.at)
    operation = OpenOperation(rows, types, settings, header)
    added = [each.id for each in batch.episodes]
    sources = sorted({*added, *(each.id for each in batch.earlier)})
    candidates = [each for each in batch.known if each.state is State.CANDIDATE]
    is_held = judged.held_because is not None
    renewed = next(iter(candidates if is_held else batch.known), None)
    version = 1 + max((each.version for each in batch.known), default=0)
    if why := operation.why_refused(KNOWLEDGES, _new(batch.target, sources, version, judged, header)):
        again = DroppedFact(judged.taught.topic, why)
        runs.end(rows, batch.run, RunState.NONE, ended, result=RunResult(dropped=(*judged.lacking, again)))
        return KnowledgeWritten()
    knowledge = _written(operation, renewed, batch.target, sources, version, judged, header)
    others = [each for each in (candidates if is_held else batch.known) if each.id != knowledge.id]
    superseded = put_aside(operation, KNOWLEDGES, others, consolidation_rules.superseded_fields(ended.at))
    result = RunResult(dropped=judged.lacking, knowledge=(knowledge.id,))
    runs.note_records(rows, batch.run, [KNOWLEDGES.ref(knowledge)])
    runs.end(rows, batch.run, RunState.DONE, ended, operation=operation.number, result=result)
    made = record_of(rows, KNOWLEDGES, knowledge.id)
    return KnowledgeWritten(made, operation.number, superseded)


def _written(
    operation: OpenOperation,
    before: Knowledge | None,
    target: str,
    sources: Sequence[int],
    version: int,
    judged: JudgedKnowledge,
    header: OperationHeader,
) -> Knowledge:
    if before is None:
        made: Knowledge = operation.create(KNOWLEDGES, _new(target, sources, version, judged, header))
        return made
    taught = judged.taught
    wanted: dict[str, Any] = {
        "text": judged.text,
        "topic": taught.topic,
        "content": taught.content,
        "key_points": list(taught.key_points),
        "source_episodes": list(sources),
        "confidence": taught.confidence,
        "version": version,
        "state": _state(judged).value,
        "held_because": judged.held_because,
        "origin_model": judged.model,
    }
    if before.held_because == SOURCE_DELETED:
        anew: Knowledge = operation.make_anew(KNOWLEDGES, before, wanted)
        return anew
    renewed: Knowledge = operation.change(KNOWLEDGES.ref(before), wanted, before)
    return renewed


def _new(
    target: str, sources: Sequence[int], version: int, judged: JudgedKnowledge, header: OperationHeader
) -> Knowledge:
    taught = judged.taught
    return Knowledge(
        id=0,
        uid=uuid4().hex,
        text=judged.text,
        topic=taught.topic,
        content=taught.content,
        created_at=header.at,
        updated_at=header.at,
        target=target,
        key_points=taught.key_points,
        source_episodes=tuple(sources),
        confidence=taught.confidence,
        version=version,
        state=_state(judged),
        held_because=judged.held_because,
        origin=Origin(OriginKind.EXTRACTION, model=judged.model),
    )


def _state(judged: JudgedKnowledge) -> State:
    return State.LIVE if judged.held_because is None else State.CANDIDATE


CHANGED = "an episode was changed or deleted meanwhile"


class FoundTarget(ClaimMaterial, frozen=True, kw_only=True):
    """A target, and what there is on it."""

    there: OnTarget


Retell = Callable[[Any, str], Fields]
"""The fields of an episode, knowledge or task whose target gets another name."""


class KnowledgeStore(RunQueue):
    """Targets, knowledge and its runs in one scope."""

    async def targets(self) -> list[TargetCount]:
        def read(rows: Rows) -> list[TargetCount]:
            found = on_targets(rows, fold_target)
            return sorted(self._counts(rows, found), key=lambda each: (-each.episodes, each.target))

        return await self._transactions.read(read)

    async def of_target(self, target: str) -> list[Knowledge]:
        return await self._transactions.read(lambda rows: self._of_target(rows, target))

    async def claim(self, due: DueTargets) -> KnowledgeBatch | None:
        def left(rows: Rows, run: OpenRun) -> FoundTarget | None:
            """The episodes that wait on its target by now. Where none do, it counts as having read none."""
            on_target = on_targets(rows, fold_target).get(fold_target(run.target))
            if on_target is not None and on_target.waiting:
                return FoundTarget(target=on_target.spelling, there=on_target)
            rows.update("extraction_runs", {"episodes": "[]"}, is_("id", run.id))
            return None

        def fresh(rows: Rows, _begun: Sequence[OpenRun]) -> FoundTarget | None:
            found = on_targets(rows, fold_target)
            waiting = {folded: each for folded, each in found.items() if each.waiting}
            chosen = consolidation_rules.due_target(self._counts(rows, waiting), due) if waiting else None
            if chosen is None:
                return None
            there = found[fold_target(chosen.target)]
            return FoundTarget(target=there.spelling, there=there)

        claim = Claim(
            kind=RunKind.CONSOLIDATE,
            now=due.at,
            is_due=lambda run: is_target_run_due(run, due, fold_target),
            left=left,
            fresh=fresh,
            batch=self._batch,
            gone="its episodes are gone",
        )
        return await self._next(claim)

    async def finish(
        self, batch: KnowledgeBatch, judged: JudgedKnowledge | None, ended: RunEnd
    ) -> KnowledgeWritten | None:
        def write(rows: Rows) -> KnowledgeWritten | None:
            if not self._stands(rows, batch):
                rows.update("extraction_runs", {"episodes": "[]"}, is_("id", batch.run))
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error=CHANGED)
                return None
            was_read(rows, [each.id for each in batch.episodes])
            if judged is None:
                runs.end(rows, batch.run, RunState.NONE, ended)
                return KnowledgeWritten()
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
                put_aside(operation, KNOWLEDGES, others, consolidation_rules.superseded_fields(header.at))
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
        folded = fold_target(old)
        named = rows.select(record_type.table, ("id", "target"), is_not("target", ""), order=("id",))
        ids = [number for number, target in named if target != new and fold_target(target) == folded]
        for record in records_there(rows, record_type, ids):
            operation.change(record_type.ref(record), retell(record, new), record)
        return tuple(ids)

    def _of_target(self, rows: Rows, target: str) -> list[Knowledge]:
        folded = fold_target(target)
        return [each for each in standing(rows) if folded and fold_target(each.target) == folded]

    def _counts(self, rows: Rows, found: dict[str, OnTarget]) -> list[TargetCount]:
        held = {fold_target(run.target) for run in runs.open_runs(rows, RunKind.CONSOLIDATE)}
        return [counted(rows, each, is_held=folded in held) for folded, each in found.items()]

    def _batch(self, rows: Rows, begun: BegunRun, found: FoundTarget) -> KnowledgeBatch:
        """The newest episodes; of several that are known, a pinned one stays beside what is renewed."""
        run, on_target = begun.run, found.there
        ids = on_target.waiting[-consolidation_rules.MOST_EPISODES :]
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
