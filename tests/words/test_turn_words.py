"""Receipts, weights, events and whole chats in words."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.events import (
    Delta,
    Done,
    Event,
    Failed,
    Injected,
    LookedUp,
    LookingUp,
    Referenced,
    Reply,
    WeightMoved,
)
from orca_core.model.llm import Finish, Source, Span
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
from orca_core.model.record_types import Cause, memory_ref, summary_ref
from orca_core.model.sessions import Round, RoundState, Session
from orca_core.rules.text.cleaning import for_terminal
from orca_tui.cli.output import UNICODE_MARKS, Output
from orca_tui.cli.turn_printer import TurnOutcome, TurnPrinter
from orca_tui.words.receipt_words import receipt_text
from orca_tui.words.turn_words import chat_markdown, receipt_line

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
    view = TurnPrinter(output)
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


def test_a_stored_receipt_tells_in_used_and_left_out_apart() -> None:
    text = receipt_text(Receipt("s1", 2, INJECTION, REFERENCES, (WeightMove(memory_ref(12), 3.0, 3.5),)), UNICODE_MARKS)

    assert "5 in · 9 tok · 10%" in text
    assert "12 memory 12  used  3.0→3.5" in text
    assert "31 memory 31  unused" in text
    assert "41 memory 41  unknown" in text
    assert "left out 1: not near enough 1" in text
    assert text.endswith("as sent\n  [1]\n  [2]")


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


AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PIECES = st.sampled_from(
    ["```", "~~~~", "````", "`", "\n", "py", " ", "    ", "> ", "x", "<!--", "-->", "\u2028", "\r\n", "\x1b"]
)


def document(*rounds: tuple[str, str], title: str = "a title", spans: tuple[Span, ...] = ()) -> str:
    made = [
        Round(number, "s", number, 1, question, spans or (Span(question),), answer, RoundState.DONE, AT, "m")
        for number, (question, answer) in enumerate(rounds, start=1)
    ]
    return chat_markdown(Session("s", title, AT, len(made)), made)


def headings(text: str) -> list[str]:
    """Lines that are headings to a reader of Markdown: outside fences, in which only their like ends them."""
    found, fence = [], ""
    for line in text.split("\n"):
        bare = line.lstrip(" ") if len(line) - len(line.lstrip(" ")) < 4 else ""
        sign = bare[:1]
        length = len(bare) - len(bare.lstrip(sign)) if sign in "`~" and sign else 0
        if fence:
            if sign == fence[0] and length >= len(fence) and not bare[length:].strip():
                fence = ""
        elif length >= 3 and not (sign == "`" and "`" in bare[length:]):
            fence = sign * length
        elif line.startswith("#"):
            found.append(line)
    assert not fence
    return found


def test_a_chat_reads_as_a_document() -> None:
    text = document(("how?", "so:\n\n```py\nx = 1\n```"), ("and then?", "done"))
    day = f"{AT.astimezone():%Y-%m-%d %H:%M}"
    assert text.startswith(
        f"# a title\n\n*{day} · 2 rounds · s*\n\n## 1 · {day}\n\n**You**\n\nhow?\n\n**Answer** (m)\n\nso:"
    )
    assert "```py\nx = 1\n```" in text
    assert text.endswith("done\n")


def test_what_was_pasted_stands_in_a_block_of_its_own() -> None:
    pasted = Span("line 1\n```\nline 2\n", Source.PASTED)
    text = document(("ignored", ""), spans=(Span("look: "), pasted, Span("short", Source.PASTED), Span(" why?")))
    assert "look: \n\n````text\nline 1\n```\nline 2\n````\n\nshort why?" in text
    assert "Answer" not in text


@pytest.mark.parametrize(
    "hiding", ["<!-- a", "  <script>", "<pre>", "<?php", "<![CDATA[", "<!DOCTYPE html>", "</style>"]
)
def test_no_html_hides_what_follows(hiding: str) -> None:
    assert "\\<" in document((hiding, "x"))
    assert f"```\n{hiding}\n```" in document((f"```\n{hiding}\n```", "x"))


def test_a_title_is_text_alone() -> None:
    assert document(title="[x](y) <b> *z*").startswith("# \\[x\\](y) \\<b\\> \\*z\\*\n")


@given(st.lists(PIECES, max_size=12).map("".join), st.lists(PIECES, max_size=12).map("".join))
def test_every_round_has_its_heading_and_nothing_unclean_is_in_it(question: str, answer: str) -> None:
    text = document((question, answer), ("y", "z"))
    assert [line[:4] for line in headings(text)] == ["# a ", "## 1", "## 2"]
    assert for_terminal(text) == text
