"""What cleaning makes of memories."""

from __future__ import annotations

from collections.abc import Sequence

from fakes.memories import memory
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.memories import MEMORIES, Memory, State
from orca_core.rules.memory.memory_upkeep import ARCHIVED_FOR_WEIGHT, tidy

THRESHOLD, CEILING = 0.3, 10.0


def cleaned(memories: Sequence[Memory], sunk: Sequence[int] | None = None) -> dict[int, dict[str, object]]:
    wanted = tidy(sunk if sunk is not None else [each.id for each in memories], THRESHOLD, CEILING)(memories)
    return {number: dict(fields) for number, fields in wanted.items()}


def test_what_sank_below_the_threshold_is_archived_for_its_weight() -> None:
    light, just, pinned, waiting = (
        memory(id=1, content="a", weight=0.29),
        memory(id=2, content="b", weight=0.3),
        memory(id=3, content="c", weight=0.1, pinned=True),
        memory(id=4, content="d", weight=0.1, state=State.CANDIDATE),
    )

    assert cleaned([light, just, pinned, waiting]) == {1: dict(ARCHIVED_FOR_WEIGHT)}
    assert cleaned([light], sunk=[]) == {}


def test_what_says_just_the_same_is_one_with_all_that_both_had() -> None:
    one = memory(id=1, content="tea", weight=2.0, seen=2, confidence=0.6, tags=("a",))
    other = memory(id=2, content="Tea.", weight=1.0, seen=3, confidence=0.9, tags=("b",))

    wanted = cleaned([one, other])

    assert wanted[1] == {
        "tags": ["a", "b"],
        "confidence": 0.9,
        "weight": 2.0,
        "seen": 5,
    }
    gone = MEMORIES.changed(other, wanted[2])
    assert (gone.state, gone.superseded_by) == (State.ARCHIVED, 1)


def test_a_light_one_that_is_merged_is_not_archived_for_its_weight() -> None:
    wanted = cleaned([memory(id=1, content="tea", weight=0.1), memory(id=2, content="Tea", weight=3.0)])

    assert wanted[1]["superseded_by"] == 2
    assert "state" not in wanted[2]


def test_a_pinned_one_stays_as_it_is() -> None:
    pinned, other = memory(id=1, content="tea", pinned=True), memory(id=2, content="Tea", weight=9.0, tags=("x",))

    wanted = cleaned([pinned, other])

    assert wanted[1] == {}
    assert wanted[2]["superseded_by"] == 1


@given(
    st.lists(
        st.builds(
            memory,
            id=st.integers(1, 99),
            content=st.sampled_from(["tea", "Tea", "tea.", "coffee", "cake"]),
            weight=st.floats(0, 12),
            pinned=st.booleans(),
            state=st.sampled_from(list(State)),
        ),
        unique_by=lambda each: each.id,
    )
)
def test_cleaned_twice_is_cleaned_once_and_nothing_pinned_goes(memories: list[Memory]) -> None:
    wanted = cleaned(memories)
    after = [MEMORIES.changed(each, wanted.get(each.id, {})) for each in memories]

    assert [each for each in after if each.pinned] == [each for each in memories if each.pinned]
    assert all(each.weight >= THRESHOLD for each in after if each.state is State.LIVE and not each.pinned)
    assert {number: fields for number, fields in cleaned(after).items() if fields} == {}
    assert all(each.weight >= before.weight for each, before in zip(after, memories, strict=True))
