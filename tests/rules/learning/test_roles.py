"""Who does what to whom, and of whom something beside a person is said."""

from __future__ import annotations

import pytest

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.learning.trust.agreement import Bearing, bearing
from orca_core.rules.learning.trust.claims import Claim


def _bearing(content: str, said: str) -> Bearing:
    [clause] = read_clauses(said)
    return bearing(Claim(ProposedFact(content, MemoryType.FACT, (), 0.9)), clause)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("用户的妹妹每月给用户打钱", "我每个月给妹妹打钱"),
        ("用户每月给妹妹打钱", "我妹妹每个月给我打钱"),
        ("用户教女儿弹琴", "我女儿教我弹琴"),
        ("用户在大阪读书", "我给在大阪读书的妹妹打钱"),
        ("用户在设计院上班", "我跟在设计院上班的室友合租"),
        ("User pays a sister each month", "my sister pays me each month"),
        ("User's brother looks after User", "i look after my brother"),
        ("User lives in Osaka", "i skype my sister who lives in Osaka"),
        ("User works at a bank", "i share with a friend working at a bank"),
        ("User travels from Calais to Dover", "i'm going Dover > Calais"),
        ("User moved from Go to Rust", "we moved Rust -> Go"),
    ],
)
def test_the_other_way_about_is_borne_by_nothing(content: str, said: str) -> None:
    assert _bearing(content, said) is Bearing.NONE


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("用户觉得zellij比tmux顺手", "我觉得tmux顺手得多"),
        ("用户觉得A方案比B方案稳", "我觉得B方案稳"),
        ("User finds vim faster than emacs", "i find emacs faster"),
        ("User prefers tea to coffee", "i prefer coffee"),
    ],
)
def test_a_comparison_the_other_way_about_is_not_plain(content: str, said: str) -> None:
    assert _bearing(content, said) is not Bearing.PLAIN


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("用户每月给妹妹打钱", "我每个月给妹妹打钱"),
        ("用户养的猫叫煤球", "我在大阪养的猫叫煤球"),
        ("用户有一个在大阪读书的妹妹", "我有个在大阪读书的妹妹"),
        ("User has a sister who lives in Osaka", "i have a sister who lives in Osaka"),
        ("User travels from Dover to Calais", "i'm going Dover > Calais"),
        ("User pays a cleaner each week", "i pay a cleaner each week"),
        ("User prefers tea to coffee", "i prefer tea to coffee"),
        ("User's mother lives with User", "my mother lives with me"),
    ],
)
def test_what_is_said_the_same_way_is_borne(content: str, said: str) -> None:
    assert _bearing(content, said) is not Bearing.NONE
