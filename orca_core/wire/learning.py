"""What was learnt, what waits for a decision, and the runs of the memory agent."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.events import Extraction
from orca_core.domain.learning import DroppedFact, Lesson, Run, StoredFact
from orca_core.domain.nearness import Nearness
from orca_core.domain.refs import EPISODE, KNOWLEDGE, Ref
from orca_core.domain.second_reading import SecondReading
from orca_core.domain.views import Case, PairView
from orca_core.wire.contrasts import contrast_json
from orca_core.wire.memories import memory_json, view_json
from orca_core.wire.values import Json, timestamp_json


def extraction_json(event: Extraction) -> Json:
    """How a run goes."""
    learnt = event.learnt
    return {
        "state": event.state,
        "run": event.run,
        "session_id": event.session_id,
        "rounds": list(event.rounds),
        "stored": [_stored_json(fact) for fact in learnt.stored],
        "confirmed": list(learnt.confirmed),
        "replaced": [{"old": old, "new": new} for old, new in learnt.replaced],
        "retracted": list(learnt.retracted),
        "candidates": [_stored_json(fact) for fact in learnt.candidates],
        "dropped": dropped_json(learnt.dropped),
        "error": event.error or None,
        "next_at": timestamp_json(event.next_at),
        "second_reading": second_reading_json(event.second_reading),
    }


def case_json(case: Case) -> Json:
    """A candidate with what a decision needs. `held_because` is what was written when it was found; `would_replace`
    and `now` are what holds at present."""
    nearest = None if case.nearest_view is None else view_json(case.nearest_view)
    standing = case.standing
    same = None if standing.same is None else {"id": standing.same.id, "state": standing.same.state.value}
    now = {"held_because": standing.held_because, "same": same, "since": [each.value for each in standing.since]}
    return {
        **view_json(case.view),
        "would_replace": standing.replaces,
        "now": now,
        "nearest": nearest,
        "nearness": nearness_json(case.nearness),
    }


def nearness_json(nearness: Nearness | None) -> Json | None:
    """How near something is, and by what that was found."""
    return None if nearness is None else {"similarity": nearness.similarity, "by": nearness.by.value}


def pairs_json(pairs: Sequence[PairView]) -> Json:
    """Pairs that the rules could not decide."""
    return {
        "pairs": [
            {
                "newer": view_json(pair.newer),
                "older": view_json(pair.older),
                "why": pair.why,
            }
            for pair in pairs
        ]
    }


def lesson_json(lesson: Lesson) -> Json:
    """One run, whole."""
    return {
        **run_json(lesson.run),
        "exchange": [
            {
                "role": message.role,
                "content": message.content,
                "model": message.model or None,
                "at": timestamp_json(message.at),
                "in_second_reading": message.in_second_reading,
            }
            for message in lesson.exchange
        ],
    }


def run_json(run: Run) -> Json:
    """One run, without what was said in it."""
    result = run.result
    return {
        "run": run.id,
        "kind": run.kind.value,
        "session_id": run.session_id,
        "target": run.target,
        "episodes": [str(Ref(EPISODE, each)) for each in run.episodes],
        "rounds": list(run.rounds),
        "state": run.state.value,
        "tries": run.tries,
        "parked": run.is_parked,
        "started_at": timestamp_json(run.started_at),
        "ended_at": timestamp_json(run.ended_at),
        "next_at": timestamp_json(run.next_at),
        "operation": run.operation,
        "error": run.error or None,
        "stored": list(result.stored) if result else [],
        "confirmed": list(result.confirmed) if result else [],
        "replaced": [{"old": old, "new": new} for old, new in result.replaced] if result else [],
        "retracted": list(result.retracted) if result else [],
        "candidates": list(result.candidates) if result else [],
        "knowledge": [str(Ref(KNOWLEDGE, each)) for each in result.knowledge] if result else [],
        "dropped": dropped_json(result.dropped) if result else [],
        "second_reading": second_reading_json(result.second_reading) if result else None,
        "contrast": contrast_json(result.contrast) if result else None,
    }


def dropped_json(dropped: Sequence[DroppedFact]) -> list[Json]:
    return [{"content": fact.content, "reason": fact.reason} for fact in dropped]


def second_reading_json(second: SecondReading | None) -> Json | None:
    """How a second reading went."""
    if second is None:
        return None
    return {
        "asked": second.asked,
        "doubted": second.doubted,
        "unanswered": second.unanswered,
        "failure": second.failure and second.failure.value,
        "error": second.error or None,
    }


def _stored_json(fact: StoredFact) -> Json:
    assert fact.status is not None  # the caller has checked it
    return {**memory_json(fact.memory, fact.status), "similar": list(fact.similar)}
