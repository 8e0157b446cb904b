"""Each event as a line of `orca chat --json`."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fakes.shapes import INJECTION, LONG_JSON, MEMORY_JSON, NOON, SHORT_JSON, a_memory

from orca_core.domain.causes import Cause
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
from orca_core.domain.feed import Notice, OperationMade
from orca_core.domain.growth.events import ActsRead, Contrasted, GuideMade
from orca_core.domain.growth.supports import Contrast
from orca_core.domain.journal import Actor, Change, Operation, OperationHeader
from orca_core.domain.learning import DroppedFact, Learnt, StoredFact
from orca_core.domain.memories import Status
from orca_core.domain.messages import Finish, Usage
from orca_core.domain.recall import (
    Citation,
    Level,
    References,
)
from orca_core.domain.refs import memory_ref
from orca_core.domain.second_reading import SecondReading
from orca_core.wire.events import event_json, notice_json

EVENTS: list[tuple[Event, dict[str, object]]] = [
    (
        Extraction(
            "done",
            4,
            "s",
            (1, 2),
            Learnt(
                stored=(StoredFact(a_memory(), (3,), Status.ACTIVE),),
                confirmed=(5,),
                replaced=((6, 7),),
                retracted=(5,),
                dropped=(DroppedFact("x", "too_short"),),
            ),
            second_reading=SecondReading(3, doubted=1, unanswered=1),
        ),
        {
            "event": "extraction",
            "state": "done",
            "run": 4,
            "session_id": "s",
            "rounds": [1, 2],
            "stored": [{**MEMORY_JSON, "similar": [3]}],
            "confirmed": [5],
            "replaced": [{"old": 6, "new": 7}],
            "retracted": [5],
            "candidates": [],
            "dropped": [{"content": "x", "reason": "too_short"}],
            "error": None,
            "next_at": None,
            "second_reading": {"asked": 3, "doubted": 1, "unanswered": 1, "failure": None, "error": None},
        },
    ),
    (
        GuideMade("done", 6, "web_search", 20, 3, 2, "not_in_calls", ("/tmp/x",)),
        {
            "event": "guide",
            "state": "done",
            "run": 6,
            "tool": "web_search",
            "calls": 20,
            "guide": "g3",
            "version": 2,
            "held_because": "not_in_calls",
            "lacking": ["/tmp/x"],
            "error": None,
            "next_at": None,
            "second_reading": None,
        },
    ),
    (
        Consolidated("done", 5, "orders", (1, 2), 3, 2, "not_in_sources", ("9999",)),
        {
            "event": "knowledge",
            "state": "done",
            "run": 5,
            "target": "orders",
            "episodes": ["e1", "e2"],
            "knowledge": "k3",
            "version": 2,
            "held_because": "not_in_sources",
            "lacking": ["9999"],
            "error": None,
            "next_at": None,
        },
    ),
    (
        EpisodesRead("done", 4, "s", (1, 2), (3,), (), (3,), second_reading=SecondReading(4, doubted=1)),
        {
            "event": "episodes",
            "state": "done",
            "run": 4,
            "session_id": "s",
            "rounds": [1, 2],
            "made": ["e3"],
            "changed": [],
            "waiting": ["e3"],
            "error": None,
            "next_at": None,
            "second_reading": {"asked": 4, "doubted": 1, "unanswered": 0, "failure": None, "error": None},
        },
    ),
    (
        Contrasted("done", 4, 7, "likes tables", 9, Contrast(7, 3, 5, 1, 3, lives=False), 12),
        {
            "event": "contrast",
            "state": "done",
            "run": 4,
            "memory": 7,
            "content": "likes tables",
            "acts": 9,
            "contrast": {"memory": 7, "for": 3, "against": 5, "neither": 1, "days": 3, "lives": False},
            "operation": 12,
            "error": None,
            "next_at": None,
        },
    ),
    (
        ActsRead("done", 4, "s", (1, 2), (3, 5), (5,), 1),
        {
            "event": "acts",
            "state": "done",
            "run": 4,
            "session_id": "s",
            "acts": ["a1", "a2"],
            "supported": [3, 5],
            "made": [5],
            "dropped": 1,
            "error": None,
            "next_at": None,
            "second_reading": None,
        },
    ),
    (CuesWritten((5, 7), "m: no answer"), {"event": "cues", "ids": [5, 7], "error": "m: no answer"}),
    (
        Promoted(7, "likes tables", 12),
        {"event": "promoted", "id": 7, "content": "likes tables", "operation": 12, "error": None},
    ),
    (Folded(5, "s", 12), {"event": "summary", "run": 5, "session_id": "s", "through": 12, "error": None}),
    (
        Injected(INJECTION),
        {
            "event": "injected",
            "short_term": [],
            "long_term": [LONG_JSON],
            "tokens": 30,
            "prompt_tokens": 200,
            "reasons": ["technical: vim"],
            "dropped": [SHORT_JSON],
            "seconds": 0.01,
        },
    ),
    (Delta("hi"), {"event": "delta", "text": "hi"}),
    (Reasoning("hm"), {"event": "reasoning", "text": "hm"}),
    (Reasoning("hm", takes_back=True), {"event": "reasoning", "text": "hm", "takes_back": True}),
    (
        Reply("hi", (Citation(memory_ref(7), 2),), Finish.STOP, Usage(10, 5), 1.25),
        {
            "event": "reply",
            "text": "hi",
            "citations": [{"id": 7, "at": 2}],
            "finish": "stop",
            "usage": {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "cached_tokens": 0,
                "reasoning_tokens": 0,
                "cost": None,
            },
            "seconds": 1.25,
        },
    ),
    (
        Reply("", (), Finish.INTERRUPTED, None, 0.5),
        {"event": "reply", "text": "", "citations": [], "finish": "interrupted", "usage": None, "seconds": 0.5},
    ),
    (Remembered(a_memory(), "created", Status.ACTIVE), {"event": "remembered", "memory": MEMORY_JSON}),
    (ForgetProposed((7, 9)), {"event": "forget", "proposed": [7, 9]}),
    (
        Referenced(References((memory_ref(7),), (memory_ref(8),), (memory_ref(9),))),
        {"event": "references", "used": [7], "unused": [8], "unknown": [9]},
    ),
    (
        WeightMoved(memory_ref(7), 0.5, 0.2, Status.ARCHIVED),
        {"event": "weight", "id": 7, "before": 0.5, "after": 0.2, "status": "archived"},
    ),
    (Archived(7), {"event": "archived", "id": 7}),
    (
        LevelChanged(Level.TEXT_ONLY, Cause("embedding", "no {what}", fields={"what": "network"})),
        {"event": "level", "level": 2, "reason": "no network"},
    ),
    (Queued("position 3"), {"event": "queued", "detail": "position 3"}),
    (
        Failed("model", "d: down", "wait", "{provider}: {detail}", "wait", {"provider": "d", "detail": "down"}),
        {"event": "error", "kind": "model", "message": "d: down", "hint": "wait"},
    ),
    (Embedded(320, 4000), {"event": "embedded", "have": 320, "whole": 4000}),
    (
        Resting(1200, 1000, datetime(2026, 11, 21, tzinfo=UTC)),
        {"event": "resting", "used": 1200, "limit": 1000, "until": "2026-11-21T00:00:00.000Z"},
    ),
    (Saved("s-1", 3), {"event": "saved", "session_id": "s-1", "round": 3}),
    (Done("s-1", 3), {"event": "done", "session_id": "s-1", "round": 3}),
]


@pytest.mark.parametrize(("event", "expected"), EVENTS, ids=lambda value: getattr(value, "event", None))
def test_an_event_is_one_object_with_its_name_first(event: Event, expected: dict[str, object]) -> None:
    shaped = event_json(event)

    assert shaped == expected
    assert list(shaped) == list(expected)


def test_every_kind_of_event_is_covered_here() -> None:
    assert {type(event) for event, _shape in EVENTS} == set(Event.__args__)


def test_a_failure_is_told_in_the_language_of_whoever_reads_it() -> None:
    failed = Failed("model", "d: down", "wait", "{provider}: {detail}", "wait", {"provider": "d", "detail": "down"})

    shaped = event_json(failed, lambda event: (f"{event.fields['provider']}：没有回答", "等一等"))

    assert shaped == {"event": "error", "kind": "model", "message": "d：没有回答", "hint": "等一等"}


def test_a_notice_tells_its_cursor_and_its_chat_first() -> None:
    header = OperationHeader(Actor.USER, "pin", NOON)
    change = Change(12, memory_ref(7), NOON, Actor.USER, "pin", {"pinned": False}, {"pinned": True})

    assert notice_json(Notice(12, OperationMade(Operation(12, header), (change,)))) == {
        "cursor": 12,
        "chat": None,
        "event": "operation",
        "operation": {
            "id": 12,
            "actor": "user",
            "action": "pin",
            "at": "2026-05-04T12:00:00.250Z",
            "session_id": None,
            "round": None,
            "undoes": None,
            "undone_by": None,
            "under_way": None,
        },
        "changes": [
            {
                "id": 7,
                "at": "2026-05-04T12:00:00.250Z",
                "actor": "user",
                "action": "pin",
                "before": {"pinned": False},
                "after": {"pinned": True},
                "operation": 12,
            }
        ],
    }
    assert notice_json(Notice(12, Delta("hi"), "s-1")) == {"cursor": 12, "chat": "s-1", "event": "delta", "text": "hi"}
