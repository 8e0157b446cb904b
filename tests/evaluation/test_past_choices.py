"""What another plan chooses of what a receipt names."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from orca_core.evaluation.past_choices import Choice, chosen, merged
from orca_core.model.recall import Injection, Item, Level, Receipt, References, ScoreParts
from orca_core.model.record_types import EPISODE, GUIDE, Ref, memory_ref, summary_ref
from orca_core.rules.retrieval.recall_plan import RecallPlan, plan
from orca_core.settings import InjectSettings, LongTermSettings, MemorySettings

TECHNICAL = "technical: docker, 报错, connection refused"
AT = datetime(2026, 11, 20, tzinfo=UTC)
TEXTS = ("docker 报错 connection refused", "周末去成都附近哪里爬山好", "你知道我用什么编辑器吗", "你记得我什么", "what do you know about our stack?", "好的")  # fmt: skip
REASONS = ("pinned", "standing", "perhaps", "near", "recall", "technical: docker", "over_limit", "no_trigger", "far_behind", "below_floor", "budget", "older_of_a_pair", "remembered")  # fmt: skip


def item(ref: Ref, reason: str, score: float = 1.0, *, pinned: bool = False) -> Item:
    return Item(ref, f"text of {ref}", ScoreParts(text=score), reason, "fact", AT, pinned)


def planned(text: str, memory: MemorySettings | None = None, *, first_round: bool = False) -> RecallPlan:
    return plan(text, first_round=first_round, level=Level.FULL, memory=memory or MemorySettings())


def receipt(injected: list[Item], dropped: list[Item]) -> Receipt:
    return Receipt("s", 1, Injection(Level.FULL, (), tuple(injected), tuple(dropped)), References())


def refs(choice: Choice) -> list[str]:
    return [str(each.ref) for each in choice.items]


def memories(*numbers: int, reason: str, pinned: bool = False) -> list[Item]:
    return [item(memory_ref(number), reason, 10.0 - number, pinned=pinned) for number in numbers]


def test_the_heaviest_stay_the_heaviest_and_tell_nothing_of_their_nearness() -> None:
    heaviest = receipt([*memories(1, reason="pinned", pinned=True), *memories(2, 3, reason="recall")], [])
    carried_out = planned("你记得我什么")

    same = chosen(heaviest, carried_out, carried_out, repeat_visible=True)
    other = chosen(heaviest, carried_out, planned(TEXTS[0]), repeat_visible=True)

    assert (refs(same), same.is_open) == (["m1", "m2", "m3"], False)
    assert (refs(other), other.is_open) == (["m1"], True)


def test_a_guide_stays_and_tells_nothing_of_a_search() -> None:
    guides = receipt([item(Ref(GUIDE, 1), "tool", 0.0)], [item(Ref(GUIDE, 2), "budget", 0.0)])
    first = planned("web_search?", first_round=True)

    choice = chosen(guides, first, planned("web_search?"), repeat_visible=True)

    assert (refs(choice), choice.is_open) == (["g1", "g2"], True)
    assert choice.guessed == {Ref(GUIDE, 2)}


def test_episodes_come_up_to_the_count_of_the_plan() -> None:
    told = receipt(
        [item(Ref(EPISODE, 1), TECHNICAL)], [item(Ref(EPISODE, 2), "over_limit"), item(Ref(EPISODE, 3), "below_floor")]
    )
    one, two, none = (planned(TEXTS[0], MemorySettings(inject=InjectSettings(episodes=count))) for count in (1, 2, 0))

    def then(wanted: RecallPlan, carried_out: RecallPlan = one) -> tuple[list[str], bool]:
        choice = chosen(told, carried_out, wanted, repeat_visible=True)
        return [name for name in refs(choice) if name.startswith("e")], choice.is_open

    assert then(one) == (["e1"], False)
    assert then(two) == (["e1", "e2"], False)
    assert then(none) == ([], False)
    assert then(one, none)[1]
    assert then(planned("what did we do about docker last time?"))[1]


def test_summaries_over_the_limit_come_in_their_order_and_visible_ones_last() -> None:
    injected = [item(summary_ref(1), "short_term"), item(summary_ref(2), "visible")]
    told = receipt(injected, [item(summary_ref(3), "over_limit"), item(summary_ref(4), "below_floor")])
    carried_out = planned(TEXTS[1], MemorySettings(inject=InjectSettings(short_term_count=2)))

    more = chosen(told, carried_out, planned(TEXTS[1]), repeat_visible=True)
    none_twice = chosen(told, carried_out, planned(TEXTS[1]), repeat_visible=False)

    assert [(str(each.ref), each.reason) for each in more.items] == [
        ("s1", "short_term"),
        ("s2", "visible"),
        ("s3", "visible"),
    ]
    assert refs(none_twice) == ["s1"]


def test_a_summary_over_budget_comes_after_those_that_found_room() -> None:
    """Its receipt does not tell whether its round stood in the prompt: by another order another one would fit."""
    injected = [item(summary_ref(1), "visible"), item(summary_ref(2), "visible")]
    told = receipt(injected, [item(summary_ref(3), "budget")])
    few = MemorySettings(inject=InjectSettings(short_term_count=2))
    carried_out = planned(TEXTS[1])

    same = chosen(told, carried_out, carried_out, repeat_visible=True)
    fewer = chosen(told, carried_out, planned(TEXTS[1], few), repeat_visible=True)
    none_twice = chosen(told, carried_out, carried_out, repeat_visible=False)

    assert [(str(each.ref), each.reason) for each in same.items] == [(f"s{n}", "visible") for n in (1, 2, 3)]
    assert (same.is_open, fewer.is_open, none_twice.is_open) == (False, True, True)


def test_where_what_is_pinned_answered_the_question_nothing_is_guessed() -> None:
    pinned = memories(1, reason="pinned", pinned=True)
    asked, unasked = planned(TEXTS[2]), planned(TEXTS[1])

    answered = receipt(pinned, memories(2, 3, reason="below_floor"))
    guessed = receipt([*pinned, *memories(2, reason="perhaps")], memories(3, reason="below_floor"))

    assert refs(chosen(answered, asked, asked, repeat_visible=True)) == ["m1"]
    assert refs(chosen(guessed, asked, asked, repeat_visible=True))[:2] == ["m1", "m2"]
    assert chosen(answered, unasked, asked, repeat_visible=True).is_open


SCORED = st.lists(st.floats(0, 1), max_size=6).map(lambda scores: sorted(scores, reverse=True))


@given(SCORED, SCORED)
def test_two_lists_that_are_best_first_are_so_together(first: list[float], second: list[float]) -> None:
    lists = [
        [item(memory_ref(10 * of + place), "near", score) for place, score in enumerate(scores)]
        for of, scores in enumerate((first, second))
    ]

    both = merged(*lists)

    assert [each.score for each in both] == sorted([*first, *second], reverse=True)
    assert [[each for each in both if each in one] for one in lists] == lists


ITEMS = st.lists(
    st.tuples(st.integers(1, 30), st.sampled_from(REASONS), st.booleans()), unique_by=lambda row: row[0], max_size=12
)
SETTINGS = st.builds(
    MemorySettings,
    inject=st.builds(
        InjectSettings,
        short_term_count=st.integers(0, 4),
        long_term_trigger=st.sampled_from(["technical", "always", "never"]),
        recall_trigger=st.booleans(),
        pinned_first=st.booleans(),
        first_round_empty=st.booleans(),
    ),
    long_term=st.builds(LongTermSettings, max_return=st.integers(0, 5)),
)


@given(ITEMS, st.integers(0, 12), st.sampled_from(TEXTS), SETTINGS, SETTINGS, st.booleans())
def test_nothing_is_chosen_twice_or_made_up_and_no_more_than_there_are_slots(
    rows: list[tuple[int, str, bool]], cut: int, text: str, before: MemorySettings, after: MemorySettings, first: bool
) -> None:
    items = [item(memory_ref(number), reason, 1 / number, pinned=pinned) for number, reason, pinned in rows]
    told = receipt(items[:cut], items[cut:])
    gone = {each.ref for each in items[:1]}
    wanted = planned(text, after, first_round=first)

    choice = chosen(told, planned(text, before, first_round=first), wanted, repeat_visible=True, gone=gone)

    taken = [each.ref for each in choice.items]
    assert len(set(taken)) == len(taken)
    assert set(taken) <= {each.ref for each in items} - gone
    near = [each for each in choice.items if not each.pinned]
    assert len(near) <= max(wanted.long_count, 3 if wanted.is_asked else 0) + wanted.heaviest_count
