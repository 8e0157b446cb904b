"""How what a run found was verified, in words, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from orca_core.model.events import Extraction
from orca_core.model.learning import (
    Run,
    RunKind,
    RunResult,
    RunState,
    RunView,
    Verification,
    VerifierFailure,
)
from orca_tui.language import Language, speak
from orca_tui.marks import ASCII_MARKS
from orca_tui.words.learning_words import extraction_lines, lesson_text

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
RUN = Run(4, RunKind.EXTRACT, "s", (1, 2), RunState.DONE, 1, NOON, NOON)
CHECKED = Verification(asked=3, refused=1)
PARTLY = Verification(asked=3, refused=1, unanswered=2)
DOWN = Verification(3, failure=VerifierFailure.FAILED, error="p: down")
UNREADABLE = Verification(3, failure=VerifierFailure.UNREADABLE)
NO_TOKENS = Verification(3, failure=VerifierFailure.NO_TOKENS)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


def run_with(second: Verification | None) -> Run:
    return replace(RUN, result=RunResult(stored=(1, 2), candidates=(3,), verification=second))


@pytest.mark.parametrize(
    ("second", "english", "chinese"),
    [
        (CHECKED, "verifier: asked about 3, refused 1", "核对：问了 3 条，否定 1 条"),
        (
            PARTLY,
            "verifier: asked about 3, refused 1, no answer about 2: these wait",
            "核对：问了 3 条，否定 1 条，2 条没有答复，先等着",
        ),
        (
            DOWN,
            "verifier: it could not be done: p: down; what it was to say waits",
            "核对：没能进行：p: down；要由它来说的都先等着",
        ),
        (
            UNREADABLE,
            "verifier: the answer could not be read; what it was to say waits",
            "核对：无法读取回答；要由它来说的都先等着",
        ),
        (
            NO_TOKENS,
            "verifier: today's tokens are used up; what it was to say waits",
            "核对：今天的 token 已用完；要由它来说的都先等着",
        ),
    ],
)
def test_a_run_says_how_it_was_verified(second: Verification, english: str, chinese: str) -> None:
    said: dict[Language, str] = {"en": english, "zh": chinese}
    for language, words in said.items():
        speak(language)
        assert f"  {words}" in extraction_lines(Extraction("done", 4, "s", (1, 2), verification=second), ASCII_MARKS)
        assert words in lesson_text(RunView(run_with(second), (), {}), ASCII_MARKS).splitlines()
