"""A text that is cut to so many tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.text import token_count
from orca_core.rules.text.token_count import fitted


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
    assert fitted(text, most) == shown


@given(st.text(max_size=200), st.integers(0, 40))
def test_what_is_shown_fits_and_begins_as_the_text(text: str, most: int) -> None:
    shown = fitted(text, most)
    assert token_count.estimate(shown) <= most
    assert text.startswith(shown.removesuffix("…")) or shown == text
