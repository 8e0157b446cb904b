"""What a memory agent's fact must be to be taken, and by which rule it is dropped."""

from __future__ import annotations

import json

import pytest

from orca_core.model.learning import ProposedFact
from orca_core.model.memories import MemoryType
from orca_core.rules.learning.fact_extraction import read_facts
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


def one(**changes: object) -> ProposedFact:
    """The one fact of an answer."""
    reading = read_facts(json.dumps({"facts": [{**GOOD, **changes}]}), ExtractSettings())
    assert reading is not None
    [fact] = reading.facts
    return fact


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"about": "theirs", "when": "past"}, ("theirs", "past")),
        ({"about": " User ", "when": "NOW"}, ("user", "now")),
        ({"about": "other", "when": "wish"}, ("other", "wish")),
        ({"about": "the cat", "when": "someday"}, ("", "")),
        ({"about": None, "when": 3}, ("", "")),
        ({"about": ["user"], "when": {"now": True}}, ("", "")),
        ({}, ("", "")),
    ],
)
def test_labels_that_are_unknown_are_as_if_they_were_not_there(given: dict[str, object], read: tuple[str, str]) -> None:
    fact = one(**given)

    assert (fact.about, fact.when) == read


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"retract": "User lives in Oslo"}, "User lives in Oslo"),
        ({"retract": ["User lives in Oslo", "User likes fish"]}, "User lives in Oslo"),
        ({"retract": []}, ""),
        ({"retract": True}, ""),
        ({"retract": None}, ""),
        ({"retract": "  "}, ""),
        ({}, ""),
    ],
)
def test_what_no_longer_holds_is_read_beside_a_fact(given: dict[str, object], read: str) -> None:
    fact = one(**given)

    assert (fact.content, fact.retract) == (GOOD["content"], read)


@pytest.mark.parametrize(
    "given",
    [
        {"content": ""},
        {"content": None},
        {"content": "-"},
        {"content": None, "type": None, "confidence": None, "tags": None},
        {"content": 7, "type": "fact"},
    ],
)
def test_a_retraction_may_stand_alone(given: dict[str, object]) -> None:
    fact = one(retract="User lives in Oslo", quote="I left Oslo", **given)

    assert (fact.content, fact.retract) == ("No longer so: User lives in Oslo", "User lives in Oslo")
    assert (fact.type, fact.quote) == (MemoryType.FACT, "I left Oslo")


def test_a_retraction_alone_says_so_in_its_language_and_within_its_bounds() -> None:
    assert one(retract="用户住在奥斯陆", content="").content == "不再成立：用户住在奥斯陆"
    assert len(one(retract="用户住在奥斯陆" * 60, content="").content) <= 80
    assert len(one(retract="User lives in Oslo " * 60, content="").content) <= 200


def test_a_retraction_alone_is_held_to_the_other_rules_all_the_same() -> None:
    bare = {"retract": "User lives in Oslo", "quote": "I left Oslo"}

    assert read({**bare, "confidence": 0.1}) == ([], ["low_confidence"])
    assert read({**bare, "type": "rumour"}) == ([], ["unknown_type"])
    assert read(bare, bare) == (["No longer so: User lives in Oslo"], ["repeated"])
    assert read({**bare, "content": "x" * 500}) == ([], ["too_long"])
    assert read_facts(json.dumps(bare), ExtractSettings()) is not None
