"""Each kind of event as a line of `orca chat --json`, and of the stream of all that changes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from fakes.shapes import INJECTION, NOON, a_memory
from golden.conftest import Compare

from orca_core.model.events import (
    ActsRead,
    Archived,
    ChangedElsewhere,
    Consolidated,
    Delta,
    Done,
    Embedded,
    EpisodesRead,
    Event,
    Extraction,
    Failed,
    ForgetProposed,
    GuideMade,
    Injected,
    LevelChanged,
    LookedUp,
    LookingUp,
    Missed,
    OperationMade,
    Promoted,
    Queued,
    Reasoning,
    Referenced,
    Remembered,
    Reply,
    Resting,
    Saved,
    StreamNotice,
    SummaryFolded,
    WeightMoved,
)
from orca_core.model.learning import DroppedFact, LearntFacts, StoredFact, Verification
from orca_core.model.llm import Finish, Usage
from orca_core.model.memories import Status
from orca_core.model.operations import Actor, Change, Operation, OperationHeader
from orca_core.model.recall import (
    Citation,
    Level,
    LookUp,
    References,
)
from orca_core.model.record_types import Cause, memory_ref
from orca_core.serialize.events import event_json, notice_json

EVENTS: tuple[Event, ...] = (
    Extraction(
        "done",
        4,
        "s",
        (1, 2),
        LearntFacts(
            stored=(StoredFact(a_memory(), (3,), Status.ACTIVE),),
            confirmed=(5,),
            replaced=((6, 7),),
            dropped=(DroppedFact("x", "too_short"),),
        ),
        verification=Verification(3, refused=1, unanswered=1),
    ),
    GuideMade("done", 6, "web_search", 20, 3, 2, "not_in_calls", ("/tmp/x",)),
    Consolidated("done", 5, "orders", (1, 2), 3, 2, "not_in_sources", ("9999",)),
    EpisodesRead("done", 4, "s", (1, 2), (3,), (), (3,), verification=Verification(4, refused=1)),
    ActsRead("done", 4, acts=(1, 2), candidate=7),
    ActsRead("done", 4, "s", (1, 2), (3, 5), (5,), 1),
    Promoted(7, "likes tables", 12),
    SummaryFolded(5, "s", 12),
    Injected(INJECTION),
    LookingUp("striped animals"),
    LookedUp(LookUp("striped animals", INJECTION.injected, 0.25)),
    LookedUp(LookUp("okapi", failed=Cause("locked", template="the database is locked"))),
    Delta("hi"),
    Reasoning("hm"),
    Reasoning("hm", takes_back=True),
    Reply("hi", (Citation(memory_ref(7), 2),), Finish.STOP, Usage(10, 5), 1.25),
    Reply("", (), Finish.INTERRUPTED, None, 0.5),
    Remembered(a_memory(), "created", Status.ACTIVE),
    ForgetProposed((7, 9)),
    Referenced(References((memory_ref(7),), (memory_ref(8),), (memory_ref(9),))),
    WeightMoved(memory_ref(7), 0.5, 0.2, Status.ARCHIVED),
    Archived(7),
    LevelChanged(Level.TEXT_ONLY, Cause("embedding", "no {what}", fields={"what": "network"})),
    Queued("position 3"),
    Failed("model", "d: down", "wait", "{provider}: {detail}", "wait", {"provider": "d", "detail": "down"}),
    Embedded(320, 4000),
    Resting(1200, 1000, datetime(2026, 11, 21, tzinfo=UTC)),
    Saved("s-1", 3),
    Done("s-1", 3),
)
OPERATION = Operation(12, OperationHeader(Actor.USER, "pin", NOON))
CHANGE = Change(12, memory_ref(7), NOON, Actor.USER, "pin", {"pinned": False}, {"pinned": True})
NOTICES = (
    StreamNotice(12, OperationMade(OPERATION, (CHANGE,))),
    StreamNotice(12, ChangedElsewhere()),
    StreamNotice(12, Missed(3)),
    StreamNotice(12, Delta("hi"), "s-1"),
)


def test_each_event_is_told_as_it_was(compare: Compare) -> None:
    told = [*map(event_json, EVENTS), *map(notice_json, NOTICES)]

    differs = compare("events", {"events.jsonl": "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in told)})
    assert not differs, differs


def test_every_kind_of_event_is_covered_here() -> None:
    assert {type(event) for event in EVENTS} == set(Event.__args__)


def test_a_failure_is_told_in_the_language_of_whoever_reads_it() -> None:
    failed = Failed("model", "d: down", "wait", "{provider}: {detail}", "wait", {"provider": "d", "detail": "down"})

    shaped = event_json(failed, lambda event: (f"{event.fields['provider']}：没有回答", "等一等"))

    assert shaped == {"event": "error", "kind": "model", "message": "d：没有回答", "hint": "等一等"}
