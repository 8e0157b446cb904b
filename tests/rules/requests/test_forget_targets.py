"""Which memories a request to forget means: the ones it names, not their neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.requests.remember_and_forget import Known, meant_to_be_forgotten

STORE = [
    "用户住在郑州金水区文化路88号院",
    "用户的父母住在洛阳",
    "用户对青霉素过敏",
    "用户的女儿对花生过敏",
    "用户的猫叫橘子",
    "用户用 neovim 写 Go",
    "用户在备考一建",
    "User smokes about ten cigarettes a day",
    "User rows on the Thames three mornings a week",
    "User has an interview at Halvorsen Marine",
    "User works in dispatch at a ferry company",
    "User's sister is getting divorced",
    "User's sister lives in Leeds",
    "User's dentist is Dr. Heron",
    "User's birthday is on May 3",
    "User's wife's birthday is on June 9",
    "User's staging server is called heron-2",
    "User prefers tabs over spaces",
]


def meant(wanted: str, store: list[str]) -> list[str]:
    known = [Known(number, content, age=number) for number, content in enumerate(store, start=1)]
    return [store[each - 1] for each in meant_to_be_forgotten(wanted, known)]


@pytest.mark.parametrize(
    ("wanted", "contents"),
    [
        ("我文化路那个地址", ["用户住在郑州金水区文化路88号院"]),
        ("我女儿的过敏", ["用户的女儿对花生过敏"]),
        ("I smoke", ["User smokes about ten cigarettes a day"]),
        ("my sister's divorce", ["User's sister is getting divorced"]),
        ("my dentist", ["User's dentist is Dr. Heron"]),
        # what is not there
        ("我离婚", []),
        ("the Kestrel project", []),
        # of another, who has none of it here
        ("我丈夫的生日", []),
        ("my sister's dentist", []),
        ("my boss's interview", []),
        # of one person all, of several their own
        ("我父母的地址", ["用户的父母住在洛阳"]),
        ("where I work", ["User works in dispatch at a ferry company"]),
    ],
)
def test_only_what_is_named_is_meant(wanted: str, contents: list[str]) -> None:
    assert meant(wanted, STORE) == contents


OLD, NEW = "用户的地址是文化路88号", "用户的地址是滨河路6号"


@pytest.mark.parametrize(
    ("wanted", "store", "contents"),
    [
        ("我的旧地址", [OLD, NEW], [OLD]),
        ("我以前的地址", [OLD, NEW], [OLD]),
        ("我的新地址", [OLD, NEW], [NEW]),
        ("我的旧地址", ["用户以前的地址是文化路88号", NEW], ["用户以前的地址是文化路88号"]),
        ("我的地址", ["用户以前的地址是文化路88号", NEW], [NEW]),
        ("my old number", ["User's number ends in 12", "User's number ends in 77"], ["User's number ends in 12"]),
        ("my current number", ["User's number ends in 12", "User's number ends in 77"], ["User's number ends in 77"]),
        (
            "my old job",
            ["User used to have a job at Acme", "User has a job at Initech"],
            ["User used to have a job at Acme"],
        ),
    ],
)
def test_an_old_value_is_told_from_the_new_one(wanted: str, store: list[str], contents: list[str]) -> None:
    assert meant(wanted, store) == contents


def test_what_took_the_place_of_the_old_value_is_not_the_old_value() -> None:
    assert meant_to_be_forgotten("我的旧地址", [Known(7, NEW, took_over=True)]) == []


@given(st.text(max_size=80), st.lists(st.text(min_size=1, max_size=60), max_size=8))
def test_any_text_means_some_of_what_is_known(wanted: str, store: list[str]) -> None:
    assert set(meant(wanted, store)) <= set(store)
