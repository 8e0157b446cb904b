"""A prompt is append-only up to the previous round, alternates strictly, and drops in steps."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.llm import ChatMessage
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.retrieval.prompt_assembly import (
    HISTORY_STEP,
    PromptParts,
    answered,
    assemble,
    fills_window,
    first_that_fits,
    fit,
    window,
)

AT = datetime(2026, 11, 20, tzinfo=UTC)


def a_round(number: int, answer: str | None = None) -> Round:
    return Round(
        id=number,
        session_id="s",
        number=number,
        attempt=1,
        user=f"question {number}",
        spans=(),
        assistant=f"answer {number}" if answer is None else answer,
        state=RoundState.DONE,
        at=AT,
    )


def numbered(numbers: Iterable[int]) -> list[Round]:
    return [a_round(number) for number in numbers]


def parts(count: int = 0, **changes: object) -> PromptParts:
    values: dict[str, object] = {
        "system": "be kind",
        "summary": "",
        "rounds": tuple(a_round(number) for number in range(1, count + 1)),
        "block": "[block]",
        "question": f"question {count + 1}",
    }
    return PromptParts(**{**values, **changes})  # type: ignore[arg-type]


def test_a_first_turn_is_system_and_one_user_message_with_the_block_before_the_text() -> None:
    assert assemble(parts()) == (
        ChatMessage("system", "be kind"),
        ChatMessage("user", "[block]\n\nquestion 1"),
    )


def test_without_system_prompt_there_is_no_system_message() -> None:
    assert [message.role for message in assemble(parts(1, system=""))] == ["user", "assistant", "user"]


def test_earlier_rounds_stand_without_their_memory_blocks() -> None:
    texts = [message.content for message in assemble(parts(2))]

    assert texts == ["be kind", "question 1", "answer 1", "question 2", "answer 2", "[block]\n\nquestion 3"]


def test_the_summary_stands_at_the_head_of_the_first_verbatim_user_message() -> None:
    texts = [message.content for message in assemble(parts(1, summary="earlier: …"))]

    assert texts[1] == "earlier: …\n\nquestion 1"
    assert texts[-1] == "[block]\n\nquestion 2"


def test_the_summary_comes_before_the_block_where_no_round_is_left() -> None:
    assert assemble(parts(0, summary="earlier"))[-1].content == "earlier\n\n[block]\n\nquestion 1"


def test_the_block_can_stand_behind_the_system_prompt() -> None:
    messages = assemble(parts(1, position="system"))

    assert messages[0] == ChatMessage("system", "be kind\n\n[block]")
    assert messages[-1].content == "question 2"


def test_the_block_is_the_system_message_where_there_is_no_other() -> None:
    assert assemble(parts(0, position="system", system=""))[0] == ChatMessage("system", "[block]")


@pytest.mark.parametrize("silent", ["", "   ", "\n"])
def test_a_round_without_an_answer_is_not_sent(silent: str) -> None:
    rounds = (a_round(1), a_round(2, silent), a_round(3))

    assert [each.number for each in answered(rounds)] == [1, 3]


@given(st.integers(0, 12), st.booleans())
def test_roles_alternate_strictly(count: int, with_summary: bool) -> None:
    roles = [message.role for message in assemble(parts(count, summary="s" if with_summary else ""))]

    assert roles == ["system", *["user", "assistant"] * count, "user"]


@given(st.integers(1, 20))
def test_the_prompt_is_append_only_up_to_the_previous_round(count: int) -> None:
    before = assemble(parts(count))
    after = assemble(parts(count + 1))

    assert after[: len(before) - 1] == before[:-1]


@pytest.mark.parametrize(
    ("count", "first"),
    [(0, 0), (1, 0), (99, 0), (100, 0), (101, 20), (119, 20), (120, 20), (121, 40), (200, 100), (201, 120)],
)
def test_rounds_beyond_the_window_go_twenty_at_a_time(count: int, first: int) -> None:
    found = window(numbered(range(1, count + 1)), 0, 100)

    assert [each.number for each in found.rounds] == list(range(first + 1, count + 1))
    assert found.left_out == first


@pytest.mark.parametrize(
    ("count", "most", "stay"),
    [
        (5, 0, []),
        (1, 0, []),
        (0, 0, []),
        (5, 1, [5]),
        (5, 3, [3, 4, 5]),
        (6, 3, [4, 5, 6]),
        (30, 10, list(range(21, 31))),
    ],
)
def test_a_small_window_moves_by_half_of_it(count: int, most: int, stay: list[int]) -> None:
    assert [each.number for each in window(numbered(range(1, count + 1)), 0, most).rounds] == stay


def test_the_window_moves_once_in_so_many_rounds() -> None:
    starts = [window(numbered(range(1, count + 1)), 0, 100).left_out for count in range(100, 300)]

    assert len(set(starts)) == 200 // HISTORY_STEP + 1


@given(st.sets(st.integers(1, 200)), st.integers(0, 60), st.integers(0, 50))
def test_the_latest_rounds_tell_the_same_window_as_all(numbers: set[int], after: int, most: int) -> None:
    all_of_them = numbered(sorted(numbers))
    whole = window(all_of_them, after, most)

    assert len(whole.rounds) <= most
    assert all(each.number > after + whole.left_out for each in whole.rounds)
    for count in range(len(all_of_them) + 1):
        latest = all_of_them[len(all_of_them) - count :]
        if fills_window(latest, most) or count == len(all_of_them):
            assert window(latest, after, most) == whole


@given(st.sets(st.integers(1, 200), min_size=1), st.integers(1, 50))
def test_a_window_only_ever_moves_forward(numbers: set[int], most: int) -> None:
    rounds = numbered(sorted(numbers))
    starts = [window(rounds[:count], 0, most).left_out for count in range(len(rounds) + 1)]

    assert starts == sorted(starts)


@given(st.lists(st.integers(1, 300), max_size=60), st.integers(0, 1000))
def test_what_stays_fits_the_room(costs: list[int], room: int) -> None:
    first = first_that_fits(costs, room)

    assert sum(costs[first:]) <= room or first == len(costs)


@given(st.lists(st.integers(1, 300), min_size=1, max_size=60), st.integers(300, 1000))
def test_the_start_only_ever_moves_forward(costs: list[int], room: int) -> None:
    starts = [first_that_fits(costs[:count], room) for count in range(len(costs) + 1)]

    assert starts == sorted(starts)


def test_the_start_stays_for_many_turns_between_two_trims() -> None:
    starts = [first_that_fits([10] * count, 1000) for count in range(1, 301)]

    assert len(set(starts)) <= 10


def characters(prompt: PromptParts) -> int:
    return sum(len(message.content) for message in assemble(prompt))


def left_of(prompt: PromptParts) -> tuple[int, bool, bool, bool]:
    """Rounds, summary, block, system prompt: what is left of each."""
    return len(prompt.rounds), bool(prompt.summary), bool(prompt.block), bool(prompt.system)


def test_what_does_not_fit_goes_in_its_order_and_the_question_never() -> None:
    whole = parts(3, summary="so far: this")
    seen = [left_of(fit(whole, room, room, characters)) for room in range(characters(whole), -1, -1)]

    assert list(dict.fromkeys(seen)) == [
        (3, True, True, True),
        (2, True, True, True),
        (1, True, True, True),
        (0, True, True, True),
        (0, False, True, True),
        (0, False, False, True),
        (0, False, False, False),
    ]
    assert fit(whole, 0, 0, characters).question == whole.question


def test_the_system_prompt_goes_only_where_the_limit_itself_is_too_small() -> None:
    whole = parts(3, summary="so far: this")

    assert left_of(fit(whole, 0, 1000, characters)) == (0, False, False, True)


WEIGHS = {"system": 40, "summary": 30, "block": 20, "question": 5}


def weight(prompt: PromptParts) -> int:
    """A round weighs 10, a part what the table says."""
    return 10 * len(prompt.rounds) + sum(tokens for name, tokens in WEIGHS.items() if getattr(prompt, name))


@pytest.mark.parametrize(
    ("room", "limit", "rounds", "left"),
    [
        (125, 200, [1, 2, 3], {"system", "summary", "block"}),  # all of it
        (124, 200, [2, 3], {"system", "summary", "block"}),  # the oldest round goes first
        (105, 200, [3], {"system", "summary", "block"}),
        (95, 200, [], {"system", "summary", "block"}),
        (94, 200, [], {"system", "block"}),  # then the summary
        (64, 200, [], {"system"}),  # then memory
        (44, 45, [], {"system"}),  # the room is short of an answer, the system prompt fits all the same
        (44, 44, [], set()),
        (0, 0, [], set()),  # the question stays
    ],
)
def test_a_prompt_is_fitted_from_its_oldest_round_to_its_question(
    room: int, limit: int, rounds: list[int], left: set[str]
) -> None:
    fitted = fit(parts(3, summary="so far"), room, limit, weight)

    assert [each.number for each in fitted.rounds] == rounds
    assert {name for name in ("system", "summary", "block") if getattr(fitted, name)} == left
    assert fitted.question == "question 4"
