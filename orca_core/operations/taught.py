"""What episodes taught, written: knowledge made or renewed, its episodes marked, what else was known put aside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from orca_core.model.knowledge import KNOWLEDGES, SOURCE_DELETED, Judged, Knowledge, KnowledgeBatch, Settled
from orca_core.model.learning import DroppedFact, RunEnd, RunResult, RunState
from orca_core.model.memories import Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.operations import runs
from orca_core.operations.one_known import put_aside
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes, record_of
from orca_core.rules.work import consolidation_rules
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows


def settle(
    rows: Rows, types: RecordTypes, settings: MemorySettings, batch: KnowledgeBatch, judged: Judged, ended: RunEnd
) -> Settled:
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
        return Settled()
    knowledge = _written(operation, renewed, batch.target, sources, version, judged, header)
    others = [each for each in (candidates if is_held else batch.known) if each.id != knowledge.id]
    superseded = put_aside(operation, KNOWLEDGES, others, consolidation_rules.put_aside(ended.at))
    result = RunResult(dropped=judged.lacking, knowledge=(knowledge.id,))
    runs.note_records(rows, batch.run, [KNOWLEDGES.ref(knowledge)])
    runs.end(rows, batch.run, RunState.DONE, ended, operation=operation.number, result=result)
    made = record_of(rows, KNOWLEDGES, knowledge.id)
    return Settled(made, operation.number, superseded)


def _written(
    operation: OpenOperation,
    before: Knowledge | None,
    target: str,
    sources: Sequence[int],
    version: int,
    judged: Judged,
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


def _new(target: str, sources: Sequence[int], version: int, judged: Judged, header: OperationHeader) -> Knowledge:
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


def _state(judged: Judged) -> State:
    return State.LIVE if judged.held_because is None else State.CANDIDATE
