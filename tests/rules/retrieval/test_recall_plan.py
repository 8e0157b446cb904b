"""Which memories a turn may get, rule by rule, in the order of the rules."""

from __future__ import annotations

import msgspec.structs
import pytest
from msgspec.structs import replace

from orca_core.model.recall import Item, Level, ScoreParts
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, Ref, memory_ref
from orca_core.rules.retrieval import ranking
from orca_core.rules.retrieval.ranking import LOOKED_UP
from orca_core.rules.retrieval.recall_plan import (
    HEAVIEST_COUNT,
    NEAR,
    NEAR_COUNT,
    RECALL_COUNT,
    RecallPlan,
    plan_recall,
    rules_with,
)
from orca_core.rules.retrieval.relevance_floors import BESIDE_LOOKUPS, MARGIN
from orca_core.settings import InjectSettings, MemorySettings

DEFAULT = MemorySettings()


def planned(
    text: str, *, first: bool = False, level: Level = Level.FULL, inject: InjectSettings | None = None
) -> RecallPlan:
    memory = MemorySettings(inject=inject) if inject else DEFAULT
    return plan_recall(text, first_round=first, level=level, memory=memory)


SHORT_ONLY = (3, NEAR_COUNT, 0)
SHORT_AND_LONG = (3, 2, 0)
TOPIC_RECALL = (3, RECALL_COUNT, 0)
ITEM = Item(memory_ref(1), "memory 1", ScoreParts(), "short_term")
ALL_ABOUT_ME = (0, 0, HEAVIEST_COUNT)
NOTHING = (0, 0, 0)


@pytest.mark.parametrize(
    ("text", "first", "rule", "counts", "pinned"),
    [
        # a recall question speaks in any round and of any length
        ("我是谁", True, "recall", ALL_ABOUT_ME, True),
        ("what do you know about me?", False, "recall", ALL_ABOUT_ME, True),
        ("remind me which database we chose", False, "recall", TOPIC_RECALL, True),
        ("where do I live?", False, "recall", TOPIC_RECALL, True),
        # the first round of a session
        ("嗯", True, "first_round", NOTHING, True),
        # too short: bytes, not characters
        ("ok", False, "too_short: 2 < 10", NOTHING, False),
        ("👍👍", False, "too_short: 8 < 10", NOTHING, False),
        # otherwise short-term memories, and what is so near that it opens the gate for itself
        ("Can you plan a weekend in Lisbon?", False, "short_term", SHORT_ONLY, True),
        ("she said we should go for it", False, "short_term", SHORT_ONLY, True),
        # and technical ones get long-term memories
        ("这个接口为什么报错？", False, "technical", SHORT_AND_LONG, True),
        ("```\nx = 1\n```\nwhat does it do", False, "technical", SHORT_AND_LONG, True),
        ("数据库连接池应该设多大", False, "technical", SHORT_AND_LONG, True),
    ],
)
def test_rules_speak_in_their_order(
    text: str, first: bool, rule: str, counts: tuple[int, int, int], pinned: bool
) -> None:
    wanted = planned(text, first=first)

    assert wanted.rules[0].split(":")[0] == rule.split(":", maxsplit=1)[0]
    assert rule.startswith("too_short") <= (wanted.rules == (rule,))
    assert (wanted.short_count, wanted.long_count, wanted.heaviest_count) == counts
    assert wanted.pinned is pinned


def test_the_rules_say_where_a_memory_opened_the_gate_for_itself() -> None:
    wanted = planned("今天晚饭吃什么好呢")

    assert rules_with(wanted, [ITEM]) == ("short_term",)
    assert rules_with(wanted, [msgspec.structs.replace(ITEM, reason=NEAR)]) == ("short_term", "near")


def test_trigger_never_keeps_them_from_technical_text() -> None:
    wanted = planned("docker 里的 postgres 连不上", inject=InjectSettings(long_term_trigger="never"))

    assert wanted.long_count == 0
    assert wanted.short_count == 3


def test_recall_trigger_can_be_switched_off() -> None:
    assert planned("我是谁", first=True, inject=InjectSettings(recall_trigger=False)).rules == ("first_round",)


def test_pinned_memories_can_be_kept_out_of_the_first_round() -> None:
    assert not planned("随便聊聊天气怎么样", first=True, inject=InjectSettings(pinned_first=False)).looks_at_anything


def test_level_four_gives_nothing() -> None:
    assert planned("我是谁", level=Level.NONE) == RecallPlan(rules=("disabled",))


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("docker 启动报错了怎么办", (2, 1)),
        ("nginx gives 502 after the deploy, why?", (2, 1)),
        ("Do you remember which database we chose?", (2, 1)),
        ("What do you know about me?", (0, 0)),
        ("What a lovely day it is in the garden", (0, 0)),
        ("hi", (0, 0)),
    ],
)
def test_how_many_records_of_work_a_turn_gets(text: str, counts: tuple[int, int]) -> None:
    wanted = planned(text)
    assert (wanted.episode_count, wanted.knowledge_count) == counts


@pytest.mark.parametrize(
    "text", ["do you remember which editor I use?", "what do you know about the machines in my workshop?", "我是谁？"],
)  # fmt: skip
def test_who_asks_what_is_remembered_is_answered_where_the_model_may_look_too(text: str) -> None:
    alone, beside = both_ways(text)

    assert beside == alone
    assert beside.rules == ("recall",)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("我家的狗叫什么？", ("short_term",)),
        ("my Gmail filter doesn't catch newsletters, which operator do I use", ("short_term",)),
        ("somebody wants six spoons, what do I ask for", ("short_term",)),
        ("which postgres port do I use?", ("technical: postgres",)),
    ],
)
def test_whether_a_plain_question_is_about_oneself_is_for_a_model_that_may_look(
    text: str, rules: tuple[str, ...]
) -> None:
    alone, beside = both_ways(text)

    assert (alone.rules, beside.rules) == (("recall",), rules)
    assert (beside.guesses, beside.is_asked) == (0, False)


@pytest.mark.parametrize(
    "text", ["docker 里的 postgres 连不上，和上次一样吗", "hm, why can nobody reach it from there?"]
)
def test_unasked_it_has_to_be_nearer_and_alone_where_the_model_may_look(text: str) -> None:
    alone, beside = both_ways(text)

    assert beside.floor.nearness == BESIDE_LOOKUPS * alone.floor.nearness
    assert (alone.margin, beside.margin) == (0, MARGIN)
    assert replace(beside, floor=alone.floor, margin=0.0) == alone


def both_ways(text: str) -> tuple[RecallPlan, RecallPlan]:
    """The plans where the model may not look, and where it may."""
    without, may = (
        plan_recall(text, first_round=False, level=Level.FULL, memory=DEFAULT, may_look=may_look)
        for may_look in (False, True)
    )
    return without, may


def item(ref: Ref) -> Item:
    return Item(ref, str(ref), ScoreParts(), "near", "fact")


STATEMENTS = [item(memory_ref(number)) for number in range(1, 7)]
WORK = [item(Ref(KNOWLEDGE, 1)), item(Ref(EPISODE, 1)), item(Ref(GUIDE, 1))]


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ([], ""),
        (STATEMENTS, "m1 m2 m3 m4 m5"),
        (STATEMENTS[:1] + WORK[:1], "m1 k1"),
        (STATEMENTS + WORK, "m1 m2 m3 k1 e1"),
        (STATEMENTS + WORK[2:], "m1 m2 m3 m4 g1"),
        (WORK, "k1 e1"),
    ],
)
def test_statements_come_first_and_leave_room_for_a_little_work(chosen: list[Item], told: str) -> None:
    found = ranking.lookup_items(chosen)

    assert " ".join(str(each.ref) for each in found) == told
    assert {each.reason for each in found} <= {LOOKED_UP}
