"""The questions of a set of claims from acts, and a model's answers to them, as a person hands them over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sets.feedback import asked_in, cases_in, measured, recorded

DATA = Path(__file__).parent.parent / "data" / "feedback"
LIKED = {"type": "LIKE", "question": "compare the two plans", "answer": "| a | b |\n|---|---|\n| 1 | 2 |"}
EDITED = {"type": "EDIT_FILE", "previous": "We are pleased to say it.", "current": "We say it."}
ASKED = {"type": "FOLLOWUP_CHAT", "question": "and in a table, please"}
HONEST = {"name": "tables", "acts": [LIKED, ASKED, LIKED], "claim": "User prefers tables", "live": True, "why": "shown"}
FALSE = {"name": "mail", "acts": [LIKED] * 3, "claim": "User wants long answers", "live": False, "why": "invented"}
NAMED = {
    "name": "host",
    "acts": [{**LIKED, "answer": "Use dropzone-x."}] * 3,
    "claim": "User wants files on dropzone-x",
    "live": False,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "feedback.json").write_text(json.dumps([HONEST, NAMED, FALSE, {**HONEST, "name": "edits",
        "acts": [EDITED] * 3, "claim": "User prefers short sentences"}]), encoding="utf-8")  # fmt: skip
    return tmp_path


def test_a_question_is_the_verifiers_own_and_shows_every_act(folder: Path) -> None:
    questions = [question for question, _case in asked_in(folder)]

    assert [(each["n"], each["name"], each["part"]) for each in questions] == [
        (1, "tables", "feedback"),
        (2, "mail", "feedback"),
        (3, "edits", "feedback"),
    ]
    assert "{criteria}" not in str(questions[0]["system"])
    first, last = (json.loads(str(questions[place]["user"])) for place in (0, 2))
    assert [each["did"] for each in first["acts"]] == ["LIKE", "FOLLOWUP_CHAT", "LIKE"]
    assert (first["facts"], first["acts"][1]["query"]) == (
        [{"fact": 1, "says": "User prefers tables"}],
        ASKED["question"],
    )
    assert last["acts"][0]["difference"].splitlines()[-1] == "+We say it."


@pytest.mark.parametrize("name", ["fifth", "sixth"])
def test_what_eyes_that_saw_no_rule_wrote_stays_as_it_was_recorded(name: str) -> None:
    kept = DATA / name
    found = measured(cases_in(kept), recorded(kept / "recorded.jsonl"))

    assert (found.lived, found.held) == ([], [])
