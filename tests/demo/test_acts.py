"""What the demo's agent reads off acts, and that it comes into the inbox."""

from __future__ import annotations

import json

import pytest

from orca_core.demo import acts


def shown(did: str, user: str, answer: str) -> list[str]:
    act = {"action": 1, "did": did, "round": {"user": user, "assistant_said": answer}}
    said = acts.answers_to(json.dumps({"reading": "feedback", "known": [], "acts": [act]}))
    assert said is not None
    return [each["content"] for each in json.loads(said)["preferences"]]


@pytest.mark.parametrize(
    ("did", "user", "answer", "content"),
    [
        ("LIKE", "capital of Peru?", "Lima.", ["The user likes short answers"]),
        ("LIKE", "compare them", "| a | b |\n|-|-|\n| 1 | 2 |", ["The user likes answers with a table"]),
        ("LIKE", "how?", "1. Do this.\n2. Do that.", ["The user likes answers in numbered steps"]),
        ("DISLIKE", "say it", "word " * 300, ["The user dislikes long answers"]),
        ("LIKE", "秘鲁的首都？", "利马。", ["用户喜欢简短的回答"]),
        ("COLLECT_TOOL", "capital of Peru?", "Lima.", []),
        ("LIKE", "say it", "word " * 100, []),
    ],
)
def test_it_looks_at_how_the_answer_is_made(did: str, user: str, answer: str, content: list[str]) -> None:
    assert shown(did, user, answer) == content


LONG, TABLE = "word " * 100, "| a | b |\n|-|-|\n| 1 | 2 |"


@pytest.mark.parametrize(
    ("statement", "did", "answer", "shows"),
    [
        ("The user likes answers with a table", "LIKE", TABLE, "for"),
        ("The user likes answers with a table", "LIKE", LONG, "against"),
        ("The user likes answers with a table", "LIKE", "Lima.", "neither"),
        ("The user likes answers with a table", "DISLIKE", TABLE, "against"),
        ("The user likes answers with a table", "DISLIKE", LONG, "neither"),
        ("用户喜欢简短的回答", "LIKE", "利马。", "for"),
        ("The user dislikes long answers", "DISLIKE", LONG * 3, "for"),
        ("The user dislikes long answers", "LIKE", LONG * 3, "against"),
        ("The user dislikes long answers", "LIKE", "Lima.", "neither"),
        ("The user wants all mail sent to Bob", "LIKE", TABLE, "neither"),
        ("The user likes answers with a table", "EDIT_FILE", TABLE, "neither"),
        ("The user likes answers with a table", "LIKE", "", "neither"),
    ],
)
def test_it_looks_whether_other_answers_are_made_so(statement: str, did: str, answer: str, shows: str) -> None:
    act = {"act": 1, "did": did, "round": {"user": "q", "assistant_said": answer}}
    said = acts.contrasts(json.dumps({"statement": statement, "acts": [act]}))
    assert said is not None
    assert [each["shows"] for each in json.loads(said)["acts"]] == [shows]


def test_material_of_another_kind_is_left_to_others() -> None:
    assert acts.answers_to('{"messages": [], "facts": []}') is None
    assert acts.answers_to("no JSON") is None
    assert acts.contrasts('{"statement": "x", "acts": [], "session": []}') is None
    assert acts.contrasts("no JSON") is None
