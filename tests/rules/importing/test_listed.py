"""Texts that list memories: lines, bullets, headings, dates, paragraphs."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.memory.import_statements import PROSE_CHARS, Listed, listed_in


@pytest.mark.parametrize(
    ("line", "said", "said_on"),
    [
        ("Likes tea", "Likes tea", None),
        ("- Likes tea", "Likes tea", None),
        ("  * Likes tea", "Likes tea", None),
        ("• 喜欢喝茶", "喜欢喝茶", None),
        ("12. Likes tea", "Likes tea", None),
        ("(3) Likes tea", "Likes tea", None),
        ("- [x] Likes tea", "Likes tea", None),
        ("**Name:** Alex", "Name: Alex", None),
        ("[2024-05-01] - Likes tea", "Likes tea", date(2024, 5, 1)),
        ("1. [2025-05-02]. The user likes ice", "The user likes ice", date(2025, 5, 2)),
        ("[2024-05] Likes tea", "Likes tea", date(2024, 5, 1)),
        ("[May 3, 2023] - Likes tea", "Likes tea", date(2023, 5, 3)),
        ("[2024年5月1日] - 喜欢喝茶", "喜欢喝茶", date(2024, 5, 1)),
        ("2024-05-01: Likes tea", "Likes tea", date(2024, 5, 1)),
        ("2024-05-01T10:00:00Z - Likes tea", "Likes tea", date(2024, 5, 1)),
        ("[unknown] - Likes tea", "Likes tea", None),
        ("[stated] Likes tea", "[stated] Likes tea", None),
        ("[2024-02-31] - Likes tea", "Likes tea", None),
        ("[tea](http://example.org) is good", "[tea](http://example.org) is good", None),
        ("Born 2024-05-01 in Rome", "Born 2024-05-01 in Rome", None),
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
