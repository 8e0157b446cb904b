"""The inbox in words, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes.memories import memory

from orca_core.model.memories import State, Status
from orca_tui.language import speak
from orca_tui.words.memory_words import reason_phrase, standing_word


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


def test_what_expired_is_told_apart_from_what_a_person_rejected() -> None:
    expired = memory(state=State.REJECTED, held_because="expired: url")
    refused = memory(state=State.REJECTED, held_because="url")
    words = [
        (standing_word(each, Status.REJECTED), reason_phrase(each.held_because or "")) for each in (expired, refused)
    ]
    assert words == [("expired", "expired: holds an address"), ("rejected", "holds an address")]
    speak("zh")
    assert standing_word(expired, Status.REJECTED) == "已过期"
    assert reason_phrase("expired: url").startswith("已过期：")
    assert not reason_phrase("expired: url").isascii()
