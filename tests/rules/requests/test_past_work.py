"""Which questions ask how something was dealt with before. The set was written for this rule: development."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.requests.recall_questions import asks_of_past_work, technical_signs

DATA = Path(__file__).parents[2] / "data"
ROWS = json.loads((DATA / "past_work.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_a_question_about_former_work_is_told_from_its_like(row: dict[str, object]) -> None:
    assert asks_of_past_work(str(row["text"])) is row["work"]


def test_everyday_questions_ask_of_no_work() -> None:
    everyday = json.loads((DATA / "everyday_questions.json").read_text(encoding="utf-8"))
    texts = [str(row["text"]) for row in everyday if not technical_signs(str(row["text"]))]
    assert len(texts) > 300
    assert [text for text in texts if asks_of_past_work(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        '"How did we fix it last time?" she asked.',
        "```\nhow did we fix the 502 last time?\n```",
        "> 上次 502 是怎么解决的？",
        "",
    ],
)
def test_what_is_quoted_or_code_asks_nothing(text: str) -> None:
    assert not asks_of_past_work(text)


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    assert asks_of_past_work(text) in (True, False)
