"""What came of reading a candidate against acts, in words, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from orca_core.domain.events import Contrasted
from orca_core.domain.growth.supports import Contrast, Weighed
from orca_core.domain.learning import Lesson, Run, RunKind, RunResult, RunState
from orca_tui.language import speak
from orca_tui.marks import ASCII_MARKS
from orca_tui.words.learning import lesson_text, run_line, run_words
from orca_tui.words.nearness import promotion_words
from orca_tui.words.turns import note_of

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HELD = Contrast(4, speak_for=4, against=6, neither=2, days=3, lives=False)
LIVES = replace(HELD, against=1, lives=True)
RUN = Run(9, RunKind.CONTRAST, "", (1, 2), RunState.DONE, 1, NOON, NOON, operation=7, target="#4")


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


def test_the_inbox_says_by_how_much() -> None:
    weighed = Weighed(3, 3, 0.9, 0.0, 3, blocked_by="second_reader", contrast=HELD)
    assert promotion_words(weighed) == "only you can let it live: you did not say so: 4 for, 6 against"
    speak("zh")
    assert "4 个支持，6 个不支持" in promotion_words(weighed)


@pytest.mark.parametrize(
    ("contrast", "english", "chinese"),
    [
        (HELD, "held back - 4 for, 6 against", "4 个支持，6 个不支持"),
        (LIVES, "went live - 4 for, 1 against", "4 个支持，1 个不支持"),
    ],
)
def test_a_run_is_about_its_candidate(contrast: Contrast, english: str, chinese: str) -> None:
    run = replace(RUN, result=RunResult(contrast=contrast))
    assert run_words(run, ASCII_MARKS) == f"#4  {english}"
    assert "run 9 #4 - against acts" in run_line(run, ASCII_MARKS)
    text = lesson_text(Lesson(run, (), {}), ASCII_MARKS)
    mark = "+" if contrast.lives else "?"
    assert f"  {mark} #4  ({english.partition(' - ')[2]})" in text
    assert "orca memory undo 7 takes it back" in text
    speak("zh")
    assert chinese in run_words(run, ASCII_MARKS)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Contrasted("running", 9, 4, "x", 12), ""),
        (Contrasted("done", 9, 4, "x", 12, LIVES, 7), ""),
        (Contrasted("done", 9, 4, "x", 12, HELD, 7), "#4 waits for you, by your latest acts: 4 for, 6 against"),
        (
            Contrasted("failed", 9, 4, "x", 12, error="m: down"),
            "#4 could not be read against your latest acts: m: down",
        ),
    ],
)
def test_an_event_says_what_is_not_said_elsewhere(event: Contrasted, told: str) -> None:
    assert note_of(event) == told
