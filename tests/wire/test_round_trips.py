"""What was told as JSON can be read again, and says the same when it is told once more."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.causes import Cause, cause_of_sentence
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
from orca_core.domain.feed import ChangedElsewhere, Missed, Notice, OperationMade
from orca_core.domain.growth.events import ActsRead, Contrasted, GuideMade
from orca_core.domain.growth.supports import Contrast
from orca_core.domain.journal import Actor, Change, Operation, OperationHeader
from orca_core.domain.learning import DroppedFact, Learnt, StoredFact
from orca_core.domain.memories import Memory, Origin, Status
from orca_core.domain.messages import Finish, Usage
from orca_core.domain.recall import (
    Citation,
    Injection,
    Item,
    Level,
    Receipt,
    References,
    ScoreParts,
    Shortfall,
    WeightMove,
)
from orca_core.domain.refs import MEMORY, SUMMARY, Kind, Kinds, Ref
from orca_core.domain.second_reading import ReaderFailure, SecondReading
from orca_core.rules.keeping.status import status_of
from orca_core.wire.event_reading import _READERS, event_from
from orca_core.wire.events import event_json
from orca_core.wire.feed import notice_from, notice_json
from orca_core.wire.memories import memory_from, memory_json, status_from
from orca_core.wire.receipts import item_from, item_json, receipt_from, receipt_json

CORE_FROM = 8.0
EPISODE = Kind("episode", "e")
KINDS = Kinds((MEMORY, SUMMARY, EPISODE))

moments = st.datetimes(timezones=st.just(UTC)).map(
    lambda at: at.replace(microsecond=at.microsecond // 1000 * 1000)  # the JSON tells milliseconds
)
texts = st.text(max_size=20)
figures = st.integers(0, 2_000_000).map(lambda millionths: millionths / 1_000_000)
parts = st.builds(ScoreParts, figures, figures, figures, figures)
numbers = st.integers(1, 10**9)
refs = st.builds(Ref, st.sampled_from([MEMORY, SUMMARY, EPISODE]), numbers)
memories = st.builds(
    Memory,
    id=numbers,
    weight=figures,
    confidence=figures,
    created_at=moments,
    updated_at=moments,
    last_accessed=st.none() | moments,
    origin=st.builds(Origin, kind=..., session_id=..., rounds=st.lists(numbers).map(tuple), quote=..., model=...),
    held_because=...,
    pinned=...,
    access_count=numbers,
    used=numbers,
    seen=numbers,
    superseded_by=st.none() | numbers,
    cues=st.lists(st.text(), max_size=3).map(tuple),
)
shortfalls = st.none() | st.builds(Shortfall, figures, figures)
items = st.builds(Item, refs, st.text(), parts, st.text(), shortfall=shortfalls)
injections = st.builds(
    Injection,
    rules=st.lists(st.sampled_from(["first_round", "technical: docker, 报错"])).map(tuple),
    injected=st.lists(items, max_size=3).map(tuple),
    dropped=st.lists(items, max_size=3).map(tuple),
    block=...,
    tokens=...,
    prompt_tokens=...,
    failed=texts.map(cause_of_sentence),
)
references = st.builds(References, *[st.lists(refs, max_size=3).map(tuple)] * 3)
moves = st.builds(WeightMove, refs, figures, figures)
receipts = st.builds(
    Receipt, injection=injections, references=references, weights=st.lists(moves, max_size=3).map(tuple)
)

ids = st.lists(numbers, max_size=3).map(tuple)
facts = st.lists(st.builds(StoredFact, memories, ids, st.sampled_from(Status)), max_size=2).map(tuple)
learnt = st.builds(
    Learnt,
    stored=facts,
    confirmed=ids,
    replaced=st.lists(st.tuples(numbers, numbers), max_size=2).map(tuple),
    retracted=st.lists(numbers, max_size=2).map(tuple),
    candidates=facts,
    dropped=st.lists(st.builds(DroppedFact, texts, texts), max_size=2).map(tuple),
)
usages = st.none() | st.builds(Usage, numbers, numbers, numbers, numbers, st.none() | figures)
citations = st.lists(st.builds(Citation, refs, numbers), max_size=3).map(tuple)
causes = st.none() | texts.map(
    lambda words: Cause("embedding", "{provider}: {detail}", fields={"provider": "p", "detail": words})
)
contrasts = st.none() | st.builds(Contrast, *[numbers] * 5, st.booleans())
ended = st.sampled_from(["running", "done", "none", "unreadable", "failed"])
maybe = st.none() | numbers
events = st.one_of(
    st.builds(LevelChanged, st.sampled_from(Level), causes),
    st.builds(Remembered, memories, texts, st.sampled_from(Status)),
    st.builds(ForgetProposed, ids),
    st.builds(Injected, injections),
    st.builds(Queued, texts),
    st.builds(Delta, texts),
    st.builds(Reasoning, texts, st.booleans()),
    st.builds(Reply, texts, citations, st.sampled_from(Finish), usages, figures, texts),
    st.builds(Referenced, references),
    st.builds(WeightMoved, refs, figures, figures, st.sampled_from(Status)),
    st.builds(Archived, numbers),
    st.builds(
        Extraction, st.sampled_from(["queued", "failed"]), numbers, texts, ids, learnt, texts, st.none() | moments
    ),
    st.builds(Folded, numbers, texts, numbers, texts),
    st.builds(
        GuideMade,
        st.sampled_from(["running", "done", "failed"]),
        numbers,
        texts,
        numbers,
        st.none() | numbers,
        numbers,
        st.none() | texts,
        st.lists(texts, max_size=3).map(tuple),
        texts,
        st.none() | moments,
        st.none()
        | st.builds(SecondReading, numbers, numbers, numbers, st.none() | st.sampled_from(ReaderFailure), texts),
    ),
    st.builds(
        Consolidated,
        st.sampled_from(["running", "done", "failed"]),
        numbers,
        texts,
        st.lists(numbers, max_size=3).map(tuple),
        st.none() | numbers,
        numbers,
        st.none() | texts,
        st.lists(texts, max_size=3).map(tuple),
        texts,
        st.none() | moments,
    ),
    st.builds(
        EpisodesRead,
        st.sampled_from(["queued", "running", "done", "none", "unreadable", "failed"]),
        st.integers(0, 9),
        texts,
        *[st.lists(st.integers(1, 99), max_size=3).map(tuple)] * 4,
        texts,
        st.none(),
        st.none()
        | st.builds(SecondReading, numbers, numbers, numbers, st.none() | st.sampled_from(ReaderFailure), texts),
    ),
    st.builds(
        ActsRead,
        st.sampled_from(["queued", "running", "done", "none", "unreadable", "failed"]),
        st.integers(0, 9),
        texts,
        *[st.lists(st.integers(1, 99), max_size=3).map(tuple)] * 3,
        numbers,
        texts,
        st.none() | moments,
    ),
    st.builds(Contrasted, ended, numbers, maybe, texts, numbers, contrasts, maybe, texts, st.none() | moments),
    st.builds(CuesWritten, st.lists(numbers, max_size=3).map(tuple), texts),
    st.builds(Failed, texts, texts, texts, st.just("{provider}"), st.just(""), st.just({"provider": "p"})),
    st.builds(Promoted, st.none() | numbers, texts, st.none() | numbers, texts),
    st.builds(Resting, numbers, numbers, moments),
    st.builds(Embedded, numbers, numbers),
    st.builds(Saved, texts, numbers),
    st.builds(Done, texts, numbers),
)
plain = st.dictionaries(st.sampled_from(["pinned", "weight", "content"]), st.booleans() | figures | texts)
operations = st.builds(
    Operation,
    numbers,
    st.builds(OperationHeader, st.sampled_from(Actor), texts, moments, st.none() | texts, st.none() | numbers),
    st.none() | numbers,
    st.none() | numbers,
)
changes = st.builds(Change, numbers, refs, moments, st.sampled_from(Actor), texts, st.none() | plain, plain)
changes_told = st.one_of(
    st.builds(OperationMade, operations, st.lists(changes, max_size=3).map(tuple)),
    st.builds(ChangedElsewhere),
    st.builds(Missed, numbers),
)


def sent(told: Any) -> Any:
    """JSON as it comes out at the other end."""
    return json.loads(json.dumps(told, allow_nan=False))


@given(memories)
def test_a_memory_is_read_as_it_was_told(memory: Memory) -> None:
    told = sent(memory_json(memory, status_of(memory, CORE_FROM)))

    assert (memory_from(told), status_from(told)) == (memory, status_of(memory, CORE_FROM))


@given(memories, st.sampled_from(Status))
def test_a_memory_that_was_read_is_told_the_same(memory: Memory, status: Status) -> None:
    told = sent(memory_json(memory, status))

    assert sent(memory_json(memory_from(told), status_from(told))) == told


@given(items)
def test_an_item_is_read_as_it_was_told(item: Item) -> None:
    assert item_from(sent(item_json(item)), KINDS) == item


@given(items)
def test_an_item_that_was_told_before_shortfalls_were_kept_is_read(item: Item) -> None:
    told = {key: value for key, value in item_json(item).items() if key != "shortfall"}

    assert item_from(sent(told), KINDS) == replace(item, shortfall=None)


@given(receipts)
def test_a_receipt_is_read_as_it_was_told(receipt: Receipt) -> None:
    told = sent(receipt_json(receipt))

    assert receipt_from(told, KINDS) == receipt
    assert sent(receipt_json(receipt_from(told, KINDS))) == told


@given(events)
def test_an_event_that_was_read_is_told_the_same(event: Event) -> None:
    told = sent(event_json(event))

    assert type(event_from(told, KINDS)) is type(event)
    assert sent(event_json(event_from(told, KINDS))) == told


@given(st.builds(Notice, numbers, changes_told, texts))
def test_a_change_is_read_as_it_was_told(notice: Notice) -> None:
    assert notice_from(sent(notice_json(notice)), KINDS) == notice


@given(st.builds(Notice, numbers, events, texts))
def test_a_notice_of_an_event_is_told_the_same(notice: Notice) -> None:
    told = sent(notice_json(notice))

    assert sent(notice_json(notice_from(told, KINDS))) == told


def test_a_reference_is_read_as_one_of_a_known_kind() -> None:
    told = sent(event_json(Referenced(References(used=(Ref(EPISODE, 3), Ref(MEMORY, 7))))))

    assert event_from(told, KINDS) == Referenced(References(used=(Ref(EPISODE, 3), Ref(MEMORY, 7))))


def test_a_failure_is_read_with_the_sentence_that_it_was_told_in() -> None:
    failed = Failed("model", "p: down", "wait", "{provider}: down", "wait", {"provider": "p"})

    read = event_from(event_json(failed, lambda _failed: ("没有回答 {}", "等一等")), KINDS)

    assert isinstance(read, Failed)
    assert read.template.format(**read.fields) == "没有回答 {}"
    assert read.hint_template.format(**read.fields) == "等一等"


def test_every_kind_of_event_can_be_read() -> None:
    assert set(_READERS) == {kind.event for kind in Event.__args__}
