"""When two memories are one, when one takes the other's place, and when a person is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orca_core.domain.memories import MemoryType
from orca_core.rules.learning.likeness.duplicates import Likeness, likeness

PAIRS = Path(__file__).parents[4] / "shared" / "data" / "pairs" / "dedup.jsonl"
FACT = MemoryType.FACT


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("用户用 neovim", "我用 neovim"),
        ("User's editor is Helix", "the user's editor is helix"),
        ("用戶住在台中", "用户住在台中"),
        ("用户的女儿今年3岁", "用户有一个三岁的女儿"),
        ("User has two cats", "User has 2 cats"),
        ("用户5月20号过生日", "用户的生日是5月20日"),
        ("User meets Priya Tuesdays at 10am", "User has a meeting with Priya every Tuesday at 10"),
        ("User is based in Lyon", "The user lives in Lyon"),
        ("用户使用Ｐostgres 16。", "用户使用 PostgreSQL 16"),
        ("User hates coriander", "User does not like coriander"),
    ],
)
def test_the_same_in_other_words(new: str, known: str) -> None:
    assert likeness(new, FACT, known, FACT) is Likeness.SAME
    assert likeness(known, FACT, new, FACT) is Likeness.SAME


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("用户的数据库已升级到PostgreSQL 17", "用户的数据库是PostgreSQL 15"),
        ("用户的例会改到了周四", "用户的例会在周三"),
    ],
)
def test_an_update_has_the_same_words_another_value_and_a_word_of_change(new: str, known: str) -> None:
    assert likeness(new, FACT, known, FACT) is Likeness.UPDATE


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("用户对花生不过敏", "用户对花生过敏"),
        ("The appointment is on October 16th", "The appointment is on October 15th"),
        ("用户有狗", "用户喜欢狗"),
        ("User prefers tea over coffee", "User prefers coffee over tea"),
        ("User's nephew Theo was born in 2019", "User's son Leo was born in 2019"),
        ("用户周三晚上上瑜伽课", "用户周三下午固定有例会"),
        ("User no longer drives a Subaru", "User drives a Subaru"),
        ("User used to live in Lyon", "User lives in Lyon"),
        ("用户计划用 Rust 重写后端", "用户用 Rust 重写后端"),
        ("用户在百度工作", "用户在腾讯工作"),
        ("User's pronouns are she/her", "User's pronouns are they/them"),
        ("用户喜欢Vim胜过Emacs", "用户喜欢Emacs胜过Vim"),
    ],
)
def test_what_differs_in_what_matters_is_never_merged(new: str, known: str) -> None:
    assert likeness(new, FACT, known, FACT) not in (Likeness.SAME, Likeness.UPDATE)


def test_another_type_is_never_merged() -> None:
    assert likeness("用户 用 vim。", MemoryType.PREFERENCE, "用户用 vim 写代码", FACT) is not Likeness.SAME


def test_the_hard_pairs() -> None:
    if not PAIRS.exists():
        pytest.skip("the development data for duplicates is not here")
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines() if line.strip()]
    merged = [row for row in rows if likeness(row["b"], FACT, row["a"], FACT) is Likeness.SAME]
    replaced = [row for row in rows if likeness(row["b"], FACT, row["a"], FACT) is Likeness.UPDATE]
    assert sum(row["label"] == "duplicate" for row in merged) >= 0.95 * len(merged)
    assert not [row for row in merged if row["label"] == "contradicts"]
    assert all(row["label"] == "contradicts" for row in replaced)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User's manager is Ines", "User is the manager of Ines"),
        ("User is Joe's landlord", "User's landlord is Joe"),
        ("用户的老板是王强", "用户是王强的老板"),
        ("张伟是李娜的经理", "李娜是张伟的经理"),
        ("User lent Anna a book", "Anna lent User a book"),
        ("User rents a flat from Joe", "User rents a flat to Joe"),
        ("User's dog bites the cat", "The cat bites User's dog"),
        ("用户为老婆做饭", "老婆为用户做饭"),
        ("用户被老板骂了", "老板被用户骂了"),
        ("用户把数据从S3迁到OSS", "用户把数据从OSS迁到S3"),
        ("服务A调用服务B", "服务B调用服务A"),
        ("User drinks tea, not coffee", "User drinks coffee, not tea"),
        ("User has 2 cats and 3 dogs", "User has 3 cats and 2 dogs"),
    ],
)
def test_what_changes_places_is_not_the_same(one: str, other: str) -> None:
    assert likeness(one, FACT, other, FACT) not in (Likeness.SAME, Likeness.UPDATE)
    assert likeness(other, FACT, one, FACT) not in (Likeness.SAME, Likeness.UPDATE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User likes their coffee dark roasted", "User prefers dark roast coffee"),
        ("User's dog is called Rex", "User has a dog named Rex"),
        ("The doctor of User's son is Ines Ruiz", "The doctor of the User's son is Ines Ruiz"),
    ],
)
def test_an_order_that_tells_nothing_does_not_part_two(one: str, other: str) -> None:
    assert likeness(one, FACT, other, FACT) is Likeness.SAME
