"""How near two texts are by their words: what is the same but for spelling, what agrees, what is nominated."""

from __future__ import annotations

import pytest
from fakes.memories import memory

from orca_core.rules.learning.similarity import SAME_SHARE, agree, are_same, share, why_a_pair


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User uses Vim", "the user uses vim."),
        ("用户用 Ｖｉｍ 写代码", "用户用Vim写代码。"),
        ("用户的時區是東八區", "用户的时区是东八区"),
        ("User uses k8s", "User uses Kubernetes"),
        ("User likes tea", "User  likes tea!"),
    ],
)
def test_one_statement_in_two_spellings(one: str, other: str) -> None:
    assert are_same(one, other)
    assert are_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User uses C", "User uses C++"),
        ("User likes tea", "User does not like tea"),
        ("用户住在上海", "用户住在杭州"),
        ("User drinks tea", "User is drinking tea"),
        ("Anna is Ben's manager", "Ben is Anna's manager"),
    ],
)
def test_two_statements(one: str, other: str) -> None:
    assert not are_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User lives in Berlin", "Berlin is where the user has a flat"),
        ("用户的母亲患有高血压", "用户妈妈有高血压"),
        ("User never eats meat", "User does not eat meat"),
        ("用户每周三晚上上瑜伽课", "用户星期三晚有瑜伽课"),
        ("用户的编辑器是 nvim", "用户写代码用 Neovim"),
        ("User's exam is on 4 May 2026", "User sits an exam on 4th May 2026"),
        ("Answer in bullet points", "Replies should be given as bullet points"),
        ("User's team uses GitLab for CI", "User's team runs its CI on GitLab"),
        ("User does not eat pork", "User avoids eating pork"),
        ("用户的老板是王伟", "王伟是用户的老板"),
        ("用户是程序员", "用户是码农"),
        ("User runs 5 km on Mondays", "User goes for a run of 5 km every Monday"),
    ],
)
def test_what_a_verifier_may_merge(one: str, other: str) -> None:
    assert agree(one, other)
    assert agree(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # figures
        ("User's rent is 900 euros", "User pays 950 euros of rent"),
        ("User runs 5 km", "User runs"),
        # dates and days
        ("用户生日是 3 月 4 日", "用户的生日在 4 月 3 日"),
        # denials
        ("User likes olives", "User does not like olives"),
        ("User no longer uses vim", "User uses vim"),
        # names
        ("User's sister is called Anna", "The user has a sister, Maria"),
        ("用户用 vim 写代码", "用户用 emacs 写代码"),
        ("Ines is the user's boss", "Marta is the user's boss"),
        ("用户住在成都", "用户家在重庆"),
    ],
)
def test_what_nobody_may_merge(one: str, other: str) -> None:
    assert not agree(one, other)
    assert not agree(other, one)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("用户喜欢骑自行车去上班", "用户喜欢骑自行车上班", "undecided"),
        ("User likes cycling to work", "The user likes to cycle to work", "undecided"),
        ("The port is 5433", "The port is 5434", "conflict"),
        ("用户对花生过敏", "用户对花生不过敏", "conflict"),
        ("User prefers tea over coffee", "User prefers coffee over tea", "undecided"),
        ("User lives in Lyon", "User lives in Paris", ""),
        ("User likes tea", "User likes coffee", ""),
        ("User has a dog named Rex", "User has a dog named Max", ""),
        ("User's sister lives in Lyon", "User's brother lives in Lyon", ""),
        ("用户住在上海", "用户在上海有一家咖啡馆", ""),
        ("用户养了一只猫", "用户养了一只狗", ""),
    ],
)
def test_what_is_nominated(one: str, other: str, why: str) -> None:
    ours, theirs = memory(content=one), memory(content=other)
    assert why_a_pair(ours, theirs) == why_a_pair(theirs, ours) == why
    assert (share(one, other) >= SAME_SHARE) is bool(why)
