"""The events of a turn: the lines of `orca chat --json`, and of every stream of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from orca_core.domain.events import (
    Archived,
    Consolidated,
    CuesWritten,
    Delta,
    Done,
    Embedded,
    EpisodesRead,
    Event,
    Extraction,
    Failed,
    Folded,
    ForgetProposed,
    Injected,
    LevelChanged,
    Promoted,
    Queued,
    Reasoning,
    Referenced,
    Remembered,
    Reply,
    Resting,
    Saved,
    WeightMoved,
)
from orca_core.domain.growth.events import ActsRead, Contrasted, GuideMade
from orca_core.domain.messages import Usage
from orca_core.domain.refs import ACTION, EPISODE, GUIDE, KNOWLEDGE, MEMORY, SUMMARY, Ref
from orca_core.wire.contrasts import contrast_json
from orca_core.wire.learning import extraction_json, second_reading_json
from orca_core.wire.memories import memory_json
from orca_core.wire.receipts import item_json, references_json, rules_json
from orca_core.wire.refs import ref_json
from orca_core.wire.values import Json, number, timestamp_json

Sentence = Callable[[Failed], tuple[str, str]]
"""An error in two sentences, in the reader's language: what failed, and what can be done about it."""

_LISTS = {MEMORY: "long_term", SUMMARY: "short_term"}


def in_english(failed: Failed) -> tuple[str, str]:
    """What failed, for whoever chose no language."""
    return failed.message, failed.hint


def event_json(event: Event, sentence: Sentence = in_english) -> Json:
    """An event, `event` first."""
    fields: Json
    match event:
        case Remembered():
            fields = {"memory": memory_json(event.memory, event.status)}
        case Extraction():
            fields = extraction_json(event)
        case Failed():
            message, hint = sentence(event)
            fields = {"kind": event.kind, "message": message, "hint": hint}
        case _:
            fields = event_fields(event)
    return {"event": event.event, **fields}


@singledispatch
def event_fields(event: object) -> Json:
    """The fields of one kind of event."""
    raise AssertionError(type(event))


@event_fields.register
def _(event: Injected) -> Json:
    injection = event.injection
    by_kind: dict[str, list[Json]] = {"short_term": [], "long_term": []}
    for item in injection.injected:
        by_kind.setdefault(_LISTS.get(item.ref.kind, item.ref.kind.name), []).append(item_json(item))
    return {
        **by_kind,
        "tokens": injection.tokens,
        "prompt_tokens": injection.prompt_tokens,
        "reasons": rules_json(injection),
        "dropped": [item_json(item) for item in injection.dropped],
        "seconds": number(injection.seconds),
    }


@event_fields.register
def _(event: Reply) -> Json:
    return {
        "text": event.text,
        "citations": [{"id": ref_json(citation.ref), "at": citation.at} for citation in event.citations],
        "finish": event.finish.value,
        "usage": _usage_json(event.usage),
        "seconds": number(event.seconds),
    }


@event_fields.register
def _(event: WeightMoved) -> Json:
    return {"id": ref_json(event.ref), "before": event.before, "after": event.after, "status": event.status.value}


@event_fields.register
def _(event: Referenced) -> Json:
    return references_json(event.references)


@event_fields.register
def _(event: LevelChanged) -> Json:
    return {"level": int(event.level), "reason": event.cause.sentence if event.cause else ""}


@event_fields.register
def _(event: ForgetProposed) -> Json:
    return {"proposed": list(event.proposed)}


@event_fields.register(Delta)
def _(event: Delta) -> Json:
    return {"text": event.text}


@event_fields.register
def _(event: Reasoning) -> Json:
    return {"text": event.text, **({"takes_back": True} if event.takes_back else {})}


@event_fields.register
def _(event: Queued) -> Json:
    return {"detail": event.detail}


@event_fields.register
def _(event: Archived) -> Json:
    return {"id": event.id}


@event_fields.register
def _(event: Folded) -> Json:
    return {
        "run": event.run,
        "session_id": event.session_id,
        "through": event.through,
        "error": event.error or None,
    }


@event_fields.register
def _(event: Consolidated) -> Json:
    return {
        "state": event.state,
        "run": event.run,
        "target": event.target,
        "episodes": [str(Ref(EPISODE, each)) for each in event.episodes],
        "knowledge": None if event.knowledge is None else str(Ref(KNOWLEDGE, event.knowledge)),
        "version": event.version,
        "held_because": event.held_because,
        "lacking": list(event.lacking),
        "error": event.error or None,
        "next_at": timestamp_json(event.next_at),
    }


@event_fields.register
def _(event: GuideMade) -> Json:
    return {
        "state": event.state,
        "run": event.run,
        "tool": event.tool,
        "calls": event.calls,
        "guide": None if event.guide is None else str(Ref(GUIDE, event.guide)),
        "version": event.version,
        "held_because": event.held_because,
        "lacking": list(event.lacking),
        "error": event.error or None,
        "next_at": timestamp_json(event.next_at),
        "second_reading": second_reading_json(event.second_reading),
    }


@event_fields.register
def _(event: CuesWritten) -> Json:
    return {"ids": list(event.ids), "error": event.error or None}


@event_fields.register
def _(event: EpisodesRead) -> Json:
    return {
        "state": event.state,
        "run": event.run,
        "session_id": event.session_id,
        "rounds": list(event.rounds),
        **{name: [str(Ref(EPISODE, each)) for each in getattr(event, name)] for name in ("made", "changed", "waiting")},
        "error": event.error or None,
        "next_at": timestamp_json(event.next_at),
        "second_reading": second_reading_json(event.second_reading),
    }


@event_fields.register
def _(event: Promoted) -> Json:
    return {"id": event.id, "content": event.content, "operation": event.operation, "error": event.error or None}


@event_fields.register
def _(event: Contrasted) -> Json:
    return {
        "state": event.state,
        "run": event.run,
        "memory": event.memory,
        "content": event.content,
        "acts": event.acts,
        "contrast": contrast_json(event.contrast),
        "operation": event.operation,
        "error": event.error or None,
        "next_at": timestamp_json(event.next_at),
    }


@event_fields.register
def _(event: ActsRead) -> Json:
    return {
        "state": event.state,
        "run": event.run,
        "session_id": event.session_id,
        "acts": [str(Ref(ACTION, each)) for each in event.acts],
        "supported": list(event.supported),
        "made": list(event.made),
        "dropped": event.dropped,
        "error": event.error or None,
        "next_at": timestamp_json(event.next_at),
        "second_reading": second_reading_json(event.second_reading),
    }


@event_fields.register
def _(event: Resting) -> Json:
    return {"used": event.used, "limit": event.limit, "until": timestamp_json(event.until)}


@event_fields.register
def _(event: Embedded) -> Json:
    return {"have": event.have, "whole": event.whole}


@event_fields.register(Saved)
@event_fields.register(Done)
def _(event: Saved | Done) -> Json:
    return {"session_id": event.session_id, "round": event.round}


def _usage_json(usage: Usage | None) -> Json | None:
    if usage is None:
        return None
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cached_tokens": usage.cached_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "cost": usage.cost,
    }
