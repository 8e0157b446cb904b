"""Which candidates are shown and which are marked, as values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from fakes.memories import memory
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.memories import ImportSource, InboxItem, MemoryType, Origin
from orca_core.model.record_types import EPISODE, MEMORY, Ref
from orca_tui.app.records.inbox_list import LOOKED_AT, Narrowing, Triage, chat_of

AT = datetime(2026, 11, 20, tzinfo=UTC)


def waits(number: int, text: str, *, chat: str = "", program: str = "", tags: tuple[str, ...] = ()) -> InboxItem:
    elsewhere = ImportSource(program, chat)
    record = memory(id=number, content=text, tags=tags, elsewhere=elsewhere, type=MemoryType.FACT)
    return InboxItem(Ref(MEMORY, number), text, AT, "imported", "imported", Origin(), record)


TOLD = (
    waits(1, "用户喜欢喝乌龙茶", chat="旅行计划", program="chatgpt", tags=("茶",)),
    waits(2, "The user runs Postgres", chat="Servers", program="claude"),
    waits(3, "The user has a postgres backup", chat="Servers", program="claude", tags=("db", "茶")),
    InboxItem(Ref(EPISODE, 1), "deploy: it broke", AT, None, None, Origin(), object()),
)


@pytest.mark.parametrize(
    ("narrowing", "shown"),
    [
        (Narrowing(), [0, 1, 2, 3]),
        (Narrowing(text="postgres"), [1, 2]),
        (Narrowing(text="pstg backup"), [2]),
        (Narrowing(text="乌龙"), [0]),
        (Narrowing(text="#茶"), [0, 2]),
        (Narrowing(text="#茶 #db"), [2]),
        (Narrowing(text="#茶 user"), [2]),
        (Narrowing(text="#"), [0, 1, 2, 3]),
        (Narrowing(type="fact"), [0, 1, 2]),
        (Narrowing(type="episode"), [3]),
        (Narrowing(program="claude"), [1, 2]),
        (Narrowing(chat="Servers", text="backup"), [2]),
        (Narrowing(chat="Servers", program="chatgpt"), []),
    ],
)
def test_what_is_shown_meets_all_that_narrows(narrowing: Narrowing, shown: list[int]) -> None:
    triage = Triage(TOLD)
    triage.narrow(narrowing)
    assert list(triage.shown) == [TOLD[number] for number in shown]


def test_a_memory_and_an_episode_of_one_number_are_marked_apart() -> None:
    triage = Triage(TOLD)
    triage.toggle(TOLD[3])
    assert triage.marked == (TOLD[3],)
    assert not triage.is_marked(TOLD[0])


def renewed(shown: Triage, candidates: Sequence[InboxItem], *, more_come: bool = False) -> Triage:
    fresh = Triage(candidates, more_come=more_come)
    fresh.follow(shown)
    return fresh


def test_a_list_read_anew_keeps_its_filter_and_the_marks_that_are_left() -> None:
    triage = Triage(TOLD)
    triage.mark_shown()
    triage.narrow(Narrowing(text="postgres"))
    fresh = renewed(triage, TOLD[1:3])
    assert fresh.marked == TOLD[1:3]
    assert fresh.shown == TOLD[1:3]
    assert fresh.narrowing == Narrowing(text="postgres")


def test_what_comes_later_is_narrowed_and_marked_as_what_came_before() -> None:
    triage = Triage(TOLD)
    triage.mark_shown()
    triage.narrow(Narrowing(text="postgres"))
    fresh = renewed(triage, (), more_come=True)
    fresh.take(TOLD[:2], more_come=True)
    assert (fresh.shown, fresh.marked, fresh.is_whole) == (TOLD[1:2], TOLD[:2], False)
    fresh.take(TOLD[2:3], more_come=False)
    assert (fresh.shown, fresh.marked, fresh.is_whole) == (TOLD[1:3], TOLD[:3], True)


@pytest.mark.parametrize(
    "unmark",
    [
        lambda triage: triage.clear_marks(),
        lambda triage: [triage.toggle(each) for each in triage.marked],
        lambda triage: triage.drop([each.ref for each in triage.marked], 0),
    ],
)
def test_a_mark_that_was_taken_away_does_not_come_back(unmark: Callable[[Triage], object]) -> None:
    triage = Triage(TOLD)
    triage.toggle(TOLD[0])
    triage.toggle(TOLD[3])
    fresh = renewed(triage, TOLD)
    unmark(fresh)
    assert renewed(fresh, TOLD).marked == ()


def test_what_was_decided_of_is_brought_by_no_page() -> None:
    triage = Triage(TOLD[:1], more_come=True)
    triage.drop([TOLD[0].ref, TOLD[1].ref], 0)
    triage.take(TOLD, more_come=False)
    assert triage.shown == TOLD[2:]
    assert triage.count == 2


def test_many_are_looked_at_in_slices_in_their_order() -> None:
    told = [waits(number, f"note {number % 10}") for number in range(3 * LOOKED_AT)]
    triage = Triage(told)
    triage.narrow(Narrowing(text="note 7"))
    wanted = [each for each in told if each.text == "note 7"]
    assert list(triage.shown) == wanted[: LOOKED_AT // 10]
    assert not triage.is_looked_at
    triage.drop([told[7].ref, told[-3].ref], 0)
    triage.take([waits(9 * LOOKED_AT, "note 7")], more_come=False)
    while not triage.is_looked_at:
        triage.look_on()
    assert [each.ref.id for each in triage.shown] == [*(each.ref.id for each in wanted[1:-1]), 9 * LOOKED_AT]


def test_chats_are_listed_by_how_many_came_from_them() -> None:
    assert Triage(TOLD).chats() == [("Servers", 2), ("旅行计划", 1)]
    assert chat_of(TOLD[3]) == ""


@given(
    gone=st.sets(st.integers(0, 9)),
    at=st.integers(0, 9),
    marked=st.sets(st.integers(0, 9)),
)
def test_the_cursor_stays_on_its_candidate_or_goes_to_the_next_that_is_left(
    gone: set[int], at: int, marked: set[int]
) -> None:
    told = [waits(number, f"note {number}") for number in range(10)]
    triage = Triage(told)
    for number in sorted(marked):
        triage.toggle(told[number])
    row = triage.drop([told[number].ref for number in gone], at)
    left = [number for number in range(10) if number not in gone]
    assert [each.ref.id for each in triage.shown] == left
    assert {each.ref.id for each in triage.marked} == marked - gone
    if left:
        wanted = next((number for number in left if number >= at), left[-1])
        assert triage.shown[row].ref.id == wanted
