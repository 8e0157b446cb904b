"""Who takes the slots, and why each other one stays out."""

from __future__ import annotations

from datetime import UTC, datetime

from orca_core.model.memories import Memory, MemoryType, Origin, ShortTerm, State
from orca_core.model.recall import Item, ScoreParts, Shortfall
from orca_core.model.records import memory_ref, plain_ref
from orca_core.rules.retrieval.evidence import Embedding, Evidence
from orca_core.rules.retrieval.ranking import (
    Found,
    FoundShort,
    Selection,
    best_first,
    leave_out,
    select_long,
    select_short,
)
from orca_core.rules.retrieval.recall_plan import RecallPlan

AT = datetime(2026, 11, 20, tzinfo=UTC)
EMBEDDING = Embedding(trust=1.0, noise=0.3)
TECHNICAL = RecallPlan(
    rules=("technical: docker",), reason="technical: docker", short_count=3, long_count=2, standing=True, pinned=True
)


def memory(memory_id: int, kind: MemoryType = MemoryType.FACT, *, pinned: bool = False) -> Memory:
    return Memory(
        id=memory_id,
        uid=str(memory_id),
        content=f"memory {memory_id}",
        type=kind,
        tags=(),
        confidence=1.0,
        weight=1.0,
        state=State.LIVE,
        created_at=AT,
        updated_at=AT,
        origin=Origin(),
        pinned=pinned,
    )


def found(memory_id: int, score: float, *, relevant: bool = True, pinned: bool = False) -> Found:
    evidence = Evidence(mass=9.0 if relevant else 0.1)
    return Found(memory(memory_id, pinned=pinned), ScoreParts(text=score), evidence)


def entering(memory_id: int, kind: MemoryType = MemoryType.PREFERENCE, *, pinned: bool = False) -> Found:
    return Found(memory(memory_id, kind, pinned=pinned), ScoreParts())


def chosen(plan: RecallPlan, near: list[Found], **others: list[Found]) -> tuple[list[str], dict[str, str]]:
    defaults: dict[str, list[Found]] = {"pinned": [], "standing": [], "heaviest": []}
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


def test_what_lies_below_the_floor_says_how_near_it_came() -> None:
    nothing: dict[str, list[Found]] = {"pinned": [], "standing": [], "heaviest": []}
    near = [found(1, 0.9, relevant=False), found(2, 0.8), found(3, 0.7), found(4, 0.6)]

    selection = select_long(TECHNICAL, near, embedding=EMBEDDING, **nothing)

    assert {item.ref.id: (item.reason, item.shortfall) for item in selection.dropped} == {
        1: ("below_floor", Shortfall(0.1, TECHNICAL.floor.nearness)),
        4: ("over_limit", None),
    }


def test_standing_memories_fill_only_the_slots_that_are_left() -> None:
    taken, _ = chosen(TECHNICAL, [found(1, 0.5)], standing=[entering(8), entering(9)])

    assert taken == ["1 technical: docker", "8 standing"]


def test_a_standing_memory_that_was_found_too_weak_is_named_once() -> None:
    taken, left = chosen(TECHNICAL, [found(8, 0.1, relevant=False)], standing=[entering(8)])

    assert taken == ["8 standing"]
    assert left == {}


def test_pinned_memories_stand_beside_the_slots_most_relevant_first() -> None:
    pinned = [found(5, 0.1, pinned=True), found(6, 0.3, pinned=True)]

    taken, _ = chosen(TECHNICAL, [found(1, 0.5), found(2, 0.4), *pinned], pinned=pinned)

    assert taken == ["6 pinned", "5 pinned", "1 technical: docker", "2 technical: docker"]


def test_a_plan_without_pinned_leaves_them_out() -> None:
    taken, left = chosen(RecallPlan(rules=("x",)), [found(5, 0.5, pinned=True)], pinned=[found(5, 0.5, pinned=True)])

    assert taken == []
    assert left == {"5": "no_trigger"}


def test_a_question_without_topic_gets_the_heaviest_behind_the_pinned() -> None:
    plan = RecallPlan(rules=("recall",), reason="recall", heaviest_count=10, pinned=True)
    pinned = [entering(1, pinned=True)]

    taken, _ = chosen(plan, [], pinned=pinned, heaviest=[entering(1), entering(2), entering(3)])

    assert taken == ["1 pinned", "2 recall", "3 recall"]


def summary(summary_id: int, *, session: str = "now", trusted: bool = True) -> ShortTerm:
    return ShortTerm(
        summary_id, session, summary_id, f"whole {summary_id}", f"q {summary_id}", trusted, frozenset(), AT
    )


def short(
    summary_id: int, score: float, *, visible: bool = False, relevant: bool = True, **rest: bool | str
) -> FoundShort:
    evidence = Evidence(coverage=0.9 if relevant else 0.0)
    return FoundShort(summary(summary_id, **rest), ScoreParts(text=score), evidence, visible)  # type: ignore[arg-type]


def chosen_short(items: list[FoundShort], *, repeat_visible: bool = True) -> Selection:
    return select_short(TECHNICAL, items, session_id="now", repeat_visible=repeat_visible, embedding=EMBEDDING)


def test_summaries_of_rounds_that_the_model_sees_anyway_come_last() -> None:
    selection = chosen_short([short(1, 0.9, visible=True), short(2, 0.2), short(3, 0.3), short(4, 0.1)])

    assert [str(item.ref) for item in selection.chosen] == ["s3", "s2", "s4"]
    assert [(str(item.ref), item.reason) for item in selection.dropped] == [("s1", "over_limit")]


def test_visible_summaries_can_be_left_out_altogether() -> None:
    selection = chosen_short([short(1, 0.9, visible=True)], repeat_visible=False)

    assert [(str(item.ref), item.reason) for item in selection.dropped] == [("s1", "visible")]


def test_summaries_below_the_floor_stay_out() -> None:
    assert chosen_short([short(1, 0.9, relevant=False)]).chosen == ()


def test_only_the_question_of_an_untrusted_round_reaches_another_session() -> None:
    selection = chosen_short(
        [short(1, 0.9, session="then", trusted=False), short(2, 0.8, trusted=False), short(3, 0.7, session="then")]
    )

    assert [item.content for item in selection.chosen] == ["q 1", "whole 2", "whole 3"]


def test_what_the_turn_itself_has_taught_is_left_out_with_its_reason() -> None:
    item = Item(memory_ref(1), "memory 1", ScoreParts(), "recall")

    selection = leave_out(Selection((item,), ()), memory(1), "remembered")

    assert selection.chosen == ()
    assert [(each.ref.id, each.reason) for each in selection.dropped] == [(1, "remembered")]
