"""Which patterns may fit in a text: none that fits is ever left out, and few of the others stay."""

from __future__ import annotations

import json
import re
from functools import cache
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
MOST_LEFT = 0.1
"""So many of the patterns stay for a clause, on average."""


@cache
def compiled() -> list[re.Pattern[str]]:
    return [re.compile(pattern) for pattern in PATTERNS]


@cache
def sieve_of_all() -> Sieve:
    return Sieve(PATTERNS)


@cache
def clauses() -> list[str]:
    """Of what was typed in a set to develop on."""
    conversations = json.loads((DEVELOPMENT / "honest.json").read_text("utf-8"))
    typed = [span["text"] for each in conversations for number in each["rounds"] for span in number["user"]]
    return [simplified(clause.text).lower() for text in typed[:250] for clause in read_clauses(text)]


def fitting(text: str) -> set[int]:
    return {number for number, pattern in enumerate(compiled()) if pattern.search(text)}


def staying(text: str, sieve: Sieve | None = None) -> set[int]:
    bits = f"{(sieve or sieve_of_all()).may_fit(text):b}"
    return {number for number, bit in enumerate(reversed(bits)) if bit == "1"}


def test_no_pattern_that_fits_a_clause_is_left_out() -> None:
    assert [text for text in clauses() if not fitting(text) <= staying(text)] == []


def test_few_patterns_stay_for_a_clause() -> None:
    left = sum(len(staying(text)) for text in clauses())
    assert left <= MOST_LEFT * len(clauses()) * len(PATTERNS)


def words_of_clauses() -> st.SearchStrategy[str]:
    return st.sampled_from(sorted({each for text in clauses() for each in re.findall(r"\w+|\W+", text)}))


@given(st.lists(st.deferred(words_of_clauses)))
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
