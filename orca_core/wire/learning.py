"""What was learnt, what waits for a decision, and the runs of the memory agent."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.events import Extraction
from orca_core.domain.learning import Case, DroppedFact, Lesson, Run, StoredFact, UndecidedPair
from orca_core.wire.memories import StatusOf, memory_json
from orca_core.wire.values import Json, timestamp_json


def extraction_json(event: Extraction, status_of: StatusOf) -> Json:
    """How a run goes."""
    learnt = event.learnt
    return {
        "state": event.state,
        "run": event.run,
        "session_id": event.session_id,
        "rounds": list(event.rounds),
        "stored": [_stored_json(fact, status_of) for fact in learnt.stored],
        "confirmed": list(learnt.confirmed),
        "replaced": [{"old": old, "new": new} for old, new in learnt.replaced],
        "candidates": [_stored_json(fact, status_of) for fact in learnt.candidates],
        "dropped": dropped_json(learnt.dropped),
        "error": event.error or None,
        "next_at": timestamp_json(event.next_at),
    }


def case_json(case: Case, status_of: StatusOf) -> Json:
    """A candidate with what a decision needs."""
    candidate = memory_json(case.memory, status_of(case.memory))
    nearest = None if case.nearest is None else memory_json(case.nearest, status_of(case.nearest))
    return {**candidate, "would_replace": case.memory.would_replace, "nearest": nearest}


def pairs_json(pairs: Sequence[UndecidedPair], status_of: StatusOf) -> Json:
    """Pairs that the rules could not decide."""
    return {
        "pairs": [
            {
                "newer": memory_json(pair.newer, status_of(pair.newer)),
                "older": memory_json(pair.older, status_of(pair.older)),
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
        "candidates": list(result.candidates) if result else [],
        "dropped": dropped_json(result.dropped) if result else [],
    }


def dropped_json(dropped: Sequence[DroppedFact]) -> list[Json]:
    return [{"content": fact.content, "reason": fact.reason} for fact in dropped]


def _stored_json(fact: StoredFact, status_of: StatusOf) -> Json:
    return {**memory_json(fact.memory, status_of(fact.memory)), "similar": list(fact.similar)}
