"""Memories in the lists of other programs: a line each, dated, cleaned, once."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    ForeignFormat,
    ForeignMemory,
    ForeignText,
    OfferedMemory,
    SkippedEntry,
    SkipReason,
)
from orca_core.model.memories import MemoryType
from orca_core.rules.memory import foreign_memories
from orca_core.rules.memory.foreign_memories import (
    PROSE_CHARS,
    Listed,
    OfferedOnce,
    dated,
    listed_in,
    offered_memories,
)
from orca_core.rules.text.relative_dates import ageing_words


@pytest.mark.parametrize(
    ("line", "said", "said_on"),
    [
        ("Likes tea", "Likes tea", None),
        ("  * Likes tea", "Likes tea", None),
        ("12. Likes tea", "Likes tea", None),
        ("(3) Likes tea", "Likes tea", None),
        ("**Name:** Alex", "Name: Alex", None),
        ("1. [2025-05-02]. The user likes ice", "The user likes ice", date(2025, 5, 2)),
        ("[May 3, 2023] - Likes tea", "Likes tea", date(2023, 5, 3)),
        ("2024-05-01: Likes tea", "Likes tea", date(2024, 5, 1)),
        ("[unknown] - Likes tea", "Likes tea", None),
        ("[stated] Likes tea", "[stated] Likes tea", None),
        ("[tea](http://example.org) is good", "[tea](http://example.org) is good", None),
        ("3 children", "3 children", None),
    ],
)
def test_a_line_is_a_memory_without_its_marks(line: str, said: str, said_on: date | None) -> None:
    assert list(listed_in(line)) == [Listed(said, 1, said_on)]


def test_headings_rules_and_fences_are_no_memories() -> None:
    text = (
        "# About me\n\nHere is what I know:\n```\nLikes tea\n```\n---\n**Work context**\n\nTests compilers.\n"
        "| a | b |\n|---|---|\n"
    )

    assert [(each.text, each.heading) for each in listed_in(text)] == [
        ("Likes tea", "Here is what I know"),
        ("Tests compilers.", "Work context"),
        ("| a | b |", "Work context"),
    ]


def test_what_is_set_in_below_a_bullet_belongs_to_it() -> None:
    assert [each.text for each in listed_in("- Likes tea,\n  but no sugar\n- Has a cat\n\n  Alone")] == [
        "Likes tea, but no sugar",
        "Has a cat",
        "Alone",
    ]


def test_a_long_paragraph_of_prose_is_cut_at_its_sentences_and_a_line_of_a_list_is_not() -> None:
    paragraph = " ".join(f"Alex has looked after whale number {number} since the spring." for number in range(12))

    pieces = [each.text for each in listed_in(paragraph, is_prose=True)]

    assert " ".join(pieces) == paragraph
    assert len(pieces) > 1
    assert all(len(piece) <= PROSE_CHARS for piece in pieces)
    assert [each.text for each in listed_in(paragraph)] == [paragraph]


@given(st.text(st.sampled_from("ab -*#[]2024-05-01\n:`|_.x "), max_size=200))
def test_whatever_stands_in_a_text_its_letters_stay_in_order(text: str) -> None:
    found = list(listed_in(text))

    assert [each.line for each in found] == sorted(each.line for each in found)
    assert all(each.text == each.text.strip() and each.text for each in found)


@pytest.mark.parametrize("line", ["- " * 500_000, "#" * 1_000_000, "**" * 500_000, "[" * 1_000_000, "|--" * 300_000])
def test_a_line_of_a_million_marks_takes_no_time(line: str) -> None:
    assert len(list(listed_in(line, is_prose=False))) <= 1


SAID_ON = date(2024, 3, 5)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Likes tea", "Likes tea"),
        ("Runs at the weekend", "Runs at the weekend"),
        ("Met Ann on 2024-01-02, yesterday", "Met Ann on 2024-01-02, yesterday"),
        ("Flies the day after tomorrow", "Flies the day after tomorrow (2024-03-07)"),
        ("Moved 3 days ago", "Moved 3 days ago (2024-03-02)"),
        ("Moved a few days ago.", "Moved a few days ago (said on 2024-03-05)"),
        ("Moved two weeks ago", "Moved two weeks ago (said on 2024-03-05)"),
        ("Starts next week, and sees Ann tomorrow", "Starts next week, and sees Ann tomorrow (said on 2024-03-05)"),
        ("Tomorrow is the exam. Tomorrow!", "Tomorrow (2024-03-06) is the exam. Tomorrow!"),
        ("大后天面试", "大后天（2024-03-08）面试"),
        ("上周搬到成都", "上周搬到成都（2024-03-05 说的）"),
        ("後天考試", "後天考試（2024-03-05 说的）"),
    ],
)
def test_the_days_are_written_out(text: str, read: str) -> None:
    assert dated(text, SAID_ON) == read
    assert not ageing_words(read)


def test_without_a_day_nobody_knows_which_is_meant() -> None:
    assert dated("Has an interview tomorrow", None) is None
    assert dated("Likes tea", None) == "Likes tea"


MEM0 = ForeignFormat.MEM0
AT = datetime(2024, 3, 5, 12, tzinfo=UTC)


def offered(text: str, **fields: object) -> OfferedMemory:
    [found] = offered_memories(ForeignMemory(MEM0, text, "results[0]", **fields))  # type: ignore[arg-type]  # named by the caller
    assert isinstance(found, OfferedMemory)
    return found


def left(text: str) -> SkippedEntry:
    [found] = offered_memories(ForeignMemory(MEM0, text, "results[0]"))
    assert isinstance(found, SkippedEntry)
    return found


def test_a_memory_is_cleaned_and_waits_because_it_was_imported() -> None:
    found = offered("Likes\u202e \x1b[31mtea\n", said_at=AT, tags=("food", "food", "\x07", "x" * 99), key="k", chat="C")

    assert (found.content, found.held_because, found.said_at, found.chat) == ("Likes [31mtea", "imported", AT, "C")
    assert found.tags == ("food", "x" * 40)
    assert found.type is MemoryType.PREFERENCE


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The password is hunter22", "secret"),
        ("Blog: https://example.org/me", "url"),
        ("Has an interview tomorrow", "undated"),
        ("Likes tea", "imported"),
    ],
)
def test_why_it_waits(text: str, held: str) -> None:
    assert offered(text).held_because == held


def test_a_day_that_it_counts_is_written_out() -> None:
    assert offered("Has an interview tomorrow", said_at=AT).content == "Has an interview tomorrow (2024-03-06)"


def test_too_short_and_too_long_are_left_out() -> None:
    assert left(" \u200b").why is SkipReason.TOO_SHORT
    assert left("x" * 2001).why is SkipReason.TOO_LONG
    assert left("x" * 10_000_000) == SkippedEntry("results[0]", SkipReason.TOO_LONG, "x" * 79 + "…")
    assert offered("x" * 2000).content == "x" * 2000


def test_lines_tell_their_number_their_day_and_their_heading() -> None:
    text = ForeignText(ForeignFormat.LINES, "# Food\n\n- [2024-05-01] - Likes tea\n- Has two cats\n", "")

    first, second = offered_memories(text)

    assert isinstance(first, OfferedMemory)
    assert isinstance(second, OfferedMemory)
    assert (first.place, first.chat, first.said_at) == ("line 3", "Food", datetime(2024, 5, 1, 12, tzinfo=UTC))
    assert (second.place, second.said_at) == ("line 4", None)


def test_custom_instructions_are_instructions() -> None:
    text = ForeignText(ForeignFormat.CHATGPT, "Short sentences", "[0]", AT, "Chat", instructs=True)

    [found] = offered_memories(text)

    assert isinstance(found, OfferedMemory)
    assert (found.type, found.place, found.chat) == (MemoryType.INSTRUCTION, "[0], line 1", "Chat")


def test_the_same_words_are_kept_once_and_the_latest_time_counts() -> None:
    once, later = OfferedOnce(), datetime(2025, 1, 1, tzinfo=UTC)

    added = [
        once.add(offered("Likes tea", said_at=AT)),
        once.add(offered("likes tea!", said_at=later, chat="Later")),
        once.add(offered("Likes coffee", key="k")),
        once.add(offered("Likes coffee with milk", key="k")),
    ]

    assert added == [True, False, True, False]
    assert [(each.content, each.seen) for each in once] == [("Likes tea", 2), ("Likes coffee", 2)]
    assert next((each.said_at, each.chat) for each in once) == (later, "Later")


def test_more_than_anybody_decides_of_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_memories, "MOST", 2)
    once = OfferedOnce()
    for text in ("Likes tea", "Likes coffee"):
        once.add(offered(text))

    with pytest.raises(InvalidInput, match="more than 2 memories"):
        once.add(offered("Likes milk"))
