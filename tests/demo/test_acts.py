"""What the demo's agent reads off acts, and that it comes into the inbox."""

from __future__ import annotations

import json

import pytest

from orca_core.demo import acts


def shown(did: str, user: str, answer: str) -> list[str]:
    act = {"action": 1, "did": did, "round": {"user": user, "assistant_said": answer}}
    said = acts.answers_to(json.dumps({"known": [], "acts": [act]}), lambda query: [(query, query)] if query else [])
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
    def verified(*shown: tuple[str, str]) -> bool:
        rows = [
            {"act": place, "did": word, "day": f"2026-11-0{place}", "round": {"user": "q", "assistant_said": said}}
            for place, (word, said) in enumerate(shown, start=1)
        ]
        asked = {"acts": rows, "said": [], "facts": [{"fact": 1, "says": statement}]}
        answered = acts.verifies(json.dumps(asked))
        assert answered is not None
        return bool(json.loads(answered)["answers"][0]["says_so"])

    assert verified(*[(did, answer)] * 3) is (shows == "for")
    assert not verified(*[(did, answer)] * 2)


def test_what_speaks_against_it_is_weighed() -> None:
    rows = [
        {"act": place, "did": "LIKE", "day": f"2026-11-0{place}", "round": {"user": "q", "assistant_said": said}}
        for place, said in enumerate([TABLE] * 3 + [LONG] * 2, start=1)
    ]
    asked = {"acts": rows, "said": [], "facts": [{"fact": 1, "says": "The user likes answers with a table"}]}
    for count, says_so in ((3, True), (4, True), (5, False)):
        answered = acts.verifies(json.dumps({**asked, "acts": rows[:count]}))
        assert answered is not None
        assert json.loads(answered)["answers"][0]["says_so"] is says_so


def test_a_query_tells_what_it_states() -> None:
    act = {"action": 2, "did": "START_CHAT", "query": "I live in Lisbon"}
    said = acts.answers_to(json.dumps({"known": [], "acts": [act]}), lambda query: [("The user lives", query)])
    assert said is not None
    assert json.loads(said)["preferences"] == [
        {"action": 2, "content": "The user lives", "type": "fact", "quote": "I live in Lisbon"}
    ]


def test_material_of_another_kind_is_left_to_others() -> None:
    for material in ('{"messages": [], "facts": []}', "no JSON", "[]"):
        assert acts.answers_to(material, lambda _query: []) is None
        assert acts.verifies(material) is None
