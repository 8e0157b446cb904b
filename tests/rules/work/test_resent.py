"""Which messages of a client are new."""

from __future__ import annotations

import pytest

from orca_core.rules.work.prompt_texts import fresh

A, B, C, D = ("user", "a"), ("assistant", "b"), ("user", "c"), ("assistant", "d")


@pytest.mark.parametrize(
    ("stored", "given", "new"),
    [
        ([], [A, B], [A, B]),
        ([A, B], [A, B], []),
        ([A, B], [A, B, C, D], [C, D]),
        ([A, B], [C, D], [C, D]),
        ([A, B, C, D], [C, D, A], [A]),
        ([A, B], [B, A], [A]),
        ([A, A], [A, A, A], [A]),
        ([A, B], [], []),
    ],
)
def test_what_is_stored_already_is_not_new(stored: list, given: list, new: list) -> None:
    assert fresh(stored, given, is_whole=True) == new


def test_of_a_long_session_the_latest_messages_tell_where_it_stands() -> None:
    assert fresh([C, D], [A, B, C, D, A], is_whole=False) == [A]
    assert fresh([C, D], [D, A], is_whole=False) == [A]
    assert fresh([C, D], [A, B], is_whole=False) == [A, B]
