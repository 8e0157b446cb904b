"""Which patterns may fit in a text: none that fits is ever left out, and few of the others stay."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core import words
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.text.scripts import simplified
from orca_core.words.literals import needed
from orca_core.words.sieve import Sieve

DEVELOPMENT = Path(__file__).resolve().parent.parent / "data" / "trust" / "development"
PATTERNS = [line for table in words.tables_of("clauses") for line in words.sources(table)]
COMPILED = [re.compile(pattern) for pattern in PATTERNS]
SIEVE = Sieve(PATTERNS)
MOST_LEFT = 0.1
"""So many of the patterns stay for a clause, on average."""


def clauses_of_development() -> list[str]:
    conversations = json.loads((DEVELOPMENT / "honest.json").read_text("utf-8"))
    typed = [span["text"] for each in conversations for number in each["rounds"] for span in number["user"]]
    return [simplified(clause.text).lower() for text in typed[:250] for clause in read_clauses(text)]


CLAUSES = clauses_of_development()


def fitting(text: str) -> set[int]:
    return {number for number, pattern in enumerate(COMPILED) if pattern.search(text)}


def staying(text: str, sieve: Sieve = SIEVE) -> set[int]:
    return {number for number, bit in enumerate(reversed(f"{sieve.may_fit(text):b}")) if bit == "1"}


def test_no_pattern_that_fits_a_clause_is_left_out() -> None:
    assert [text for text in CLAUSES if not fitting(text) <= staying(text)] == []


def test_few_patterns_stay_for_a_clause() -> None:
    left = sum(len(staying(text)) for text in CLAUSES)
    assert left <= MOST_LEFT * len(CLAUSES) * len(PATTERNS)


@given(st.lists(st.sampled_from(sorted({each for text in CLAUSES for each in re.findall(r"\w+|\W+", text)}))))
def test_no_pattern_that_fits_words_in_any_order_is_left_out(said: list[str]) -> None:
    text = "".join(said)[:200]
    assert fitting(text) <= staying(text)


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        (r"\b(?:now|today)\b", {" now ", " today "}),
        (r"不(?!错)|没有?", {"不", "没", "没有"}),
        (r"n['’]t\b", {" t "}),
        (r"^\W*(?:what|who)\b", {"what ", "who "}),
        (r"plans? (?:to|for) \w+", {"plan ", "plans "}),
        (r"[?？]\W*$", {"?", "？"}),
        (r"\b(?:live|work)(?:s|ing)?\b", {" live ", " lives ", " liveing ", " work ", " works ", " working "}),
        (r"\s+(?=(?:but|so)\b)", {"but ", "so "}),
        (r"很(?=喜欢)", {"喜欢"}),
        (r"(?<=[吧呢])[ \t]+", {" ", "\t"}),
        (r"(?!)", set()),
        (r"\w+|now", None),
        (r"(?:now)?", None),
        (r".{1,4}", None),
        (r"[a-f]", None),
        (r"(?i:now)", None),
    ],
)
def test_what_a_text_must_hold_is_read_off_the_pattern(pattern: str, literals: set[str] | None) -> None:
    assert needed(pattern) == literals


def test_a_long_word_and_a_short_one_are_read_alike() -> None:
    sieve = Sieve(["ing\\b", r"\bthe", "quick"])
    assert staying("theing", sieve) == staying("th" + "e" * 40 + "ing", sieve) == {0, 1}
