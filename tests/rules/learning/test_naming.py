"""Which known memory a model's words for an old one mean."""

from __future__ import annotations

import pytest
from fakes.proposals import fact, learnt

from orca_core.domain.memories import MemoryType
from orca_core.rules.learning.likeness.naming import is_named_exactly, meant_by, nearness

NEW = fact("User lives in Oslo").new


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("User lives in Rome", "User lives in Rome"),
        ("user  lives in rome.", "User lives in Rome"),
        ("lives in Rome", "The user lives in Rome"),
        ("ＵＳＥＲ lives in Rome！", "User lives in Rome"),
        ("User has two cats", "User has 2 cats"),
        ("User earns 3,000 a month", "User earns three thousand a month"),
        ("用户养了两只猫", "用户养了2只猫。"),
        ("住在上海", "用户住在上海"),
        ("用户的数据库是 postgres", "用户的数据库是PostgreSQL"),
        ("用户用 k8s", "用户用 Kubernetes"),
        ("User is based in Lyon", "User lives in Lyon"),
        ("User writes C++", "User writes C++"),
        ("User is on version 1.5", "User is on version 1.5."),
    ],
)
def test_an_exact_name_may_be_written_in_another_way(name: str, content: str) -> None:
    assert is_named_exactly(learnt(1, content), name)
    assert is_named_exactly(learnt(1, name), content)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("User lives in Rome", "User lives in Bern"),
        ("User has two cats", "User has 3 cats"),
        ("User has 3 cats and 2 dogs", "User has 2 cats and 3 dogs"),
        ("User writes C++", "User writes C#"),
        ("User writes C", "User writes C++"),
        ("User is on version 1.5", "User is on version 15"),
        ("用户对花生过敏", "用户对花生不过敏"),
        ("User prefers tea over coffee", "User prefers coffee over tea"),
        ("User's sister lives in Rome", "User lives in Rome"),
    ],
)
def test_an_exact_name_says_nothing_else(name: str, content: str) -> None:
    assert not is_named_exactly(learnt(1, content), name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("User is living in the city of Rome", "User lives in Rome"),
        ("The team's Terraform version is pinned at v1.5.7", "User's team is pinned to Terraform 1.5.7"),
        ("User usually drinks four espressos every day", "User drinks about four espressos a day"),
        ("代码的注释都要用中文", "代码注释一律用中文写"),
        ("用户带着4个实习生", "用户在带四个实习生"),
        ("用户有一张健身房月卡", "用户办了健身房月卡"),
        ("用户每天坐地铁上班", "用户每天坐6号线地铁上班"),
        ("用户在ICU值大夜班", "用户在ICU上大夜班"),
        ("The user gets from the office home with a van", "User uses a van to get home from the office"),
    ],
)
def test_a_near_name_is_a_paraphrase(name: str, content: str) -> None:
    assert nearness(name, "", learnt(1, content)) >= 0.6


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("User lives in Rome", "User lives in Bern"),
        ("User has two cats", "User has three cats"),
        ("The meeting is on Tuesday", "The meeting is on Wednesday"),
        ("User's sister lives in Rome near the river", "User lives in Rome near the river"),
        ("User works with Ann in the Berlin office", "User works with Dan in the Berlin office"),
        ("用户的妻子每天喝咖啡", "用户每天喝咖啡"),
        ("用户对花生过敏", "用户对花生不过敏"),
        ("User prefers green tea over black coffee", "User prefers black coffee over green tea"),
        ("端口是 5432", "端口是 5433"),
        ("User takes the train to Lyon and flies to Rome", "User takes the train to Rome and flies to Lyon"),
        ("User walks from the flat to the office", "User walks from the office to the flat"),
    ],
)
def test_a_near_name_never_means_what_differs_in_what_matters(name: str, content: str) -> None:
    assert nearness(name, name, learnt(1, content)) == 0.0


def test_a_name_that_shares_little_means_what_it_and_the_new_fact_cover() -> None:
    old = learnt(1, "Always answer in bullet points")
    assert nearness("Responses should always be bulleted", "User wants answers in paragraphs, not bullets", old) > 0
    assert nearness("Responses should always be bulleted", "User drinks tea", old) == 0.0


NAMED = "User types in Vim at the desk"
"""Shares two thirds with the memory."""


@pytest.mark.parametrize(
    ("name", "kind", "tags", "meant"),
    [
        ("User uses Vim at work", "preference", (), 1),
        ("User is using Vim at the work place", "instruction", (), 1),
        ("User is using Vim at the work place", "event", (), 1),
        (NAMED, "preference", (), None),
        (NAMED, "preference", ("tools",), 1),
        (NAMED, "fact", (), 1),
        (NAMED, "project", (), 1),
        (NAMED, "instruction", (), None),
        (NAMED, "event", (), 1),
    ],
)
def test_only_a_name_that_is_nearly_verbatim_means_a_memory_of_another_kind(
    name: str, kind: str, tags: tuple[str, ...], meant: int | None
) -> None:
    old = learnt(1, "User uses Vim at work" if name != NAMED else "User uses Vim at the desk at home", tags=("tools",))
    found = meant_by(name, fact("User uses Helix", type=kind, tags=tags).new, [old])
    assert (found.memory and found.memory.id, [each.id for each in found.unclear]) == (meant, [] if meant else [1])


def test_of_two_that_are_nearly_verbatim_the_kind_tells() -> None:
    known = [learnt(1, "User uses Vim at work"), learnt(2, "User uses Vim at work", type=MemoryType.INSTRUCTION)]
    found = meant_by("User is using Vim at the work place", fact("User uses Helix").new, known)
    assert found.memory == known[0]


def test_of_several_near_ones_the_nearest_is_meant() -> None:
    known = [learnt(1, "User drinks black coffee"), learnt(2, "User drinks black coffee every morning at home")]
    found = meant_by("User is drinking black coffee each morning at home", NEW, known)
    assert found.memory == known[1]


def test_where_several_are_as_near_nobody_knows_which_is_meant() -> None:
    known = [learnt(1, "User drinks coffee with oat milk"), learnt(2, "User drinks coffee with cow milk")]
    found = meant_by("User drinks coffee with milk", NEW, known)
    assert (found.memory, found.unclear) == (None, tuple(known))
