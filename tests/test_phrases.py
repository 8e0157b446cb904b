"""Receipts, weights and events in words."""

from __future__ import annotations

import io

import pytest

from orca_core.model.events import (
    Delta,
    Done,
    Event,
    Failed,
    Injected,
    LevelChanged,
    LookedUp,
    LookingUp,
    Queued,
    Reasoning,
    Referenced,
    Reply,
    WeightMoved,
)
from orca_core.model.llm import Finish
from orca_core.model.memories import MemoryType, Status
from orca_core.model.recall import (
    Injection,
    Item,
    Level,
    LookUp,
    Receipt,
    References,
    ScoreParts,
    Shortfall,
    WeightMove,
)
from orca_core.model.records import Cause, memory_ref, summary_ref
from orca_tui.cli.output import ASCII_MARKS, UNICODE_MARKS, Output
from orca_tui.cli.turns import TurnOutcome, TurnView
from orca_tui.cli.views import receipt_text
from orca_tui.language import speak
from orca_tui.words.health_words import level_note
from orca_tui.words.memory_words import forecast_phrase, reason_phrase
from orca_tui.words.turn_words import receipt_line

FIVE = tuple(
    Item(memory_ref(number), f"memory {number}", ScoreParts(vector=0.5), "technical: vim", MemoryType.FACT)
    for number in (12, 31, 40, 41, 42)
)
LEFT_OUT = Item(summary_ref(3), "User asked: …", ScoreParts(text=0.1), "below_floor", shortfall=Shortfall(1.7, 2.5))
INJECTION = Injection(Level.FULL, ("technical: vim",), FIVE, (LEFT_OUT,), block="[1]\n[2]", tokens=9, prompt_tokens=90)
REFERENCES = References(
    used=(memory_ref(12), memory_ref(40)), unused=(memory_ref(31),), unknown=(memory_ref(41), memory_ref(42))
)
MOVES = [
    WeightMoved(memory_ref(12), 3.0, 3.5, Status.ACTIVE),
    WeightMoved(memory_ref(40), 4.8, 5.3, Status.CORE),
    WeightMoved(memory_ref(41), 1.0, 1.0, Status.ACTIVE),
    WeightMoved(memory_ref(31), 0.5, 0.2, Status.ARCHIVED),
]
UNREACHABLE = Failed("model", "m: down", "wait", "{provider}: {detail}", "wait", {"provider": "m", "detail": "down"})


def shown(*events: Event) -> tuple[str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    output = Output(stdout, stderr, {})
    output.glyphs = "unicode"
    view = TurnView(output)
    for event in events:
        view.show(event)
    return stdout.getvalue(), stderr.getvalue()


def outcome_of(*events: Event) -> TurnOutcome:
    outcome = TurnOutcome()
    for event in events:
        outcome.take(event)
    return outcome


def test_a_receipt_counts_and_shows_each_weight_that_moved() -> None:
    assert receipt_line(INJECTION, REFERENCES, MOVES, UNICODE_MARKS) == (
        "◇ 5 in · 2 used  #12 3.0→3.5  #40 4.8→5.3 core  #31 0.5→0.2 archived"
    )


def test_a_receipt_can_be_drawn_in_ascii() -> None:
    assert receipt_line(INJECTION, REFERENCES, MOVES, ASCII_MARKS).isascii()


@pytest.mark.parametrize(
    ("injection", "line"),
    [
        (Injection(Level.FULL, ("too_short: 6 < 10",)), "◇ nothing in: the text is short: 6 < 10"),
        (Injection(Level.FULL, ()), "◇ nothing in"),
        (Injection(Level.FULL, ("recall",), failed=Cause("disk", "disk")), "◇ memory could not be read: disk"),
    ],
)
def test_nothing_in_and_a_failure_say_why(injection: Injection, line: str) -> None:
    assert receipt_line(injection, References(), [], UNICODE_MARKS) == line


@pytest.mark.parametrize(
    ("reason", "phrase"),
    [("pinned", "pinned"), ("technical: docker, 报错", "technical: docker, 报错"), ("a_new_rule", "a_new_rule")],
)
def test_a_reason_is_put_into_words_where_they_are_known(reason: str, phrase: str) -> None:
    assert reason_phrase(reason) == phrase


@pytest.mark.parametrize(
    ("unused", "used", "phrase"),
    [
        (3, 9, "archives after 3 more unused injections · core after 9 more used ones"),
        (None, 9, "core after 9 more used ones"),
        (None, None, ""),
    ],
)
def test_a_forecast_says_where_the_weight_is_heading(unused: int | None, used: int | None, phrase: str) -> None:
    assert forecast_phrase(unused, used) == phrase


def test_a_stored_receipt_tells_in_used_and_left_out_apart() -> None:
    text = receipt_text(Receipt("s1", 2, INJECTION, REFERENCES, (WeightMove(memory_ref(12), 3.0, 3.5),)), UNICODE_MARKS)

    assert "in: 5" in text
    assert "memory 12  (technical: vim, used)" in text
    assert "memory 31  (technical: vim, unused)" in text
    assert "memory 41  (technical: vim, unknown)" in text
    assert "left out: 1" in text
    assert "#12 3.0→3.5" in text
    assert text.endswith("as sent\n  [1]\n  [2]")


def test_an_answer_is_followed_by_its_receipt() -> None:
    reply = Reply("hi there", (), Finish.STOP, None, 0.1)

    stdout, stderr = shown(
        Injected(INJECTION), Delta("hi "), Delta("there"), reply, Referenced(REFERENCES), *MOVES, Done("s1", 2)
    )

    assert stdout == "hi there\n"
    assert stderr.startswith("◇ 5 in · 2 used  #12")


@pytest.mark.parametrize(
    ("finish", "words"),
    [
        (Finish.LENGTH, "the model stopped at its longest answer"),
        (Finish.FILTERED, "the provider's filter ended the answer"),
        (Finish.INTERRUPTED, "stopped: what came is kept, no weight moved"),
    ],
)
def test_an_answer_that_did_not_simply_end_says_so(finish: Finish, words: str) -> None:
    _stdout, stderr = shown(Delta("hi"), Reply("hi", (), finish, None, 0.1, "in its own words"), Done("s1", 1))

    assert stderr == f"{words} (in its own words)\n"


def test_waiting_and_thinking_are_said_once() -> None:
    _stdout, stderr = shown(Queued("third"), Queued("second"), Reasoning("a"), Reasoning("b"))

    assert stderr == "waiting for the model: third\nthinking …\n"


def test_a_level_that_falls_or_rises_is_said() -> None:
    _stdout, stderr = shown(
        LevelChanged(Level.TEXT_ONLY, Cause("embedding", "no network")), LevelChanged(Level.FULL, None)
    )

    assert stderr == "memory is found by its words only: no network\nmemory is whole again\n"


def test_an_error_of_a_turn_closes_the_answer_and_is_one_line() -> None:
    assert shown(Delta("half"), UNREACHABLE) == ("half\n", "orca: m: down — wait\n")


@pytest.mark.parametrize(
    ("events", "is_good"),
    [
        ([Reply("a", (), Finish.STOP, None, 0.1)], True),
        ([Reply("a", (), Finish.LENGTH, None, 0.1)], True),
        ([Reply("a", (), Finish.INTERRUPTED, None, 0.1)], False),
        ([Reply("a", (), Finish.STOP, None, 0.1), UNREACHABLE], False),
        ([UNREACHABLE], False),
        ([], False),
    ],
)
def test_a_turn_is_good_if_its_answer_came_whole_and_nothing_failed(events: list[Event], is_good: bool) -> None:
    assert outcome_of(*events).is_good is is_good


def test_why_memory_fell_is_said_in_the_language_of_the_interface() -> None:
    late = Cause("late", "the embedder took longer than {seconds} s", fields={"seconds": "2"})
    speak("zh")
    try:
        assert level_note(Level.TEXT_ONLY, late).endswith("：嵌入服务用了超过 2 秒")
    finally:
        speak("en")


def test_a_look_up_is_noted_when_it_begins_and_stands_in_the_receipt() -> None:
    looked = LookUp("postgres port", (FIVE[1],))
    reply = Reply("5433", (), Finish.STOP, None, 0.0)
    stdout, stderr = shown(
        Injected(Injection(Level.FULL, ("first_round",))), LookingUp("postgres port"), LookedUp(looked),
        Delta("5433"), reply, Referenced(References(used=(FIVE[1].ref,))), Done("s", 1),
    )  # fmt: skip

    assert stdout == "5433\n"
    assert stderr.split("\n")[:2] == [
        "looking: postgres port …",
        "◇ nothing in: first round: pinned memories only · looked up “postgres port” → 1 · 1 used",
    ]
