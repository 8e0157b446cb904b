"""Whether what a fact counts, and which of several things it says, was typed of the same thing."""

from __future__ import annotations

import pytest

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.learning.agent import transcripts
from orca_core.rules.learning.trust.evidence import Verdict, judge


def judged(typed: str, content: str, quote: str = "") -> Verdict:
    return judge(
        ProposedFact(content, MemoryType.FACT, (), 0.9, quote or typed),
        transcripts.Testimony(((1, typed),), (), ("I see.",)),
    )


@pytest.mark.parametrize(
    ("typed", "content", "quote"),
    [
        # the clause of the quote has another number
        ("backups run at 4. the 02:10 job is billing", "User's backups run at 02:10", "backups run at 4"),
        ("化学61 物理83", "用户物理61分", "化学61 物理83"),
        ("我练到第十五课了，今年五十", "用户练到第五十课", "我练到第十五课了"),
        ("on parental leave till october", "User is on parental leave until November", ""),
        ("I have three goats", "User has four goats", ""),
        # within one clause another thing is counted by it
        ("I have 3 goats and 12 hens", "User has 12 goats", ""),
        ("我养了三只羊和十二只鸡", "用户养了十二只羊", ""),
        ("I work 32 hours over 4 days", "User works 4 hours", ""),
        # of several that exclude each other it says another
        ("I play tenor sax", "User plays alto sax", ""),
        ("my car is red", "User's car is blue", ""),
        ("我上夜班", "用户上早班", ""),
        ("我家的墙刷成绿色的", "用户家的墙刷成蓝色", ""),
        # a reason that nobody typed
        ("I skip dairy, just don't like it", "User avoids dairy for ethical reasons", "I skip dairy"),
        ("我不吃牛肉，就是不爱吃", "用户因为宗教信仰不吃牛肉", "我不吃牛肉"),
        # another thing, in which nothing but a small number was typed
        ("我做医疗口译，三年了", "用户做医疗口译，长期驻某三甲单位", "我做医疗口译"),
    ],
)
def test_what_was_typed_of_something_else_holds_a_fact(typed: str, content: str, quote: str) -> None:
    assert judged(typed, content, quote).held is not None


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        ("I have 3 goats and 12 hens", "User has 12 hens"),
        ("I have 3 goats and 12 hens", "User has 3 goats"),
        ("我养了三只羊和十二只鸡", "用户养了十二只鸡"),
        ("two picky kids, 6 and 9", "User has two children aged 6 and 9"),
        ("we've about 9,000 patients", "User's surgery has about 9,000 patients"),
        ("on parental leave till october", "User is on parental leave until October"),
        ("每周二十四小时", "用户每周工作24小时"),
        ("我一周二四六跑步", "用户每周二、四、六跑步"),
        ("回三两句就够", "回复用户控制在两三句"),
        ("my nixos box has 32gb", "User's NixOS machine has 32 GB of RAM"),
        ("I'm eighty-one and I fish", "User is eighty-one years old"),
        ("咖啡因我碰不得", "用户碰不得咖啡因"),
    ],
)
def test_what_was_typed_of_the_same_thing_may_live(typed: str, content: str) -> None:
    assert judged(typed, content).held is None


def test_a_number_that_stands_as_near_to_another_thing_is_asked_about() -> None:
    typed = "I meditate 20 minutes at 6 every morning"
    assert not judged(typed, "User meditates for 6 minutes every morning").is_plain
    assert judged(typed, "User meditates for 20 minutes every morning").is_plain
