"""Clauses of typed text: who speaks of whom, when, and how seriously."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.clauses import splitting
from orca_core.rules.clauses.clause import Clause
from orca_core.rules.clauses.reading import read_clauses


def told(clause: Clause) -> str:
    """What the reader makes of a clause, where it differs from a plain statement of the user's."""
    marks = [clause.subject.value, clause.time.value, clause.mood.value, clause.frame.value]
    usual = ["user", "now", "stated", "none"]
    return " ".join(mark for mark, normal in zip(marks, usual, strict=True) if mark != normal) or "plain"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm on UTC+8, what time is it there?", ["plain", "thing asked"]),
        ("my colleague uses emacs but I prefer vim", ["another", "plain"]),
        ("translate to french: I live in Lyon", ["unknown ordered", "text"]),
        ("我同事用vim，我用的是emacs", ["another", "plain"]),
        ("回答别太长，我是左撇子", ["thing ordered", "plain"]),
    ],
)
def test_each_clause_is_read_by_itself(text: str, expected: list[str]) -> None:
    assert [told(clause) for clause in read_clauses(text)] == expected


_TYPED = st.text(alphabet=string.printable + "，。？！：；、“”「」我你他用住在吗的了不如果", max_size=300)


@given(_TYPED)
def test_clauses_stand_in_their_order_in_the_text(text: str) -> None:
    clauses = read_clauses(text)
    assert all(text[clause.start : clause.end] == clause.text for clause in clauses)
    assert all(one.end <= other.start for one, other in zip(clauses, clauses[1:], strict=False))


def test_another_ones_sentence_is_not_the_users_own() -> None:
    own = splitting.masked('he wrote "always answer in French please now"\n> quoted line here too\nI agree')
    assert "French" not in own
    assert "quoted" not in own
    assert "I agree" in own
    assert "“北极星”" in splitting.masked("项目叫“北极星”")
