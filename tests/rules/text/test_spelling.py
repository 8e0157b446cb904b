"""Which language a text is in, as people really mix them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from orca_core import words
from orca_core.demo.demo_learner import statements_in
from orca_core.model.llm import Span
from orca_core.rules.learning import quotes
from orca_core.rules.requests import recall_triggers, remember_and_forget
from orca_core.rules.retrieval import ranking
from orca_core.rules.text import numerals, search_terms
from orca_core.rules.text.spelling import in_the_third_person, language_of, simplified


@pytest.mark.parametrize(
    "text",
    [
        "我用什么编辑器？",
        "docker 里的 postgres 连不上",
        "这个 error 是什么意思: cannot read property of undefined",
        "帮我写个 python 脚本",
        "我们 team 下周要 release，帮我 review 一下这个 PR",
        "nginx 报 502 bad gateway upstream timed out 怎么排查",
        "把 /etc/nginx/nginx.conf 里的 worker_processes 改成 auto",
        "看看 https://example.com/is/this/the/page 写得对不对",
        "Rust 好学吗",
        "ok 好的",
        "回答要简短",
        "我叫 Alice",
    ],
)
def test_a_text_with_chinese_grammar_is_chinese(text: str) -> None:
    assert language_of(text) == "zh"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "😀😀",
        "which editor do I use?",
        "How do you say 你好 in French",
        "what does 部署 mean in a CI context",
        "pls fix teh bug thx",
        "explain `数据库` to me like I am five",
        "cat ./文档/说明 please",
        "Remind me which database we chose",
        "Привет, как дела",
        "où est la bibliothèque",
    ],
)
def test_everything_else_is_english(text: str) -> None:
    assert language_of(text) == "en"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I use vim", "User uses vim"),
        ("I’m a nurse", "User is a nurse"),
        ("I have two cats", "User has two cats"),
        ("I go home at six", "User goes home at six"),
        ("I play chess", "User plays chess"),
        ("I don't drive", "User does not drive"),
        ("I grew up in Lima", "User grew up in Lima"),
        ("Our CI is Drone", "User's CI is Drone"),
        ("我的猫叫豆腐", "用户的猫叫豆腐"),
        # of another, or of nobody
        ("You use vim", "You use vim"),
        ("myself", "myself"),
        ("", ""),
    ],
)
def test_it_is_told_as_another_would_put_it(said: str, told: str) -> None:
    assert in_the_third_person(said) == told


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
    search_terms.index_terms,
    search_terms.query_terms,
    search_terms.content_words,
    numerals.numbers_in,
    remember_and_forget.remembered_type,
    ranking.is_conditional,
    recall_triggers.recall_question,
    lambda text: simplified(remember_and_forget.remember_request([Span(text)]) or ""),
    lambda text: simplified(str(remember_and_forget.forget_request([Span(text)]))),
    lambda text: [simplified(sign) for sign in recall_triggers.technical_signs(text)],
    lambda text: [simplified(told) for told, _quote in statements_in(text)],
]


@pytest.mark.parametrize("decide", DECISIONS)
def test_both_scripts_are_read_alike(decide: Callable[[str], Any]) -> None:
    for traditional, plain in PAIRS:
        assert decide(traditional) == decide(plain), traditional


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
