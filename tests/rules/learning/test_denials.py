"""Where one of a fact and a clause denies: what is sure, and what only a second reader can tell."""

from __future__ import annotations

import pytest

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.denials import Opposed, opposed


def _opposed(content: str, said: str) -> Opposed:
    [clause] = read_clauses(said)
    return opposed(Claim(ProposedFact(content, MemoryType.FACT, (), 0.9)), clause)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User has a dog", "i dont have a dog"),
        ("User's son refuses the bottle", "my son takes the bottle"),
        ("User owns a Gaggia", "sold the gaggia in spring"),
        ("User uses zsh", "ditched zsh for fish"),
        ("User has single cell data", "we dont have any single cell data"),
        ("User rides in the rain", "i never ride in the rain"),
        ("用户有房贷", "我又没房贷"),
        ("用户不喝咖啡", "我天天喝咖啡"),
        ("用户喝咖啡", "咖啡我早戒了"),
    ],
)
def test_a_plain_denial_is_sure(content: str, said: str) -> None:
    assert _opposed(content, said) is Opposed.SURELY


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User finds verbs of motion difficult", "i cannot do verbs of motion"),
        ("User is allergic to shellfish", "i can't do shellfish"),
        ("User rarely eats meat", "i don't eat meat much"),
        ("User is unfamiliar with Terraform", "never touched Terraform"),
        ("User drives an electric car", "we have no garage and an electric car"),
        ("用户对乳糖不耐受", "乳糖我碰都不能碰"),
        ("用户觉得听力部分很难", "听力部分我听不进去"),
        ("用户很少吃辣", "我不太能吃辣"),
    ],
)
def test_what_denies_by_its_meaning_may_say_the_same(content: str, said: str) -> None:
    assert _opposed(content, said) is Opposed.PERHAPS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User now uses fish", "ditched zsh for fish"),
        ("User does not eat pork", "i don't eat pork"),
        ("用户不喝咖啡", "咖啡我早戒了"),
        ("用户的橘猫肾不好，在吃处方粮", "橘猫肾不好在吃处方粮"),
    ],
)
def test_what_both_or_neither_deny_is_agreed(content: str, said: str) -> None:
    assert _opposed(content, said) is not Opposed.SURELY
