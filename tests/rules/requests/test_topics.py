"""What makes a text technical, in Chinese, English and both at once, and what only looks as if."""

from __future__ import annotations

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.requests.recall_questions import MAX_SIGN_CHARS, MAX_SIGNS, technical_signs


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        # code and what is quoted as code
        ("what does this do?\n```\nx = 1\n```", "```"),
        ("the PaymentService never answers", "PaymentService"),
        ("怎么写 SELECT * FROM users 的分页", "SELECT * FROM"),
        # terminals
        ("sudo apt says it is locked", "sudo"),
        # errors
        ("I get KeyError: 'name' here", "KeyError"),
        ("    at com.acme.Main.run(Main.java:3)", "at com.acme.Main.run("),
        # paths, files, addresses
        ("look into ./a first", "./a"),
        ("http://localhost:3000 is blank", "localhost"),
        # versions
        ("版本 2.1 有这个功能吗", "版本 2.1"),
        # words
        ("服务器的日志在哪里看", "服务器"),
        ("the unit tests are slow", "unit test"),
        ("什么是闭包", "闭包"),
        ("the tests fail on my branch", "tests"),
        # names that are everyday words too
        ("Spring Boot 启动很慢", "Spring"),
    ],
)
def test_technical_text_shows_its_sign(text: str, sign: str) -> None:
    assert any(shown.startswith(sign) or sign in shown for shown in technical_signs(text)), technical_signs(text)


@pytest.mark.parametrize(
    "text",
    [
        # everyday life
        "今天晚饭吃什么好呢，有点想吃辣的",
        "最近总是失眠，有什么办法吗",
        "这笔钱存在国内存款里安全吗",
        "股票代码 600519 还能买吗",
        "她对我异常好",
        "let's go for a walk",
        "my pet python eats mice",
        "Franz Kafka wrote the Metamorphosis",
        "How should I react when he is late?",
        "the dress code is smart casual",
        # numbers that are no versions
        "2026.11.20 是星期五",
        # slashes, dots and marks that are no code
        "苹果/香蕉/梨 都可以",
        "so happy :-) <3",
        "see 13912345678nu for lunch",
    ],
)
def test_everyday_text_is_not_technical(text: str) -> None:
    assert technical_signs(text) == ()


def test_signs_come_in_the_order_of_the_text_and_once() -> None:
    assert technical_signs("redis 前面的 nginx 报错，nginx 是 Redis 的代理") == ("redis", "nginx", "报错")


def test_a_handful_of_signs_is_enough_and_none_is_long() -> None:
    signs = technical_signs(f"docker redis nginx kafka postgres mysql `{'x' * 60}` {'a_b' * 20}.py")

    assert len(signs) == MAX_SIGNS
    assert len(technical_signs(f"`{'x' * 60}`")[0]) == MAX_SIGN_CHARS


@pytest.mark.parametrize(
    ("text", "keyword", "is_found"),
    [
        ("我们的鲸鱼计划下周开始吗", "鲸鱼", True),
        ("the Heron is down", "heron", True),
        ("herons are birds", "heron", False),
        ("is C+ enough", "C+", True),
        ("anything", " ", False),
    ],
)
def test_configured_keywords_are_signs(text: str, keyword: str, is_found: bool) -> None:
    assert technical_signs(text, (keyword,)) == ((keyword,) if is_found else ())


def test_a_question_behind_a_long_text_is_read() -> None:
    assert technical_signs("啦" * 100_000 + "\n这个接口报错了") == ("接口", "报错")


def test_no_text_takes_long() -> None:
    units = ["a", "a.", "/a", "`a", "a_", "aB", "(a", "1.", "--a-", " ", "\\\\a", "我", "@a:", "<a ", "a@a:", "\n at a"]
    assert grows_linearly(technical_signs, units, 200_000)


@given(st.text(max_size=400))
def test_signs_of_any_text_can_be_shown(text: str) -> None:
    signs = technical_signs(text)

    assert len(signs) <= MAX_SIGNS
    assert all(0 < len(sign) <= MAX_SIGN_CHARS and "\n" not in sign for sign in signs)
