"""What says the opposite without denying it, and what another did or was."""

from __future__ import annotations

import pytest

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.learning.trust.agreement import Bearing, bearing
from orca_core.rules.learning.trust.claims import Claim


def _bearing(content: str, said: str) -> Bearing:
    claim = Claim(ProposedFact(content, MemoryType.FACT, (), 0.9))
    return max(bearing(claim, clause) for clause in read_clauses(said))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User owns a flat in Leith", "i rent a flat in Leith"),
        ("User drives south to work", "i drive north to work"),
        ("User passed the driving test", "i failed the driving test"),
        ("User drinks coffee hot", "i drink my coffee iced"),
        ("User hates the new rota", "i dont hate the new rota"),
        ("用户上白班", "我上夜班"),
        ("用户买了一台钢琴", "我这钢琴是租的"),
        ("用户反对装电梯", "我不反对装电梯"),
        ("用户讨厌化学", "化学我不讨厌"),
        ("用户每周去理疗师家", "理疗师每周来我家"),
        ("User takes creatine", "no i'm not taking creatine"),
        ("User borrowed a ladder from a dealer", "a dealer borrowed the ladder from me"),
        ("User refunded the deposit to the gym", "the gym refunded the deposit to me"),
        ("用户从收购站拿了两吨废铁", "收购站从我这拉走两吨废铁"),
        ("用戶向大佬借了三萬", "我借咗三萬俾大佬"),
        ("User plays bassoon", "my goddaughter plays bassoon"),
        ("User is learning Ojibwe", "my penpal is learning Ojibwe"),
        ("User got a licence", "my protector just got his licence"),
        ("User drives a Skoda", "it's my dad's skoda"),
        ("用户养了布偶", "那只是同事的布偶"),
    ],
)
def test_the_opposite_and_anothers_is_borne_by_nothing(content: str, said: str) -> None:
    assert _bearing(content, said) is Bearing.NONE


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User rents a flat in Leith", "i rent a flat in Leith"),
        ("User does not hate the new rota", "i dont hate the new rota"),
        ("User does not take creatine", "no i'm not taking creatine"),
        ("User bought six chairs from a church", "i bought six chairs from a church"),
        ("User's loom has eight shafts", "my loom has eight shafts"),
        ("User drives a Skoda", "my car is a skoda"),
        ("用户不反对装电梯", "我不反对装电梯"),
        ("用户租了一台钢琴", "我这钢琴是租的"),
        ("用户从批发市场进货", "我从批发市场进货"),
    ],
)
def test_the_same_is_borne(content: str, said: str) -> None:
    assert _bearing(content, said) is not Bearing.NONE
