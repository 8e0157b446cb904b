"""How many things a text asks in a row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.requests.recall_questions import MAX_CHARS, MAX_PARTS, parts_asked


@pytest.mark.parametrize(
    ("text", "count"),
    [
        # several
        ("Who tunes the piano and when was it done last?", 2),
        ("Which choir do I sing in, where does it meet and who conducts it?", 3),
        ("What's our wifi name? And who pays for it?", 2),
        ("which db do we use or which one did we use before", 2),
        ("Where do we meet; who brings the scores", 2),
        ("who a? who b? who c? who d? who e?", 3),
        ("合唱团在哪儿排练，谁指挥？", 2),
        ("排练几点开始、在哪个教室、要带什么谱子？", 3),
        ("我们用什么数据库以及谁在管", 2),
        ("合唱團在哪裡排練？誰指揮？", 2),
        ("我女儿几岁了，她在哪个学校", 2),
        ("staging 在哪台机器上？password 谁知道？", 2),
        ("What time is the rehearsal\nand which room is it in", 2),
        # one
        ("Who tunes the piano?", 1),
        ("合唱团在哪儿排练？", 1),
        ("The piano is out of tune and I don't like it.", 1),
        ("Who decides if a concert is called off?", 1),
        ("Tune the piano, then tell the choir.", 1),
        ("Which of salt, sugar and flour did I buy?", 1),
        ("我们用 redis、kafka 还是 rabbitmq？", 1),
        ("What? And the piano?", 1),
        ("Who knows what the choir sings", 1),
        ("I asked when, and they said soon.", 1),
        ("今天很冷，出门吧。", 1),
        ("Can you write a poem, a song and a play?", 1),
        ("v1.2.3 or v1.2.4", 1),
        ("???!!!", 1),
        ("", 1),
        (" \n ", 1),
        ("Who tunes the piano and who pays for it? " + "It is an old one. " * (MAX_CHARS // 18), 1),
    ],
)
def test_questions_of_their_own_are_counted(text: str, count: int) -> None:
    assert parts_asked(text) == count


@given(st.text(max_size=400))
def test_there_is_at_least_one_and_there_are_never_many(text: str) -> None:
    assert 1 <= parts_asked(text) <= MAX_PARTS
