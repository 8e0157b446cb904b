"""What is masked as a quotation: marks of many kinds, and none that are lengths or stand alone."""

from __future__ import annotations

import pytest

from orca_core.rules.text.typed_spans import MASK, masked, quotations

BOB = "I moved to Berlin last year with my dog"
ANNA = "我去年搬到了柏林，养了一条狗"


@pytest.mark.parametrize(
    ("text", "theirs"),
    [
        (f"Bob said „{BOB}“ yesterday", BOB),
        (f"Bob said „{BOB}” yesterday", BOB),
        (f"Bob a écrit « {BOB} » hier", BOB),
        (f"Bob schrieb »{BOB}« gestern", BOB),
        (f"Bob said ”{BOB}” yesterday", BOB),
        (f"Bob said ＂{BOB}＂ yesterday", BOB),
        (f"translate\n＞{BOB}", BOB),
        (f"帮我润色《{ANNA}》", ANNA),
        (f"她写道：“{ANNA}，学生见了我就说“老师好”，我很开心”，帮我改改", "我很开心"),
        (f"她写道：「{ANNA}，学生见了我就说「老师好」，我很开心」，帮我改改", "我很开心"),
        (f'I have a 27" monitor. Bob said "{BOB}" yesterday', BOB),
        (f'我家有一台55"电视。她说"{ANNA}"', ANNA),
        (f'a 27.5" one and a 24" one. Bob said: "{BOB}"', BOB),
        (f'since 2009"{BOB}" he said', BOB),
        (f'he wrote "{BOB}.\n\n{"And so it went on." * 20}"', "And so it went on."),
        (f'a lone " here.\n\n{"So it went on. " * 20}\nBob said "{BOB}" to me', BOB),
    ],
)
def test_words_of_others_are_masked_in_marks_of_every_kind(text: str, theirs: str) -> None:
    assert theirs not in masked(text)
    assert any(theirs in each for each in quotations(text))
    assert len(masked(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        f'a 27" monitor and {BOB}, plus a 24" one',
        f'我家有一台55"电视，{ANNA}，还有一台27"显示器',
        f"a 27” monitor and {BOB}, plus a 24” one",
        f'a lone " here and now.\n\n{"So it goes on. " * 20}{BOB}.\n\nand one " there',
        f"a lone „ here, {BOB}",
        f"a lone “ here, {BOB}",
        f"the » of a shell, {BOB}\nand « of another",
        "我喜欢《哈利波特与阿兹卡班的囚徒》这本书",
        'they call me "Bob the Builder" here',
    ],
)
def test_what_is_no_quotation_stays_the_users(text: str) -> None:
    assert MASK not in masked(text)
    assert not quotations(text)


def test_a_quotation_is_searched_in_time() -> None:
    """Marks that never close cost no more than their number."""
    for mark in ('"', "“", "「", "„", "«", "»", "”", "《", "““”", "「「」", '"a ', "“a“a”"):
        assert len(masked(mark * 20_000)) == len(mark) * 20_000
