"""People write Chinese in either script; every rule reads both alike, and what is shown stays as it was written."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from orca_core import words
from orca_core.demo.statements import statements_in
from orca_core.model.llm import Span
from orca_core.rules.learning import quotes
from orca_core.rules.learning.similarity import agree, are_same
from orca_core.rules.requests import recall_questions, remember_requests
from orca_core.rules.retrieval import ranking
from orca_core.rules.text import concepts, numerals, search_terms
from orca_core.rules.text.spelling import simplified

PAIRS = [
    ("請記住我對花生過敏", "请记住我对花生过敏"),
    ("資料庫連線報錯，怎麼排查", "资料库连线报错，怎么排查"),
    ("你還記得我們選了哪個資料庫嗎", "你还记得我们选了哪个资料库吗"),
    ("忘掉我住在臺北這件事", "忘掉我住在台北这件事"),
    ("我以前用 Vim，現在改用 Emacs 了", "我以前用 Vim，现在改用 Emacs 了"),
    ("我不再喝咖啡了", "我不再喝咖啡了"),
    ("以後請用繁體中文回答我，不要給我推薦nano", "以后请用繁体中文回答我，不要给我推荐nano"),
    ("我們組兩個人負責網關，伺服器在東京", "我们组两个人负责网关，伺服器在东京"),
    ("如果換成 Rust 會不會更快？", "如果换成 Rust 会不会更快？"),
    ("九月四號我要去醫院復查", "九月四号我要去医院复查"),
]


DECISIONS: list[Callable[[str], Any]] = [
    quotes.wording_of,
    concepts.concepts_of,
    search_terms.index_terms,
    search_terms.query_terms,
    search_terms.content_words,
    numerals.numbers_in,
    remember_requests.remembered_type,
    ranking.is_conditional,
    recall_questions.recall_question,
    lambda text: simplified(remember_requests.remember_request([Span(text)]) or ""),
    lambda text: simplified(str(remember_requests.forget_request([Span(text)]))),
    lambda text: [simplified(sign) for sign in recall_questions.technical_signs(text)],
    lambda text: [simplified(told) for told, _quote in statements_in(text)],
]


@pytest.mark.parametrize("decide", DECISIONS)
def test_both_scripts_are_read_alike(decide: Callable[[str], Any]) -> None:
    for traditional, plain in PAIRS:
        assert decide(traditional) == decide(plain), traditional


def test_two_memories_that_differ_by_script_alone_say_the_same() -> None:
    for traditional, plain in PAIRS:
        assert are_same(traditional, plain), traditional
        assert agree(traditional, plain), traditional


def test_signs_are_shown_as_they_were_written() -> None:
    assert "報錯" in recall_questions.technical_signs("資料庫連線報錯")
    assert (
        recall_questions.technical_signs("這個閘道又掛了", ["閘道"])
        == recall_questions.technical_signs("這個閘道又掛了", ["闸道"])
        != ()
    )


@cache
def _map() -> dict[str, str]:
    return {pair[0]: pair[1] for pair in words.words("language.simplified")}


def test_the_table_is_whole_and_settles_every_character_at_once() -> None:
    """It has the characters that only traditional writing has, and what they become is not folded again."""
    table = _map()
    assert len(table) > 2400
    assert table.keys().isdisjoint(table.values())
    assert all(_is_written_in_simplified(each) for each in table.values())


def _is_written_in_simplified(character: str) -> bool:
    return len(character.encode("gb2312", "ignore")) == 2
