"""Words that narrow a list: the rule, and that the lists of the database go by the same."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.text.literal_search import MAX_WORDS, holds, wanted_pieces
from orca_core.store.sqlite.lists import patterns_of

LETTERS = st.text(alphabet="abPG %_!端口是", max_size=12)


@pytest.mark.parametrize(
    ("typed", "text", "is_held"),
    [
        ("", "anything", True),
        ("port", "the port is 5433", True),
        ("PORT", "the Port is 5433", True),
        ("pstgrs", "postgres is pinned", True),
        ("srg", "postgres is pinned", False),
        ("go", "postgres is long gone", True),
        ("go", "g is not o", False),
        ("端口", "端口是 5433", True),
        ("端是", "端口是 5433", False),
        ("port pinned", "the port is pinned", True),
        ("port absent", "the port is pinned", False),
        ("100%", "all of it, 100%", True),
    ],
)
def test_a_text_holds_the_words_that_were_typed(typed: str, text: str, is_held: bool) -> None:
    assert holds(text.casefold(), wanted_pieces(typed)) is is_held


def test_no_more_words_count_than_a_line_holds() -> None:
    assert len(wanted_pieces("word " * 50)) == MAX_WORDS


@given(typed=LETTERS, text=LETTERS)
def test_the_database_narrows_by_the_same_rule(typed: str, text: str) -> None:
    connection = apsw.Connection(":memory:")
    try:
        likes = [
            bool(connection.execute("SELECT ? LIKE ? ESCAPE '!'", (text, pattern)).fetchone()[0])
            for pattern in patterns_of(typed)
        ]
    finally:
        connection.close()
    assert holds(text.casefold(), wanted_pieces(typed)) is all(likes)
