"""Targets: which names mean one thing, and which known ones are near to a text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orca_core.model.knowledge import TargetCount
from orca_core.rules.work.consolidation_rules import MAX_TARGET_CHARS, chosen_target, clean_target, folded, near_targets


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("order-service", "Order Service"),
        ("order_service", "orderservice"),
        ("ＯＲＤＥＲ服务", "order 服务"),
        ("訂單服務", "订单服务"),
        ("支付（回调）", "支付回调"),
        ("Node.js", "nodejs"),
        ("CAFÉ", "cafe\u0301"),
        (" 数据库 ", "数据库"),
        ("straße", "STRASSE"),
    ],
)
def test_two_spellings_of_one_target_are_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"), [("C", "C++"), ("C++", "C#"), ("v1.2", "v12"), ("订单", "订单服务"), ("a", "b"), ("!", "?")]
)
def test_two_targets_stay_two(one: str, other: str) -> None:
    assert folded(one) != folded(other)


@given(st.text(max_size=60))
@example("R\u00b8")
def test_a_folded_target_is_its_own(target: str) -> None:
    assert folded(folded(target)) == folded(target)
    assert bool(folded(target)) == bool("".join(target.split()))


@given(st.text(max_size=300))
def test_a_stored_target_is_short_and_on_one_line(target: str) -> None:
    cleaned = clean_target(target)

    assert len(cleaned) <= MAX_TARGET_CHARS
    assert "\n" not in cleaned


KNOWN = [
    TargetCount("order-service", 2),
    TargetCount("订单数据库", 9),
    TargetCount("CI pipeline", 4),
    TargetCount("payment gateway", 1),
]


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("the payment callback times out", ["payment gateway", "订单数据库"]),
        ("订单数据库连不上", ["订单数据库", "CI pipeline"]),
        ("nothing of the kind", ["订单数据库", "CI pipeline"]),
        ("", ["订单数据库", "CI pipeline"]),
    ],
)
def test_the_nearest_share_words_then_have_most_episodes(text: str, nearest: list[str]) -> None:
    assert near_targets(text, KNOWN, limit=2) == nearest


def test_thirty_are_shown() -> None:
    assert len(near_targets("x", [TargetCount(f"t{each}") for each in range(50)])) == 30


@pytest.mark.parametrize(
    ("answered", "chosen"),
    [
        ("Order Service", "order-service"),
        ("訂單數據庫", "订单数据库"),
        ("new thing", "new thing"),
        ("  ", ""),
        ("", ""),
    ],
)
def test_an_answer_means_the_known_one_of_that_name(answered: str, chosen: str) -> None:
    assert chosen_target(answered, KNOWN) == chosen
