"""Reads events back from their JSON.

The JSON leaves some fields out: of a memory kept at once its `outcome`, of an injection level and block, of an
answer note and cost, of a run its operation. A failure is read with the sentences that were written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from orca_core.domain.causes import as_told
from orca_core.domain.events import (
    Archived,
    Delta,
    Done,
    Event,
    Extraction,
    Failed,
    Folded,
    ForgetProposed,
    Injected,
    LevelChanged,
    Queued,
    Reasoning,
    Referenced,
    Remembered,
    Reply,
    Resting,
    Saved,
    WeightMoved,
)
from orca_core.domain.learning import DroppedFact, Learnt, StoredFact
from orca_core.domain.memories import Status
from orca_core.domain.messages import Finish, Usage
from orca_core.domain.recall import Citation, Injection, Level
from orca_core.domain.refs import Kinds
from orca_core.wire.memories import memory_from, status_from
from orca_core.wire.receipts import item_from, references_from, rules_from
from orca_core.wire.refs import ref_from
from orca_core.wire.values import Json, timestamp_from

_OF_INJECTION = {"event", "tokens", "prompt_tokens", "reasons", "dropped", "seconds"}
"""The fields of an injection beside its records, which stand in one list a kind."""


def event_from(told: Mapping[str, Any], kinds: Kinds) -> Event:
    """The inverse of `event_json`. Raises KeyError for an event that this Orca does not know."""
    return _READERS[told["event"]](dict(told), kinds)


def _injected(told: Json, kinds: Kinds) -> Injected:
    rules, failed = rules_from(told["reasons"])
    lists = [each for name, each in told.items() if name not in _OF_INJECTION]
    return Injected(
        Injection(
            level=Level.FULL,
            rules=rules,
            injected=tuple(item_from(each, kinds) for items in lists for each in items),
            dropped=tuple(item_from(each, kinds) for each in told["dropped"]),
            tokens=told["tokens"],
            prompt_tokens=told["prompt_tokens"],
            seconds=told["seconds"],
            failed=failed,
        )
    )


def _reply(told: Json, kinds: Kinds) -> Reply:
    citations = tuple(Citation(ref_from(each["id"], kinds), each["at"]) for each in told["citations"])
    usage = None if told["usage"] is None else Usage(**told["usage"])
    return Reply(told["text"], citations, Finish(told["finish"]), usage, told["seconds"])


def _failed(told: Json, _kinds: Kinds) -> Failed:
    sentences = {"message": told["message"], "hint": told["hint"]}
    return Failed(told["kind"], told["message"], told["hint"], "{message}", "{hint}", dict(sentences))


def _extraction(told: Json, _kinds: Kinds) -> Extraction:
    return Extraction(
        state=told["state"],
        run=told["run"],
        session_id=told["session_id"],
        rounds=tuple(told["rounds"]),
        learnt=Learnt(
            stored=_stored(told["stored"]),
            confirmed=tuple(told["confirmed"]),
            replaced=tuple((each["old"], each["new"]) for each in told["replaced"]),
            candidates=_stored(told["candidates"]),
            dropped=tuple(DroppedFact(each["content"], each["reason"]) for each in told["dropped"]),
        ),
        error=told["error"] or "",
        next_at=None if told["next_at"] is None else timestamp_from(told["next_at"]),
    )


def _stored(told: Sequence[Json]) -> tuple[StoredFact, ...]:
    return tuple(StoredFact(memory_from(each), tuple(each["similar"]), status_from(each)) for each in told)


_READERS: Mapping[str, Callable[[Json, Kinds], Event]] = MappingProxyType(
    {
        LevelChanged.event: lambda told, _kinds: LevelChanged(Level(told["level"]), as_told(told["reason"])),
        Remembered.event: lambda told, _kinds: Remembered(memory_from(told["memory"]), "", status_from(told["memory"])),
        ForgetProposed.event: lambda told, _kinds: ForgetProposed(tuple(told["proposed"])),
        Injected.event: _injected,
        Queued.event: lambda told, _kinds: Queued(told["detail"]),
        Delta.event: lambda told, _kinds: Delta(told["text"]),
        Reasoning.event: lambda told, _kinds: Reasoning(told["text"], told.get("takes_back", False)),
        Reply.event: _reply,
        Referenced.event: lambda told, kinds: Referenced(references_from(told, kinds)),
        WeightMoved.event: lambda told, kinds: WeightMoved(
            ref_from(told["id"], kinds), told["before"], told["after"], Status(told["status"])
        ),
        Archived.event: lambda told, _kinds: Archived(told["id"]),
        Extraction.event: _extraction,
        Folded.event: lambda told, _kinds: Folded(
            told["run"], told["session_id"], told["through"], told["error"] or ""
        ),
        Resting.event: lambda told, _kinds: Resting(told["used"], told["limit"], timestamp_from(told["until"])),
        Failed.event: _failed,
        Saved.event: lambda told, _kinds: Saved(told["session_id"], told["round"]),
        Done.event: lambda told, _kinds: Done(told["session_id"], told["round"]),
    }
)
