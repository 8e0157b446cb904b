"""How near an answer is to what a memory means, beyond the question."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.memories import MemoryType
from orca_core.model.recall import References
from orca_core.model.records import memory_ref
from orca_core.rules.retrieval.references import MEANT, Citable, judge, nearness


def unit(numbers: list[float]) -> list[float]:
    length = math.sqrt(sum(each * each for each in numbers))
    return [each / length for each in numbers]


vectors = st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda each: sum(map(abs, each)) > 0.1).map(unit)


@given(vectors, vectors, vectors)
def test_it_is_a_cosine_and_the_same_from_both_sides(
    memory: list[float], answer: list[float], asked: list[float]
) -> None:
    near = nearness(memory, answer, asked)

    assert abs(near) <= 1 + 1e-6
    assert near == pytest.approx(nearness(answer, memory, asked), abs=1e-6)


@given(vectors, vectors)
def test_who_only_repeats_the_question_is_near_to_nothing(memory: list[float], asked: list[float]) -> None:
    assert nearness(memory, asked, asked) == 0.0


def test_what_the_question_says_is_taken_off() -> None:
    memory, answer, asked = unit([1.0, 1.0, 0.0]), unit([1.0, 0.0, 1.0]), [1.0, 0.0, 0.0]

    assert nearness(memory, answer, asked) == pytest.approx(0.0)
    assert nearness(memory, answer, [0.0, 0.0, 0.0]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("near", "kind", "judged"),
    [
        (MEANT, MemoryType.FACT, References(used=(memory_ref(1),))),
        (MEANT - 0.01, MemoryType.FACT, References(unused=(memory_ref(1),))),
        (0.9, MemoryType.PREFERENCE, References(unknown=(memory_ref(1),))),
    ],
)
def test_what_is_meant_counts_as_used_without_a_word(near: float, kind: MemoryType, judged: References) -> None:
    injected = [Citable(memory_ref(1), "用户的孩子有哮喘", kind)]

    assert judge(injected, "别去粉尘多的采摘园。", "去哪里玩？", (), {}, {memory_ref(1): near}) == judged
