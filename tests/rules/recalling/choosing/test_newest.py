"""Of memories that give one thing two values only one stands before the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from fakes.memories import memory
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.pairs import ListedPair, Side
from orca_core.domain.recall import ScoreParts
from orca_core.rules.recalling.choosing.injection import RecallPlan
from orca_core.rules.recalling.choosing.newest import (
    Outdone,
    counts_for,
    in_their_place,
    kept,
    left_out,
    named,
    outdone,
    to_ask,
)
from orca_core.rules.recalling.choosing.ordering import by_score, with_places_changed
from orca_core.rules.recalling.choosing.ranking import Found, Selection, select_long
from orca_core.rules.recalling.finding.evidence import Embedding, Evidence

AT = datetime(2026, 11, 1, tzinfo=UTC)
EMBEDDING = Embedding(trust=1.0, noise=0.3)
PLAN = RecallPlan(rules=("recall",), reason="recall", long_count=2, standing=True, pinned=True)


def found(memory_id: int, score: float = 0.5, *, relevant: bool = True, pinned: bool = False) -> Found:
    evidence = Evidence(mass=9.0 if relevant else 0.1)
    return Found(memory(id=memory_id, content=f"memory {memory_id}", pinned=pinned), ScoreParts(text=score), evidence)


def pair(newer: int, older: int, pinned: Sequence[int] = (), *, kept: bool = False) -> ListedPair:
    return ListedPair(Side(newer, newer in pinned), Side(older, older in pinned), AT, kept)


def in_turn(pairs: Sequence[ListedPair]) -> list[ListedPair]:
    """These pairs, the first of them listed last."""
    return [replace(each, listed_at=AT - timedelta(minutes=at)) for at, each in enumerate(pairs)]


def outdone_among(pairs: Sequence[ListedPair]) -> Mapping[int, Outdone]:
    sides = {each.id: each for pair in pairs for each in (pair.newer, pair.older)}
    memories = {key: memory(id=key, content=f"memory {key}", pinned=each.pinned) for key, each in sides.items()}
    return named(outdone(in_turn(pairs), sides.keys()), memories)


def selected(pairs: Sequence[ListedPair], near: Sequence[Found], pinned: Sequence[Found] = ()) -> Selection:
    given_way = outdone_among(pairs)
    own = own_of(given_way, near)
    selection = select_long(
        PLAN,
        in_their_place(near, given_way, own, EMBEDDING),
        pinned=in_their_place(pinned, given_way, own, EMBEDDING),
        standing=[],
        heaviest=[],
        embedding=EMBEDDING,
    )
    return left_out(selection, near, pinned, given_way, EMBEDDING)


def own_of(given_way: Mapping[int, Outdone], near: Sequence[Found]) -> dict[int, Found]:
    """Those that count, as they were found, or with nothing but their age."""
    known = {each.memory.id: each for each in near}
    counting = {one.by.id: one.by for one in given_way.values()}
    return {key: known.get(key) or Found(by, ScoreParts(recency=0.05)) for key, by in counting.items()}


def shown(selection: Selection) -> tuple[list[int], dict[int, str]]:
    return [item.ref.id for item in selection.chosen], {item.ref.id: item.reason for item in selection.dropped}


def test_the_newer_is_injected_and_the_older_left_out() -> None:
    assert shown(selected([pair(2, 1)], [found(1, 0.9), found(2, 0.4)])) == ([2], {1: "older_of_a_pair"})


def test_the_number_does_not_say_which_is_newer() -> None:
    assert shown(selected([pair(1, 2)], [found(1), found(2)])) == ([1], {2: "older_of_a_pair"})


def test_the_newer_stands_in_where_only_the_older_was_found() -> None:
    assert shown(selected([pair(2, 1)], [found(1, 0.9)])) == ([2], {1: "older_of_a_pair"})


def test_the_newer_stands_in_where_only_the_older_was_near_enough() -> None:
    near = [found(1, 0.3), found(2, 0.9, relevant=False)]
    assert shown(selected([pair(2, 1)], near)) == ([2], {1: "older_of_a_pair"})


def test_what_stands_in_shows_its_own_score_and_has_the_place_of_the_older() -> None:
    near = [found(1, 0.9), found(3, 0.6), found(2, 0.4)]
    given_way = outdone_among([pair(2, 1), pair(4, 3)])

    in_place = by_score(in_their_place(near, given_way, own_of(given_way, near), EMBEDDING))

    shown_scores = [(each.memory.id, each.parts) for each in in_place]
    assert shown_scores == [(2, ScoreParts(text=0.4)), (4, ScoreParts(recency=0.05))]


def test_in_a_list_the_one_that_counts_stands_in_the_better_place_and_nothing_is_left_out() -> None:
    listed = [found(1), found(5), found(2, pinned=True), found(3), found(4)]
    given_way = outdone_among([pair(3, 1), pair(4, 2, pinned=[2])])

    ordered = with_places_changed(listed, counts_for(given_way))

    assert [each.memory.id for each in ordered] == [3, 5, 2, 1, 4]


def test_of_which_pairs_both_are_kept() -> None:
    assert kept([pair(2, 1), pair(4, 3, kept=True)]) == {frozenset((3, 4))}


def test_of_a_chain_only_the_newest_counts() -> None:
    near = [found(1), found(2), found(3)]
    assert shown(selected([pair(3, 2), pair(2, 1)], near))[0] == [3]
    assert shown(selected([pair(3, 2), pair(3, 1), pair(2, 1)], near))[0] == [3]


def test_the_slot_of_the_older_goes_to_another() -> None:
    near = [found(1, 0.9), found(2, 0.8), found(3, 0.7), found(4, 0.6)]
    assert shown(selected([pair(2, 1)], near)) == ([2, 3], {1: "older_of_a_pair", 4: "over_limit"})


def test_what_was_not_asked_for_says_so() -> None:
    near = [found(1, relevant=False), found(2, relevant=False)]
    assert shown(selected([pair(2, 1)], near)) == ([], {2: "below_floor", 1: "below_floor"})


def test_a_pinned_memory_counts_against_a_newer_one_that_is_not() -> None:
    pinned = [found(1, pinned=True)]
    near = [found(1, pinned=True), found(2)]
    assert shown(selected([pair(2, 1, pinned=[1])], near, pinned)) == ([1], {2: "contradicts_pinned"})


def test_of_two_pinned_memories_the_newer_counts() -> None:
    both = [found(1, pinned=True), found(2, pinned=True)]
    assert shown(selected([pair(2, 1, pinned=[1, 2])], both, both)) == ([2], {1: "older_of_a_pair"})


def test_where_values_went_round_the_pair_listed_last_counts() -> None:
    near = [found(1), found(2), found(3)]
    assert shown(selected([pair(1, 3), pair(3, 2), pair(2, 1)], near))[0] == [1]


def test_what_a_person_keeps_does_not_give_way_through_a_third() -> None:
    near = [found(1), found(2), found(3)]
    pairs = [pair(3, 2), pair(3, 1, kept=True), pair(2, 1)]
    assert shown(selected(pairs, near)) == ([1, 3], {2: "older_of_a_pair"})


def test_what_a_person_keeps_gives_way_to_what_is_newer_than_both() -> None:
    pairs = [pair(4, 3), pair(4, 1), pair(3, 2), pair(3, 1, kept=True), pair(2, 1)]
    assert shown(selected(pairs, [found(each) for each in (1, 2, 3, 4)]))[0] == [4]


NUMBERS = st.integers(1, 7)
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS).filter(lambda each: each[0] != each[1]), max_size=12)


def pairs_of(listed: list[tuple[int, int]], kept: list[tuple[int, int]], pins: set[int]) -> list[ListedPair]:
    open_ones = {frozenset(each): each for each in listed}
    settled = {frozenset(each): each for each in kept if frozenset(each) not in open_ones}
    pairs = [pair(newer, older, sorted(pins)) for newer, older in open_ones.values()]
    return pairs + [pair(newer, older, sorted(pins), kept=True) for newer, older in settled.values()]


@given(PAIRS, PAIRS, st.sets(NUMBERS), st.sets(NUMBERS, min_size=1))
def test_never_both_of_a_pair_and_never_neither(
    listed: list[tuple[int, int]], kept: list[tuple[int, int]], pins: set[int], asked: set[int]
) -> None:
    pairs = pairs_of(listed, kept, pins)
    listed = [(each.newer.id, each.older.id) for each in pairs if not each.is_settled]
    given_way = outdone_among(pairs)
    near = [found(each) for each in sorted(asked)]
    stay = {each.memory.id for each in in_their_place(near, given_way, own_of(given_way, near), EMBEDDING)}

    assert all(newer in given_way or older in given_way for newer, older in listed)
    assert all(outdone_by.by.id not in given_way for outdone_by in given_way.values())
    assert not any({newer, older} <= stay for newer, older in listed)
    assert stay == {given_way[each].by.id if each in given_way else each for each in asked}


@given(PAIRS, PAIRS, st.sets(NUMBERS), st.sets(NUMBERS, min_size=1))
def test_who_follows_what_gives_way_need_not_know_all_pairs(
    listed: list[tuple[int, int]], kept: list[tuple[int, int]], pins: set[int], of: set[int]
) -> None:
    pairs = in_turn(pairs_of(listed, kept, pins))
    asked, more, known = set(), of, []
    while more:
        asked |= more
        known = [each for each in pairs if asked & {each.newer.id, each.older.id}]
        more = to_ask(known, asked)

    found, of_all = outdone(known, asked), outdone(pairs, set(range(1, 8)))
    assert {each: found[each] for each in of if each in found} == {each: of_all[each] for each in of if each in of_all}


def test_what_many_give_way_to_is_not_followed_to_what_it_outdid() -> None:
    chain = [pair(number + 1, number) for number in range(1, 100)]
    assert to_ask([pair(51, 50), pair(50, 49)], {50}) == {51}
    assert to_ask(chain[49:51], {50, 51}) == {52}
    assert to_ask([pair(100, 99)], {100}) == set()
