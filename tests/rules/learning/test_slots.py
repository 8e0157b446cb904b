"""Which two memories give one thing two values, and which only stand beside each other.

The tables in `tests/data/slots` have a pair a line, the older first."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.memories import MemoryType
from orca_core.rules.learning.likeness.duplicates import Likeness, likeness
from orca_core.rules.learning.likeness.slots import gives_another_value

TABLES = Path(__file__).parents[2] / "data" / "slots"
FACT = MemoryType.FACT
LANGUAGES = ("en", "zh")


def pairs(table: str) -> list[tuple[str, str]]:
    lines = [line for each in LANGUAGES for line in (TABLES / f"{table}.{each}.txt").read_text("utf-8").splitlines()]
    return [(known, new) for known, _, new in (line.partition(" | ") for line in lines)]


@pytest.mark.parametrize(("known", "new"), pairs("two_values"))
def test_two_values_of_one_thing(known: str, new: str) -> None:
    assert likeness(new, FACT, known, FACT) in (Likeness.OTHER_VALUE, Likeness.UPDATE)


@pytest.mark.parametrize(("known", "new"), pairs("beside"))
def test_what_may_stand_beside_another(known: str, new: str) -> None:
    acted_upon = (Likeness.OTHER_VALUE, Likeness.UPDATE, Likeness.SAME)
    assert likeness(new, FACT, known, FACT) not in acted_upon
    assert likeness(known, FACT, new, FACT) not in acted_upon


@pytest.mark.parametrize("labelled", [MemoryType.PROJECT, MemoryType.PREFERENCE])
def test_the_label_of_a_memory_does_not_matter(labelled: MemoryType) -> None:
    assert likeness("用户住在苏州", labelled, "用户住在杭州", FACT) is Likeness.OTHER_VALUE
    assert likeness("User is vegan", FACT, "User is vegetarian", labelled) is Likeness.OTHER_VALUE


def test_what_happened_twice_is_no_other_value() -> None:
    event = MemoryType.EVENT
    assert likeness("User has been to Rome 3 times", event, "User has been to Rome 2 times", event) is Likeness.CONFLICT
    assert likeness("用户搬到了苏州", event, "用户住在杭州", FACT) is Likeness.OTHER_VALUE


def test_no_memory_is_another_value_of_itself() -> None:
    texts = [text for pair in pairs("two_values") + pairs("beside") for text in pair]
    assert [text for text in texts if gives_another_value(text, FACT, text, FACT)] == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(known: str, new: str) -> None:
    assert gives_another_value(new, FACT, known, FACT) == gives_another_value(known, FACT, new, FACT)
