"""The inbox in words, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from fakes.memories import AT, memory
from msgspec.structs import replace

from orca_core.model.learning import Run, RunKind, RunState
from orca_core.model.memories import Elsewhere, State, Status
from orca_core.model.operations import Actor, Change, Operation, OperationHeader
from orca_core.model.record_types import memory_ref
from orca_core.model.views import Waiting
from orca_tui.language import Language, speak
from orca_tui.marks import UNICODE_MARKS
from orca_tui.words.history_words import operation_text
from orca_tui.words.inbox_words import waiting_line
from orca_tui.words.learning_words import run_words
from orca_tui.words.memory_words import elsewhere_words, reason_phrase, standing_word


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


@pytest.mark.parametrize(
    ("count", "days", "english", "chinese"),
    [
        (1, 0, "1 to review", "待审 1 条"),
        (3, 0.9, "3 to review", "待审 3 条"),
        (1, 1, "1 to review, for 1 day", "待审 1 条，已等 1 天"),
        (1, 12, "1 to review, for 12 days", "待审 1 条，已等 12 天"),
        (3, 1, "3 to review, oldest 1 day", "待审 3 条，最久的等了 1 天"),
        (3, 12.5, "3 to review, oldest 12 days", "待审 3 条，最久的等了 12 天"),
        (3, -400, "3 to review", "待审 3 条"),
    ],
)
def test_what_waits_is_said_with_the_age_of_the_oldest(count: int, days: float, english: str, chinese: str) -> None:
    waits: dict[Language, str] = {"en": english, "zh": chinese}
    for language, words in waits.items():
        speak(language)
        assert waiting_line(Waiting(count, AT), AT + timedelta(days=days)) == words


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


@pytest.mark.parametrize(("count", "english"), [(1, "1 candidate expired"), (7, "7 candidates expired")])
def test_an_expiry_counts_in_the_activity(count: int, english: str) -> None:
    operation = Operation(3, OperationHeader(Actor.CLEAN, "expire", AT))
    changes = [
        Change(3, memory_ref(number), AT, Actor.CLEAN, "expire", {"state": "candidate"}, {"state": "rejected"})
        for number in range(count)
    ]
    assert operation_text(operation, changes, UNICODE_MARKS) == english
    speak("zh")
    assert operation_text(operation, changes, UNICODE_MARKS).startswith(f"{count} 条")


def test_an_error_of_a_run_that_is_a_sentence_of_orca_is_said_in_chinese() -> None:
    ended = Run(3, RunKind.EXTRACT, "s", (1,), RunState.NONE, 1, AT, error="a round was replaced or deleted meanwhile")
    failed = replace(ended, state=RunState.FAILED, error="m: HTTP 500")
    speak("zh")
    assert run_words(ended, UNICODE_MARKS).endswith(": 其间有一轮对话被替换或删除")
    assert run_words(failed, UNICODE_MARKS).endswith(": m: HTTP 500")


@pytest.mark.parametrize(
    ("elsewhere", "said"),
    [
        (Elsewhere(), ""),
        (Elsewhere("chatgpt", "Moving to Rome"), "ChatGPT · Moving to Rome · 2026-11-20"),
        (Elsewhere("lines"), "a list · 2026-11-20"),
        (Elsewhere("of another Orca"), "of another Orca · 2026-11-20"),
    ],
)
def test_where_an_imported_memory_was_before(elsewhere: Elsewhere, said: str) -> None:
    imported = memory(elsewhere=elsewhere, updated_at=AT + timedelta(days=30))
    assert elsewhere_words(imported, UNICODE_MARKS) == said
