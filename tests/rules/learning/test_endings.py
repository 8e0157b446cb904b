"""A clause that says that something ended bears no fact that it is still so."""

from __future__ import annotations

import pytest

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.learning.agent import transcripts
from orca_core.rules.learning.trust.evidence import judge


def lives(content: str, said: str) -> bool:
    fact = ProposedFact(content, MemoryType.FACT, (), 0.9, said)
    return judge(fact, transcripts.Testimony(((1, said),), untrusted=(), assistant=("ok",))).held is None


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("we sold the car", "User has a car"),
        ("we cancelled the gym", "User goes to the gym"),
        ("I no longer use vim", "User uses vim"),
        ("I quit smoking in May", "User smokes"),
        ("乐刻的卡我退了", "用户有乐刻健身卡"),
        ("百度我已经离职了", "用户在百度工作"),
        ("vim我已经不用了", "用户用vim"),
    ],
)
def test_what_ended_is_no_more(said: str, content: str) -> None:
    assert not lives(content, said)


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("we sold the car", "User sold the car"),
        ("I left Acme", "User worked at Acme"),
        ("I left Acme and joined Beta", "User works at Beta"),
        ("I no longer use vim", "User no longer uses vim"),
        ("I quit smoking in May", "User quit smoking"),
        ("百度我已经离职了", "用户已从百度离职"),
        ("vim我已经不用了", "用户不再用vim"),
    ],
)
def test_that_it_ended_is_a_fact(said: str, content: str) -> None:
    assert lives(content, said)
