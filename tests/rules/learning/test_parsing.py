"""What a memory agent's fact must be to be taken, and by which rule it is dropped."""

from __future__ import annotations

import json

import pytest

from orca_core.rules.learning.parsing import read_facts
from orca_core.settings import ExtractSettings

GOOD: dict[str, object] = {"content": "User lives in Rome", "type": "fact", "tags": [], "confidence": 0.9}


def read(*facts: object, **settings: object) -> tuple[list[str], list[str]]:
    """What is taken, and why the rest is not."""
    reading = read_facts(json.dumps({"facts": facts}), ExtractSettings(**settings))  # type: ignore[arg-type]
    assert reading is not None
    return [fact.content for fact in reading.facts], [each.reason for each in reading.dropped]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"confidence": 0.6}, None),
        ({"confidence": 0.5999}, "low_confidence"),
        ({"confidence": 1}, None),
        ({"confidence": 1.01}, "confidence"),
        ({"confidence": -0.1}, "confidence"),
        ({"confidence": True}, "confidence"),
        ({"confidence": "0.9"}, "confidence"),
        ({"confidence": None}, "confidence"),
        ({"content": "a cat"}, None),
        ({"content": "cats"}, "too_short"),
        ({"content": "x" * 200}, None),
        ({"content": "x" * 201}, "too_long"),
        ({"content": "用" * 80}, None),
        ({"content": "用" * 81}, "too_long"),
        ({"content": 7}, "no_content"),
        ({"type": " Fact "}, None),
        ({"type": "memory"}, "unknown_type"),
        ({"type": None}, "unknown_type"),
    ],
)
def test_a_fact_is_taken_up_to_its_bounds(changes: dict[str, object], reason: str | None) -> None:
    contents, reasons = read({**GOOD, **changes})

    assert reasons == ([] if reason is None else [reason])
    assert len(contents) == (reason is None)


def test_facts_beyond_the_limit_and_said_twice_are_dropped_by_name() -> None:
    facts = [{**GOOD, "content": f"User likes tea {number}"} for number in range(4)]

    assert read(*facts, GOOD, max_facts=4) == ([fact["content"] for fact in facts], ["over_limit"])
    assert read(GOOD, GOOD) == ([GOOD["content"]], ["repeated"])
    assert read("a text", None)[1] == ["not_an_object", "not_an_object"]
