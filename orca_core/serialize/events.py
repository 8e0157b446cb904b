"""Events: the lines of `orca chat --json` and of the stream of all that changes; and runs of the memory agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from orca_core.model.events import (
    MOST_CHANGES,
    ActsRead,
    Consolidated,
    EpisodesRead,
    Extraction,
    Failed,
    FeedEvent,
    GuideMade,
    Injected,
    LevelChanged,
    LookedUp,
    OperationMade,
    Reasoning,
    Referenced,
    Remembered,
    Reply,
    StreamNotice,
    WeightMoved,
)
from orca_core.model.learning import Run, RunResult, RunView, StoredFact, Verification
from orca_core.model.operations import Change, Operation
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE, MEMORY, SUMMARY, plain_ref
from orca_core.serialize.memory_json import change_json, item_json, lookup_json, memory_json, rules_json
from orca_core.serialize.values import Json, name_of, names_of, number, pick, plain

Sentence = Callable[[Failed], tuple[str, str]]
"""An error in two sentences, in the reader's language: what failed, and what can be done about it."""

_LISTS = {MEMORY: "long_term", SUMMARY: "short_term"}


def in_english(failed: Failed) -> tuple[str, str]:
    """What failed, for whoever chose no language."""
    return failed.message, failed.hint


def event_json(event: FeedEvent, sentence: Sentence = in_english) -> Json:
    """An event, `event` first: its fields as they are, but for those that have a shape of their own in JSON."""
    if isinstance(event, Failed):
        message, hint = sentence(event)
        return {"event": event.event, "kind": event.kind, "message": message, "hint": hint}
    odd = _ODD.get(type(event))
    told = plain(event) if odd is None else {"event": event.event, **odd(event)}
    if "error" in told:
        told["error"] = told["error"] or None
    return told


def notice_json(notice: StreamNotice, sentence: Sentence = in_english) -> Json:
    """`cursor` is what to go on after; `chat` is None where the event is of none."""
    return {**pick(notice, "cursor session_id:chat?"), **event_json(notice.event, sentence)}


def operation_json(operation: Operation) -> Json:
    """An operation, without what it changed."""
    header = pick(operation.header, "actor action at session_id round")
    return {"id": operation.id, **header, **pick(operation, "undoes undone_by under_way")}


def operation_made_json(operation: Operation, changes: Sequence[Change]) -> Json:
    """An operation with what it changed; `cut` where that is only the beginning."""
    return {
        "operation": operation_json(operation),
        "changes": [{"id": plain_ref(change.ref), **change_json(change)} for change in changes],
        **({"cut": True} if len(changes) >= MOST_CHANGES else {}),
    }


def run_json(run: Run) -> Json:
    """One run of the memory agent, without what was said in it."""
    result = run.result or RunResult()
    return {
        **pick(run, "id:run kind session_id target"),
        "episodes": names_of(EPISODE, run.episodes),
        **pick(run, "rounds state tries is_parked:parked started_at ended_at next_at operation error?"),
        **pick(result, "stored confirmed"),
        "replaced": _replaced_json(result.replaced),
        **pick(result, "retracted candidates"),
        "knowledge": names_of(KNOWLEDGE, result.knowledge),
        "dropped": plain(result.dropped),
        "verification": _verification_json(result.verification),
    }


def lesson_json(lesson: RunView) -> Json:
    """One run, whole."""
    exchange = [pick(message, "role content model? at in_verification") for message in lesson.exchange]
    return {**run_json(lesson.run), "exchange": exchange}


def _injected_json(event: Injected) -> Json:
    injection = event.injection
    by_kind: dict[str, list[Json]] = {"short_term": [], "long_term": []}
    for item in injection.injected:
        by_kind.setdefault(_LISTS.get(item.ref.kind, item.ref.kind.name), []).append(item_json(item))
    return {
        **by_kind,
        **pick(injection, "tokens prompt_tokens"),
        "reasons": rules_json(injection),
        "dropped": [item_json(item) for item in injection.dropped],
        "seconds": number(injection.seconds),
    }


def _reply_json(event: Reply) -> Json:
    citations = [pick(citation, "ref:id at") for citation in event.citations]
    return {"text": event.text, "citations": citations, **pick(event, "finish usage"), "seconds": number(event.seconds)}


def _extraction_json(event: Extraction) -> Json:
    learnt = event.learnt
    return {
        **pick(event, "state run session_id rounds"),
        "stored": [_stored_json(fact) for fact in learnt.stored],
        "confirmed": plain(learnt.confirmed),
        "replaced": _replaced_json(learnt.replaced),
        "candidates": [_stored_json(fact) for fact in learnt.candidates],
        "dropped": plain(learnt.dropped),
        **pick(event, "error next_at"),
        "verification": _verification_json(event.verification),
    }


def _stored_json(fact: StoredFact) -> Json:
    assert fact.status is not None  # the caller has checked it
    return {**memory_json(fact.memory, fact.status), "similar": plain(fact.similar)}


def _replaced_json(replaced: Sequence[tuple[int, int]]) -> list[Json]:
    return [{"old": old, "new": new} for old, new in replaced]


def _verification_json(verification: Verification | None) -> Json | None:
    """How a run's statements were verified."""
    return None if verification is None else pick(verification, "asked refused unanswered failure error?")


def _consolidated_json(event: Consolidated) -> Json:
    told = {"episodes": names_of(EPISODE, event.episodes), "knowledge": name_of(KNOWLEDGE, event.knowledge)}
    return {**plain(event), **told}


def _guide_json(event: GuideMade) -> Json:
    verification = _verification_json(event.verification)
    return {**plain(event), "guide": name_of(GUIDE, event.guide), "verification": verification}


def _episodes_json(event: EpisodesRead) -> Json:
    named = {name: names_of(EPISODE, getattr(event, name)) for name in ("made", "changed", "waiting")}
    return {**plain(event), **named, "verification": _verification_json(event.verification)}


def _acts_json(event: ActsRead) -> Json:
    verification = _verification_json(event.verification)
    return {**plain(event), "acts": names_of(ACTION, event.acts), "verification": verification}


_ODD: dict[type[Any], Callable[[Any], Json]] = {
    ActsRead: _acts_json,
    Consolidated: _consolidated_json,
    EpisodesRead: _episodes_json,
    Extraction: _extraction_json,
    GuideMade: _guide_json,
    Injected: _injected_json,
    LevelChanged: lambda event: {**pick(event, "level"), "reason": event.cause.sentence if event.cause else ""},
    OperationMade: lambda event: operation_made_json(event.operation, event.changes),
    LookedUp: lambda event: lookup_json(event.lookup),
    Reasoning: lambda event: pick(event, "text takes_back" if event.takes_back else "text"),
    Referenced: lambda event: plain(event.references),
    Remembered: lambda event: {"memory": memory_json(event.memory, event.status)},
    Reply: _reply_json,
    WeightMoved: lambda event: pick(event, "ref:id before after status"),
}
