"""What was told as JSON can be read again, and says the same when it is told once more."""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.memories import Memory, Origin, Status
from orca_core.domain.recall import Injection, Item, Receipt, References, ScoreParts, WeightMove
from orca_core.domain.refs import memory_ref, summary_ref
from orca_core.rules.keeping.status import status_of
from orca_core.wire.memories import memory_from, memory_json, status_from
from orca_core.wire.receipts import item_from, item_json, receipt_from, receipt_json

CORE_FROM = 8.0

moments = st.datetimes(timezones=st.just(UTC)).map(
    lambda at: at.replace(microsecond=at.microsecond // 1000 * 1000)  # the JSON tells milliseconds
)
figures = st.integers(0, 2_000_000).map(lambda millionths: millionths / 1_000_000)
parts = st.builds(ScoreParts, figures, figures, figures, figures)
numbers = st.integers(1, 10**9)
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
)
items = st.one_of(
    st.builds(Item, numbers.map(memory_ref), st.text(), parts, st.text()),
    st.builds(Item, numbers.map(summary_ref), st.text(), parts, st.text()),
)
injections = st.builds(
    Injection,
    rules=st.lists(st.sampled_from(["first_round", "technical: docker, 报错"])).map(tuple),
    injected=st.lists(items, max_size=3).map(tuple),
    dropped=st.lists(items, max_size=3).map(tuple),
    block=...,
    tokens=...,
    prompt_tokens=...,
    failed=...,
)
references = st.builds(References, *[st.lists(numbers.map(memory_ref), max_size=3).map(tuple)] * 3)
moves = st.builds(WeightMove, numbers.map(memory_ref), figures, figures)
receipts = st.builds(
    Receipt, injection=injections, references=references, weights=st.lists(moves, max_size=3).map(tuple)
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
    assert item_from(sent(item_json(item))) == item


@given(receipts)
def test_a_receipt_is_read_as_it_was_told(receipt: Receipt) -> None:
    told = sent(receipt_json(receipt))

    assert receipt_from(told) == receipt
    assert sent(receipt_json(receipt_from(told))) == told
