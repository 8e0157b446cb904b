"""What a cue may be, whoever wrote it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.errors import InvalidInput
from orca_core.rules.text.cues import MAX_CUE_CHARS, MAX_CUES, checked_cues, clean_cue, cue_terms, fitting_cues

FACT = "User's monorepo is built with Bazel"


@pytest.mark.parametrize(
    ("cue", "kept", "reason"),
    [
        ("the build takes 20 minutes", "the build takes 20 minutes", None),
        ("  构建要\n二十分钟 ", "构建要 二十分钟", None),
        ("a\u202e\x1bb ```build``` is slow", "ab build is slow", None),
        ("x" * (MAX_CUE_CHARS + 1), None, "cue_too_long"),
        ("", None, "cue_empty"),
        ("?!", None, "cue_empty"),
        ("what is it", None, "cue_empty"),
        ("这是什么", None, "cue_empty"),
        (FACT, None, "cue_empty"),
        (7, None, "cue_empty"),
        (None, None, "cue_empty"),
    ],
)
def test_a_cue_is_kept_clean_or_left_out_by_name(cue: object, kept: str | None, reason: str | None) -> None:
    cues, left_out = fitting_cues([cue], FACT)

    assert cues == (() if kept is None else (kept,))
    assert [why for _, why in left_out] == ([] if reason is None else [reason])


def test_too_many_cues_are_cut_and_a_repeated_one_is_not_worth_a_word() -> None:
    proposed = ["slow build", "Slow  build", *(f"build number {number}" for number in range(MAX_CUES))]
    cues, left_out = fitting_cues(proposed, FACT)

    assert cues == ("slow build", *(f"build number {number}" for number in range(MAX_CUES - 1)))
    assert left_out == ((f"build number {MAX_CUES - 1}", "cue_over_limit"),)


@given(st.lists(st.one_of(st.text(max_size=100), st.integers(), st.none()), max_size=60))
def test_whatever_is_proposed_cues_stay_bounded_and_stay_as_they_are(proposed: list[object]) -> None:
    cues, _ = fitting_cues(proposed, FACT)

    assert len(cues) <= MAX_CUES
    assert all(cue_terms(cue) and len(cue) <= MAX_CUE_CHARS and clean_cue(cue) == cue for cue in cues)
    assert not re.search("[\x00-\x1f\x7f-\x9f]|```", "".join(cues))
    assert fitting_cues(cues, FACT) == (cues, ())


@pytest.mark.parametrize("given_cues", [["x" * 81], [""], ["what is it"], [f"build {each}" for each in range(9)]])
def test_a_person_is_told_what_is_no_cue(given_cues: list[str]) -> None:
    with pytest.raises(InvalidInput):
        checked_cues(given_cues, FACT)
