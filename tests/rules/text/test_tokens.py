"""Token estimates: near what tokenizers count, never falling as text grows, quick on long text."""

from __future__ import annotations

import math

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.llm import ChatMessage
from orca_core.rules.text.token_count import corrected, estimate, estimate_messages

TEXT = st.text(st.one_of(st.sampled_from("abcXYZ019 \n.,(){}你好世界é😀"), st.characters(exclude_categories=("Cs",))))


@pytest.mark.parametrize(
    ("text", "fewest", "most"),
    [
        ("", 0, 0),
        ("   ", 0, 1),
        ("hi", 1, 2),
        ("Hello, world!", 3, 5),
        ("The quick brown fox jumps over the lazy dog.", 9, 13),
        ("internationalization", 2, 4),
        ("pls fix teh bug thx", 5, 8),
        ("Can you remind me which database we chose for the backend project?", 12, 18),
        ("I'm vegetarian and allergic to peanuts.", 8, 13),
        ("我用什么编辑器？", 4, 8),
        ("你好", 1, 3),
        ("人工智能正在改变世界", 5, 10),
        ("今天天气怎么样，适合出去跑步吗", 8, 15),
        ("docker 里的 postgres 连不上", 5, 10),
        ("我们的 CI 流水线又挂了，帮忙看看", 8, 16),
        ("def add(a, b):\n    return a + b", 10, 22),
        ('{"id": 7, "type": "preference"}', 8, 20),
        ("SELECT * FROM users WHERE id = 1;", 8, 16),
        ("for (int i = 0; i < n; ++i) {}", 12, 26),
        ("https://example.com/docs/page?id=1", 8, 20),
        ("/usr/local/bin/python3.11", 7, 16),
        ("2023-05-03", 4, 7),
        ("3.14159265", 4, 8),
        ("13800138000", 3, 6),
        ("user@example.com", 4, 8),
        ("snake_case_name", 4, 7),
        ("\n\n\n\n", 1, 3),
        ("😀😀", 1, 6),
        ("Привет, как дела?", 5, 16),
        ("café naïve résumé", 3, 14),
        ("================", 2, 10),
        ("a" * 1000, 60, 300),
        ("字" * 1000, 500, 1000),
        ("word " * 1000, 900, 1500),
    ],
)
def test_an_estimate_is_near_what_tokenizers_count(text: str, fewest: int, most: int) -> None:
    assert fewest <= estimate(text) <= most


@given(beginning=TEXT, end=TEXT)
def test_a_text_never_costs_less_than_its_parts_do(beginning: str, end: str) -> None:
    whole = estimate(beginning + end)

    assert whole >= max(estimate(beginning), estimate(end))
    assert estimate(beginning) + estimate(end) - 2 <= whole <= estimate(beginning) + estimate(end)


def test_each_message_costs_four_tokens_more() -> None:
    messages = [ChatMessage("system", ""), ChatMessage("user", "我用什么编辑器？")]

    assert estimate_messages(messages) == 8 + estimate("我用什么编辑器？")
    assert estimate_messages([]) == 0


def test_a_prompt_is_corrected_by_what_the_provider_counted() -> None:
    messages = [ChatMessage("user", "word " * 100)]

    assert estimate_messages(messages, ratio=1.5) == math.ceil(estimate_messages(messages) * 1.5)


@pytest.mark.parametrize(
    ("estimated", "ratio", "tokens"),
    [
        (100, None, 100),
        (100, 1.0, 100),
        (100, 1.25, 125),
        (100, 0.5, 50),
        (101, 0.5, 51),
        (0, 2.0, 0),
        (100, 0.0, 25),
        (100, -3.0, 25),
        (100, 1000.0, 400),
        (100, math.nan, 100),
        (100, math.inf, 100),
    ],
)
def test_a_ratio_that_can_not_be_true_is_not_believed(estimated: int, ratio: float | None, tokens: int) -> None:
    assert corrected(estimated, ratio) == tokens


def test_a_long_text_is_estimated_in_linear_time() -> None:
    units = ["The quick brown fox. ", "我用的编辑器是什么？", "a1", "é", "().", "\n"]
    assert grows_linearly(estimate, units, 100_000)
