"""A question about me, my, our asks what Orca knows, unless it asks what should be or about something at hand.

`everyday_questions.json` are requests of everyday and technical talk, and questions of people about themselves."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.asking.recall_questions import recall_question

DATA = Path(__file__).parents[2] / "data"
SETS = ("trust/development/questions.json", "everyday_questions.json")
MAX_FALSE = 0.05
MIN_FOUND = 0.9


def asked(name: str, *, recall: bool) -> Iterator[tuple[str, bool]]:
    for each in json.loads((DATA / name).read_text("utf-8")):
        if each["recall"] is recall:
            yield each["text"], recall_question(each["text"]) is not None


@pytest.mark.parametrize("name", SETS)
def test_questions_about_the_user_are_found(name: str) -> None:
    questions = list(asked(name, recall=True))
    missed = [text for text, is_found in questions if not is_found]
    assert len(missed) <= (1 - MIN_FOUND) * len(questions), missed


@pytest.mark.parametrize("name", SETS)
def test_other_texts_are_hardly_taken_for_one(name: str) -> None:
    texts = list(asked(name, recall=False))
    false = [text for text, is_found in texts if is_found]
    assert len(false) <= MAX_FALSE * len(texts), false


@pytest.mark.parametrize(
    "text",
    [
        "Pretend you are my doctor. What is my blood type?",
        "let's role-play: you're a barista. What's my usual order?",
        "Translate to German: where do I work?",
        "翻译成英文：我住在哪里？",
        "扮演我的面试官，我的优点是什么",
        "假设我是皇帝，我的大臣是谁",
        "她发消息说“你知道我住在哪里吗”，帮我回一句",
        "老板问我们用什么数据库",
        "If I lived in Rome, what would my address be?",
        "什么叫“我是谁，我从哪里来，我到哪里去”",
    ],
)
def test_a_question_in_a_play_a_text_or_a_supposition_asks_nothing_of_orca(text: str) -> None:
    assert recall_question(text) is None


@pytest.mark.parametrize("text", ["我喜歡什麼顏色", "我們公司用哪個雲", "我對什麼過敏", "提醒我一下我們選了哪個資料庫"])
def test_either_script_is_read(text: str) -> None:
    assert recall_question(text) is not None


_TYPED = st.text(alphabet=string.printable + "，。？！：；“”「」我你他的什么哪吗了不如果记得", max_size=300)


@given(_TYPED)
def test_any_text_is_read(text: str) -> None:
    assert recall_question(text) == recall_question(text)


@given(_TYPED)
def test_a_quoted_question_asks_nothing(text: str) -> None:
    quoted = text.replace('"', "").replace("`", "").replace("~", "")
    quiet = quoted if recall_question(quoted) is None else ""
    assert recall_question(f'"what do you know about me, {quiet.replace(chr(10), " ")}"') is None


@pytest.mark.parametrize("text", ["我每天早上跑几公里来着？", "我晚上几点吃药来着", "我们那个项目用什么数据库来着？"])
def test_what_one_knew_once_is_asked_of_orca(text: str) -> None:
    assert recall_question(text) is not None
