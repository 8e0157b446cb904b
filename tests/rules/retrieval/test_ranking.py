"""Who takes the slots, and why each other one stays out."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import pytest
from fakes.memories import AT, memory
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.memories import Memory, MemoryType, Origin, ShortTerm, State
from orca_core.model.recall import Item, ScoreParts
from orca_core.model.record_types import memory_ref, plain_ref
from orca_core.rules.retrieval.match_evidence import EmbedderWorth, MatchEvidence
from orca_core.rules.retrieval.ranking import (
    FoundMemory,
    FoundSummary,
    ItemSelection,
    best_first,
    is_standing,
    leave_out,
    newer_first,
    reorder,
    select_long,
    select_short,
)
from orca_core.rules.retrieval.recall_plan import RecallPlan

NOW = datetime(2026, 11, 20, tzinfo=UTC)
EMBEDDING = EmbedderWorth(trust=1.0, noise=0.3)
TECHNICAL = RecallPlan(
    rules=("technical: docker",), reason="technical: docker", short_count=3, long_count=2, standing=True, pinned=True
)


def ranked_memory(memory_id: int, kind: MemoryType = MemoryType.FACT, *, pinned: bool = False) -> Memory:
    return Memory(
        id=memory_id,
        uid=str(memory_id),
        content=f"memory {memory_id}",
        type=kind,
        tags=(),
        confidence=1.0,
        weight=1.0,
        state=State.LIVE,
        created_at=NOW,
        updated_at=NOW,
        origin=Origin(),
        pinned=pinned,
    )


def found(memory_id: int, score: float, *, relevant: bool = True, pinned: bool = False) -> FoundMemory:
    evidence = MatchEvidence(mass=9.0 if relevant else 0.1)
    return FoundMemory(ranked_memory(memory_id, pinned=pinned), ScoreParts(text=score), evidence)


def entering(memory_id: int, kind: MemoryType = MemoryType.PREFERENCE, *, pinned: bool = False) -> FoundMemory:
    return FoundMemory(ranked_memory(memory_id, kind, pinned=pinned), ScoreParts())


def chosen(plan: RecallPlan, near: list[FoundMemory], **others: list[FoundMemory]) -> tuple[list[str], dict[str, str]]:
    defaults: dict[str, list[FoundMemory]] = {"pinned": [], "standing": [], "heaviest": []}
    selection = select_long(plan, best_first(near), embedding=EMBEDDING, **{**defaults, **others})
    return [f"{plain_ref(item.ref)} {item.reason}" for item in selection.chosen], {
        str(plain_ref(item.ref)): item.reason for item in selection.dropped
    }


def test_the_best_relevant_memories_take_the_slots() -> None:
    taken, left = chosen(TECHNICAL, [found(1, 0.4), found(2, 0.8), found(3, 0.6)])

    assert taken == ["2 technical: docker", "3 technical: docker"]
    assert left == {"1": "over_limit"}


def test_what_lies_below_the_floor_takes_no_slot_however_high_it_scores() -> None:
    taken, left = chosen(TECHNICAL, [found(1, 0.9, relevant=False), found(2, 0.2)])

    assert taken == ["2 technical: docker"]
    assert left == {"1": "below_floor"}


def test_standing_memories_fill_only_the_slots_that_are_left() -> None:
    taken, _ = chosen(TECHNICAL, [found(1, 0.5)], standing=[entering(8), entering(9)])

    assert taken == ["1 technical: docker", "8 standing"]


def test_a_question_without_topic_gets_the_heaviest_behind_the_pinned() -> None:
    plan = RecallPlan(rules=("recall",), reason="recall", heaviest_count=10, pinned=True)
    pinned = [entering(1, pinned=True)]

    taken, _ = chosen(plan, [], pinned=pinned, heaviest=[entering(1), entering(2), entering(3)])

    assert taken == ["1 pinned", "2 recall", "3 recall"]


def summary(summary_id: int, *, session: str = "now", trusted: bool = True) -> ShortTerm:
    return ShortTerm(
        summary_id, session, summary_id, f"whole {summary_id}", f"q {summary_id}", trusted, frozenset(), NOW
    )


def short(
    summary_id: int, score: float, *, visible: bool = False, relevant: bool = True, **rest: bool | str
) -> FoundSummary:
    evidence = MatchEvidence(coverage=0.9 if relevant else 0.0)
    return FoundSummary(summary(summary_id, **rest), ScoreParts(text=score), evidence, visible)  # type: ignore[arg-type]


def chosen_short(items: list[FoundSummary], *, repeat_visible: bool = True) -> ItemSelection:
    return select_short(TECHNICAL, items, session_id="now", repeat_visible=repeat_visible, embedding=EMBEDDING)


def test_summaries_of_rounds_that_the_model_sees_anyway_come_last() -> None:
    selection = chosen_short([short(1, 0.9, visible=True), short(2, 0.2), short(3, 0.3), short(4, 0.1)])

    assert [str(item.ref) for item in selection.chosen] == ["s3", "s2", "s4"]
    assert [(str(item.ref), item.reason) for item in selection.dropped] == [("s1", "over_limit")]


def test_only_the_question_of_an_untrusted_round_reaches_another_session() -> None:
    selection = chosen_short(
        [short(1, 0.9, session="then", trusted=False), short(2, 0.8, trusted=False), short(3, 0.7, session="then")]
    )

    assert [item.content for item in selection.chosen] == ["q 1", "whole 2", "whole 3"]


def test_what_the_turn_itself_has_taught_is_left_out_with_its_reason() -> None:
    item = Item(memory_ref(1), "memory 1", ScoreParts(), "recall")

    selection = leave_out(ItemSelection((item,), ()), ranked_memory(1), "remembered")

    assert selection.chosen == ()
    assert [(each.ref.id, each.reason) for each in selection.dropped] == [(1, "remembered")]


def found_ordering(
    memory_id: int, content: str, score: float, *, day: int = 0, kind: MemoryType = MemoryType.FACT
) -> FoundMemory:
    at = AT + timedelta(days=day)
    evidence = MatchEvidence(mass=10 * score)
    return FoundMemory(
        memory(id=memory_id, content=content, created_at=at, type=kind), ScoreParts(text=score), evidence
    )


PAIRS = {(2, 1)}
"""The newer, and the older."""


def order(*given: FoundMemory, entering: Collection[int] | None = None, slots: int = 9) -> list[int]:
    enter = {each.memory.id for each in given} if entering is None else entering
    return [each.memory.id for each in newer_first(best_first(given), enter, PAIRS, slots)]


LYON = found_ordering(1, "The user lives in Lyon.", 0.8, day=0)
GHENT = found_ordering(2, "The user lives in Ghent.", 0.3, day=90)
BETWEEN = found_ordering(3, "The user's bicycle has a belt drive.", 0.5, day=30)


def test_the_newer_of_two_values_changes_places_with_the_older_and_nothing_else_moves() -> None:
    [first, *others] = newer_first([LYON, BETWEEN, GHENT], {1, 2, 3}, PAIRS, 3)

    assert first == GHENT  # with what speaks for it, and nothing of the other's
    assert others == [BETWEEN, LYON]


def test_a_pin_stands_against_what_is_newer() -> None:
    pinned = replace(LYON, memory=replace(LYON.memory, pinned=True))

    assert order(pinned, GHENT) == [1, 2]


def found_reranking(count: int) -> list[FoundMemory]:
    return [FoundMemory(memory(id=number + 1), ScoreParts(text=1.0 - number / 100)) for number in range(count)]


def ids(memories: list[FoundMemory]) -> list[int]:
    return [each.memory.id for each in memories]


@given(st.integers(0, 12), st.lists(st.integers(-3, 15)))
def test_everything_is_kept_once_with_its_score(count: int, ranks: list[int]) -> None:
    before = {each.memory.id: each.parts for each in found_reranking(count)}
    after = reorder(found_reranking(count), ranks)

    assert sorted(ids(after)) == sorted(before)
    assert {each.memory.id: each.parts for each in after} == before


@given(st.integers(0, 12), st.lists(st.integers(-3, 15)))
def test_what_was_ranked_comes_first_and_the_rest_keeps_its_order(count: int, ranks: list[int]) -> None:
    after = reorder(found_reranking(count), ranks)
    ranked = [at + 1 for at in dict.fromkeys(ranks) if 0 <= at < count]

    assert ids(after)[: len(ranked)] == ranked
    assert ids(after)[len(ranked) :] == sorted(set(range(1, count + 1)) - set(ranked))
    assert [each.place for each in after] == [*range(len(ranked)), *[None] * (count - len(ranked))]


INSTRUCTION, PREFERENCE, FACT = MemoryType.INSTRUCTION, MemoryType.PREFERENCE, MemoryType.FACT


@pytest.mark.parametrize(
    ("content", "kind", "expected"),
    [
        ("不要给我推荐 nano", INSTRUCTION, True),
        ("Commands are always written for fish", INSTRUCTION, True),
        ("喜欢先给结论，再给理由", PREFERENCE, True),
        ("用户希望回答简短", PREFERENCE, True),
        ("用戶希望回覆簡短", PREFERENCE, True),
        ("The user prefers short answers", PREFERENCE, True),
        ("用户喜欢手冲咖啡", PREFERENCE, False),
        ("The user prefers Postgres over MySQL", PREFERENCE, False),
        ("She dislikes open-plan offices", PREFERENCE, False),
        ("The user answers the support mail on Mondays", FACT, False),
        ("If a question is about taxes, answer with a source", INSTRUCTION, False),
        ("When asked for a recipe, prefers short answers", PREFERENCE, False),
    ],
)
def test_what_is_about_how_to_answer_stands(content: str, kind: MemoryType, expected: bool) -> None:
    assert is_standing(memory(content=content, type=kind)) is expected
