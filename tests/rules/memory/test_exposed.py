"""Secrets in what is kept, and how it is shown without them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.requests.remember_requests import sensitive_reason
from orca_core.rules.text.memory_wording import SHOWN_CHARS, holds_secret, shown_without_secrets

SECRETS = (
    ("my wifi password is hunter2hunter", "my wifi ***"),
    ("用户的密码是 abc123456", "用户的***"),
    ("the key is sk-live-4f2b9c8e7d6a5b4c, keep it", "the key is ***"),
    ("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN/BgkqhkiG9w0B\n", "***"),
    ("User logs in with ghp_abcdefghijklmnop1234 and AKIAABCDEFGHIJKLMNOP", "User logs in with ***"),
)


@pytest.mark.parametrize(("text", "shown"), SECRETS)
def test_a_secret_is_hidden_with_all_behind_it(text: str, shown: str) -> None:
    assert holds_secret(text)
    assert shown_without_secrets(text) == shown


@pytest.mark.parametrize("text", ["User forgot a password", "用户忘了密码", "User uses neovim", "PIN codes are short"])
def test_what_only_speaks_of_one_is_shown(text: str) -> None:
    assert not holds_secret(text)
    assert shown_without_secrets(text) == text


@given(st.text())
def test_the_rule_is_that_of_learning(text: str) -> None:
    assert holds_secret(text) is (sensitive_reason(text) == "secret")


@given(st.text(), st.sampled_from([text for text, _shown in SECRETS]))
def test_what_is_shown_is_short_and_holds_none(before: str, secret: str) -> None:
    shown = shown_without_secrets(f"{before} {secret}")

    assert len(shown) <= SHOWN_CHARS
    assert "\n" not in shown
    assert not holds_secret(shown)
