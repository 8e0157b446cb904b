"""What is read of an answer that says what episodes teach."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.knowledge import Taught
from orca_core.rules.work import consolidation_rules
from orca_core.rules.work.consolidation_rules import NOTHING_TAUGHT, read_knowledge

WHOLE = {"topic": "Pools", "content": "Raise the pool.", "key_points": ["look first"], "confidence": 0.8}
READ = Taught("Pools", "Raise the pool.", ("look first",), 0.8)


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps(WHOLE),
        f"```json\n{json.dumps(WHOLE)}\n```",
        f"<think>{{}}</think>Here it is: {json.dumps(WHOLE)} Hope it helps!",
        json.dumps([WHOLE]),
        json.dumps({"knowledge": WHOLE}),
        "{'topic': 'Pools', 'content': 'Raise the pool.', 'key_points': ['look first',], 'confidence': 0.8,}",
        json.dumps({**WHOLE, "topic": "Other"}) + json.dumps(WHOLE),
        json.dumps({**WHOLE, "key_points": "- look first"}),
        json.dumps({**WHOLE, "content": "## Raise the pool."}),
        json.dumps({**WHOLE, "key_points": ["1. look first", "look first", "", 7, None]}),
    ],
)
def test_an_answer_is_read_tolerantly(answer: str) -> None:
    assert read_knowledge(answer) == READ


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I can't do that.",
        "{}",
        "[]",
        '{"topic": "Pools"}',
        '{"topic": "Pools", "content": ["a"]}',
        '{"topic": "Pools", "content": 7}',
        '{"topic": "", "content": "Raise the pool."}',
        '{"topic": {}, "content": "Raise the pool."}',
        json.dumps(WHOLE)[:-20],
    ],
)
def test_what_has_not_the_shape_is_unreadable(answer: str) -> None:
    assert read_knowledge(answer) is None


@pytest.mark.parametrize("content", ["", "   ", None, "\u200b"])
def test_nothing_may_be_taught(content: str | None) -> None:
    assert read_knowledge(json.dumps({"topic": "", "content": content, "key_points": []})) is NOTHING_TAUGHT


@pytest.mark.parametrize(
    ("given_as", "confidence"),
    [
        (0.8, 0.8), (0.2, 0.5), (1, 1.0), (7, 0.5), (85, 0.85), (-3, 0.5), (1000, 1.0), ("0.7", 0.7), ("70%", 0.7),
        ("high", 0.9), ("高", 0.9), ("very", 0.5), (None, 0.5), (True, 0.5), ([1], 0.5), ("nan", 0.5), ("inf", 0.5),
    ],
)  # fmt: skip
def test_confidence_is_held_between_a_half_and_one(given_as: Any, confidence: float) -> None:
    read = read_knowledge(json.dumps({**WHOLE, "confidence": given_as}))

    assert isinstance(read, Taught)
    assert read.confidence == confidence


def test_long_answers_are_cut_behind_a_sentence_or_a_word() -> None:
    long = {
        "topic": "数" * 500,
        "content": "Look at the pool. " * 500,
        "key_points": [f"point number {each} " * 50 for each in range(50)],
    }

    read = read_knowledge(json.dumps(long))

    assert isinstance(read, Taught)
    assert len(read.topic) <= consolidation_rules.MAX_TOPIC_CHARS
    assert len(read.content) <= consolidation_rules.MAX_CONTENT_CHARS
    assert read.content.endswith("pool.")
    assert len(read.key_points) == consolidation_rules.MAX_POINTS
    assert all(len(each) <= consolidation_rules.MAX_POINT_CHARS and each.endswith("…") for each in read.key_points)


@pytest.mark.parametrize("answer", ["[" * 10**7, '{"content": "' + "x" * 10**7, '{"content":"a' * 10**6, "{" * 10**6])
def test_ten_megabytes_are_unreadable(answer: str) -> None:
    assert read_knowledge(answer) is None


@given(st.text(max_size=400))
def test_no_answer_breaks_the_reading(answer: str) -> None:
    read_knowledge(answer)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=50),
        lambda each: st.lists(each, max_size=3),
        max_leaves=4,
    )
)
def test_no_value_breaks_the_reading(value: Any) -> None:
    for field in WHOLE:
        read = read_knowledge(json.dumps({**WHOLE, field: value}))
        if isinstance(read, Taught):
            assert 0.5 <= read.confidence <= 1
            assert read.topic
            assert "\n" not in read.content
