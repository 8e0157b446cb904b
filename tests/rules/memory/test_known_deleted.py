"""By which words a deleted statement is known again, and by which not."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from fakes.teaching import an_episode
from hypothesis import given
from hypothesis import strategies as st

from orca_core.operations.tombstones import statements_of
from orca_core.rules.memory.same_statements import record_statement, sentences_of, visible_text

AGAIN = (
    ("User likes quokkas", "user likes Quokkas!"),
    ("User likes tea", "User  likes\ttea…"),
    ("User lives at café Ruhe", "User lives at cafe\u0301 Ruhe"),
    ("用戶喜歡喝茶", "用户喜欢喝茶"),
    ("User's cat is called “Tofu”", "Users cat is called 'Tofu'"),
    ("User pays 1,000 a month", "User pays 1000 a month"),
    ("User likes tea", "The user likes tea"),
    ("用户喜欢喝茶", "该用户喜欢喝茶。"),
    ("I keep bees behind the house", "User keeps bees behind the house."),
    ("I don't eat meat!", "The user does not eat meat"),
    ("我的猫叫豆腐", "该用户的猫叫豆腐"),
    ("?!", "?!"),
)


@pytest.mark.parametrize(("deleted", "again"), AGAIN)
def test_it_is_the_same_in_other_letters(deleted: str, again: str) -> None:
    assert statements_of(deleted)[0] == statements_of(again)[0]


@given(st.text())
def test_any_text_says_something(text: str) -> None:
    order, letters, *_before = statements_of(text)

    assert order.startswith("order ")
    assert letters.startswith("tells ")
    assert len(letters) > len("tells ") or not visible_text(text).strip()


@given(st.text(min_size=1))
def test_case_and_blanks_never_count(text: str) -> None:
    blank = statements_of(f"  {text}\n")[0]

    assert blank == statements_of(text)[0]


def test_each_kind_is_known_by_what_it_says() -> None:
    episode = an_episode("nginx answers 502", steps=("raised the timeout",))

    assert record_statement(memory(content="User likes tea")) == "User likes tea"
    assert record_statement(episode) == "nginx answers 502\nraised the timeout\nunknown\n"
    assert record_statement(an_episode("nginx answers 502")) != record_statement(episode)
    assert record_statement(object()) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User asked: I keep bees. And you?", ["User asked: ", "I keep bees. ", "And you?"]),
        ("用户问：我养蜂。你呢？好", ["用户问：", "我养蜂。", "你呢？", "好"]),
        ("- one\n- two", ["- one\n", "- two"]),
        ("version 3.5 of it", ["version 3.5 of it"]),
        ("", [""]),
    ],
)
def test_a_text_is_taken_apart_by_what_ends_a_sentence(text: str, expected: list[str]) -> None:
    assert sentences_of(text) == expected


@given(st.text(alphabet="ab.:!?。：\n "))
def test_no_character_is_lost(text: str) -> None:
    assert "".join(sentences_of(text)) == text
