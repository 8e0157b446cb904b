"""How many things a text asks in a row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.asking.parts import MAX_CHARS, MAX_PARTS, parts_asked


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Who tunes the piano and when was it done last?", 2),
        ("Which choir do I sing in, where does it meet and who conducts it?", 3),
        ("合唱团在哪儿排练，谁指挥？", 2),
        ("排练几点开始、在哪个教室、要带什么谱子？", 3),
        ("Who tunes the piano?", 1),
        ("合唱团在哪儿排练？", 1),
        ("The piano is out of tune and I don't like it.", 1),
        ("Who decides if a concert is called off?", 1),
        ("Tune the piano, then tell the choir.", 1),
        ("", 1),
        ("who a? who b? who c? who d? who e?", 3),
        ("Who tunes the piano and who pays for it? " + "It is an old one. " * (MAX_CHARS // 18), 1),
    ],
)
def test_questions_of_their_own_are_counted(text: str, count: int) -> None:
    assert parts_asked(text) == count


@given(st.text(max_size=400))
def test_there_is_at_least_one_and_there_are_never_many(text: str) -> None:
    assert 1 <= parts_asked(text) <= MAX_PARTS
