"""Reads events back from their JSON.

The JSON leaves some fields out: of a memory kept at once its `outcome`, of an injection level and block, of an
answer note and cost, of a run its operation. A failure is read with the sentences that were written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from orca_core.domain.causes import cause_of_sentence
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
from orca_core.domain.learning import DroppedFact, Learnt, StoredFact
from orca_core.domain.memories import Status
from orca_core.domain.messages import Finish, Usage
from orca_core.domain.recall import Citation, Injection, Level
from orca_core.domain.refs import Kinds
from orca_core.domain.second_reading import ReaderFailure, SecondReading
from orca_core.wire.contrasts import contrast_from
from orca_core.wire.memories import memory_from, status_from
from orca_core.wire.receipts import item_from, references_from, rules_from
from orca_core.wire.refs import ref_from
from orca_core.wire.values import Json, timestamp_from

_OF_INJECTION = {"event", "tokens", "prompt_tokens", "reasons", "dropped", "seconds"}
"""The fields of an injection beside its records, which stand in one list a kind."""


def event_from(fields: Mapping[str, Any], kinds: Kinds) -> Event:
    """The inverse of `event_json`. Raises KeyError for an event that this Orca does not know."""
    return _READERS[fields["event"]](dict(fields), kinds)


def _injected(fields: Json, kinds: Kinds) -> Injected:
    rules, failed = rules_from(fields["reasons"])
    lists = [each for name, each in fields.items() if name not in _OF_INJECTION]
    return Injected(
        Injection(
            level=Level.FULL,
            rules=rules,
            injected=tuple(item_from(each, kinds) for items in lists for each in items),
            dropped=tuple(item_from(each, kinds) for each in fields["dropped"]),
            tokens=fields["tokens"],
            prompt_tokens=fields["prompt_tokens"],
            seconds=fields["seconds"],
            failed=failed,
        )
    )


def _reply(fields: Json, kinds: Kinds) -> Reply:
    citations = tuple(Citation(ref_from(each["id"], kinds), each["at"]) for each in fields["citations"])
    usage = None if fields["usage"] is None else Usage(**fields["usage"])
    return Reply(fields["text"], citations, Finish(fields["finish"]), usage, fields["seconds"])


def _failed(fields: Json, _kinds: Kinds) -> Failed:
    sentences = {"message": fields["message"], "hint": fields["hint"]}
    return Failed(fields["kind"], fields["message"], fields["hint"], "{message}", "{hint}", dict(sentences))


def _extraction(fields: Json, _kinds: Kinds) -> Extraction:
    return Extraction(
        state=fields["state"],
        run=fields["run"],
        session_id=fields["session_id"],
        rounds=tuple(fields["rounds"]),
        learnt=Learnt(
            stored=_stored(fields["stored"]),
            confirmed=tuple(fields["confirmed"]),
            replaced=tuple((each["old"], each["new"]) for each in fields["replaced"]),
            retracted=tuple(fields["retracted"]),
            candidates=_stored(fields["candidates"]),
            dropped=tuple(DroppedFact(each["content"], each["reason"]) for each in fields["dropped"]),
        ),
        error=fields["error"] or "",
        next_at=None if fields["next_at"] is None else timestamp_from(fields["next_at"]),
        second_reading=_second_reading(fields.get("second_reading")),
    )


def _second_reading(fields: Json | None) -> SecondReading | None:
    if fields is None:
        return None
    failure = None if fields["failure"] is None else ReaderFailure(fields["failure"])
    return SecondReading(fields["asked"], fields["doubted"], fields["unanswered"], failure, fields["error"] or "")


def _stored(fields: Sequence[Json]) -> tuple[StoredFact, ...]:
    return tuple(StoredFact(memory_from(each), tuple(each["similar"]), status_from(each)) for each in fields)


def _numbers(names: Sequence[str], kinds: Kinds) -> tuple[int, ...]:
    return tuple(kinds.ref(each).id for each in names)


_READERS: Mapping[str, Callable[[Json, Kinds], Event]] = MappingProxyType(
    {
        LevelChanged.event: lambda fields, _kinds: LevelChanged(
            Level(fields["level"]), cause_of_sentence(fields["reason"])
        ),
        Remembered.event: lambda fields, _kinds: Remembered(
            memory_from(fields["memory"]), "", status_from(fields["memory"])
        ),
        ForgetProposed.event: lambda fields, _kinds: ForgetProposed(tuple(fields["proposed"])),
        Injected.event: _injected,
        Queued.event: lambda fields, _kinds: Queued(fields["detail"]),
        Delta.event: lambda fields, _kinds: Delta(fields["text"]),
        Reasoning.event: lambda fields, _kinds: Reasoning(fields["text"], fields.get("takes_back", False)),
        Reply.event: _reply,
        Referenced.event: lambda fields, kinds: Referenced(references_from(fields, kinds)),
        WeightMoved.event: lambda fields, kinds: WeightMoved(
            ref_from(fields["id"], kinds), fields["before"], fields["after"], Status(fields["status"])
        ),
        Archived.event: lambda fields, _kinds: Archived(fields["id"]),
        Extraction.event: _extraction,
        Folded.event: lambda fields, _kinds: Folded(
            fields["run"], fields["session_id"], fields["through"], fields["error"] or ""
        ),
        CuesWritten.event: lambda fields, _kinds: CuesWritten(tuple(fields["ids"]), fields["error"] or ""),
        Consolidated.event: lambda fields, kinds: Consolidated(
            fields["state"],
            fields["run"],
            fields["target"],
            tuple(kinds.ref(each).id for each in fields["episodes"]),
            knowledge=None if fields["knowledge"] is None else kinds.ref(fields["knowledge"]).id,
            version=fields["version"],
            held_because=fields["held_because"],
            lacking=tuple(fields["lacking"]),
            error=fields["error"] or "",
            next_at=None if fields["next_at"] is None else timestamp_from(fields["next_at"]),
        ),
        GuideMade.event: lambda fields, kinds: GuideMade(
            fields["state"],
            fields["run"],
            fields["tool"],
            fields["calls"],
            guide=None if fields["guide"] is None else kinds.ref(fields["guide"]).id,
            version=fields["version"],
            held_because=fields["held_because"],
            lacking=tuple(fields["lacking"]),
            error=fields["error"] or "",
            next_at=None if fields["next_at"] is None else timestamp_from(fields["next_at"]),
            second_reading=_second_reading(fields.get("second_reading")),
        ),
        EpisodesRead.event: lambda fields, kinds: EpisodesRead(
            fields["state"],
            fields["run"],
            fields["session_id"],
            tuple(fields["rounds"]),
            made=_numbers(fields["made"], kinds),
            changed=_numbers(fields["changed"], kinds),
            waiting=_numbers(fields["waiting"], kinds),
            error=fields["error"] or "",
            next_at=None if fields["next_at"] is None else timestamp_from(fields["next_at"]),
            second_reading=_second_reading(fields.get("second_reading")),
        ),
        Promoted.event: lambda fields, _kinds: Promoted(
            fields["id"], fields["content"], fields["operation"], fields["error"] or ""
        ),
        Contrasted.event: lambda fields, _kinds: Contrasted(
            fields["state"],
            fields["run"],
            fields["memory"],
            fields["content"],
            fields["acts"],
            contrast_from(fields["contrast"]),
            fields["operation"],
            fields["error"] or "",
            None if fields["next_at"] is None else timestamp_from(fields["next_at"]),
        ),
        ActsRead.event: lambda fields, kinds: ActsRead(
            fields["state"],
            fields["run"],
            fields["session_id"],
            _numbers(fields["acts"], kinds),
            tuple(fields["supported"]),
            tuple(fields["made"]),
            fields["dropped"],
            error=fields["error"] or "",
            next_at=None if fields["next_at"] is None else timestamp_from(fields["next_at"]),
            second_reading=_second_reading(fields.get("second_reading")),
        ),
        Resting.event: lambda fields, _kinds: Resting(fields["used"], fields["limit"], timestamp_from(fields["until"])),
        Embedded.event: lambda fields, _kinds: Embedded(fields["have"], fields["whole"]),
        Failed.event: _failed,
        Saved.event: lambda fields, _kinds: Saved(fields["session_id"], fields["round"]),
        Done.event: lambda fields, _kinds: Done(fields["session_id"], fields["round"]),
    }
)
