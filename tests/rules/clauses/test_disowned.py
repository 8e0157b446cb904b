"""What a message says of itself: that it is nobody's own word, or where laughter ends what another said."""

from __future__ import annotations

import pytest

from orca_core.rules.clauses.clause import Frame
from orca_core.rules.clauses.reading import read_clauses


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("I have two boys and a loan. it's from my exercise book", Frame.POSSIBLE),
        ("I lost my farm to the flood (not actually true, for class)", Frame.POSSIBLE),
        ("我对碘过敏，做过搭桥。这是病历里的", Frame.POSSIBLE),
        ("我从小在海边长大。这是我编的", Frame.POSSIBLE),
        ("I can't stand podcasts that aren't true crime", Frame.NONE),
        ("我在写病历。这是我的新工作", Frame.NONE),
        ("我住在海边。这是我自己买的房", Frame.NONE),
    ],
)
def test_what_is_disowned_behind_it_may_be_no_word_of_the_user(text: str, frame: Frame) -> None:
    assert read_clauses(text)[0].frame is frame


def test_what_is_written_as_if_one_spoke_is_a_text() -> None:
    assert read_clauses("word it as if I were speaking: I have seen it myself")[-1].frame is Frame.TEXT


@pytest.mark.parametrize("text", ["釉料那块你当我小白来讲。我住景德镇", "你就当我零基础。我住景德镇"])
def test_how_to_be_spoken_to_is_no_play(text: str) -> None:
    assert {each.frame for each in read_clauses(text)} == {Frame.NONE}


@pytest.mark.parametrize(
    "text", ["我女朋友说太丑哈哈哈她是学设计的", "my girlfriend says it is ugly lol she studies design"]
)
def test_laughter_ends_what_another_said(text: str) -> None:
    said, beside = read_clauses(text)
    assert (said.frame, beside.frame) == (Frame.REPORTED, Frame.NONE)


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("anything with solvents is out", True),
        ("omelettes are a no", True),
        ("dairy is off the table for me", True),
        ("the album is out in June", False),
        ("the results are out now", False),
    ],
)
def test_what_is_out_is_denied(text: str, denies: bool) -> None:
    assert read_clauses(text)[0].negated is denies
