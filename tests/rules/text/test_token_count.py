"""Token estimates: near what tokenizers count, never falling as text grows, quick on long text."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.llm import ChatMessage
from orca_core.rules.text import token_count
from orca_core.rules.text.token_count import cut_to_tokens, estimate, estimate_messages


@pytest.mark.parametrize(
    ("text", "fewest", "most"),
    [
        ("", 0, 0),
        ("Hello, world!", 3, 5),
        ("pls fix teh bug thx", 5, 8),
        ("我用什么编辑器？", 4, 8),
        ("今天天气怎么样，适合出去跑步吗", 8, 15),
        ("def add(a, b):\n    return a + b", 10, 22),
        ("for (int i = 0; i < n; ++i) {}", 12, 26),
        ("2023-05-03", 4, 7),
        ("user@example.com", 4, 8),
        ("😀😀", 1, 6),
        ("================", 2, 10),
        ("word " * 1000, 900, 1500),
    ],
)
def test_an_estimate_is_near_what_tokenizers_count(text: str, fewest: int, most: int) -> None:
    assert fewest <= estimate(text) <= most


def test_a_prompt_is_corrected_by_what_the_provider_counted() -> None:
    messages = [ChatMessage("user", "word " * 100)]

    assert estimate_messages(messages, ratio=1.5) == math.ceil(estimate_messages(messages) * 1.5)


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("raise the timeout", 20, "raise the timeout"),
        ("raise the timeout of the proxy", 5, "raise the timeout…"),
        ("raise the timeout, then restart", 5, "raise the timeout…"),
        ("调大代理的超时时间再重启服务", 5, "调大代理的超…"),
        ("把 proxy_read_timeout 调大到两分钟", 7, "把 proxy_read_timeout…"),
        ("把 proxy_read_timeout 调大", 3, "把…"),
        ("a" * 200, 5, "a" * 38 + "…"),
        ("anything", 0, ""),
        ("", 0, ""),
    ],
)
def test_a_text_is_cut_at_the_end_of_a_word(text: str, most: int, shown: str) -> None:
    assert cut_to_tokens(text, most) == shown


@given(st.text(max_size=200), st.integers(0, 40))
def test_what_is_shown_fits_and_begins_as_the_text(text: str, most: int) -> None:
    shown = cut_to_tokens(text, most)
    assert token_count.estimate(shown) <= most
    assert text.startswith(shown.removesuffix("…")) or shown == text
