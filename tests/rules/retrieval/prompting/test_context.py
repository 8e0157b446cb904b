"""How long a prompt may be, and what is tried after a refusal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.llm import ContextLimit
from orca_core.rules.retrieval.prompt_assembly import (
    MAX_REFITS,
    TRUSTED_FOR,
    context_tokens,
    counted_ratio,
    prompt_room,
    room_after,
)

NOW = datetime(2026, 11, 20, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("configured", "learnt", "takes"),
    [
        (64_000, None, 64_000),
        (64_000, ContextLimit(4096, 64_000, NOW - MINUTE), 4096),
        (2048, ContextLimit(4096, 2048, NOW), 2048),  # the configuration is an upper bound
        (64_000, ContextLimit(4096, 8000, NOW), 64_000),  # set anew since: the user knows better
        (64_000, ContextLimit(4096, 64_000, NOW - TRUSTED_FOR + MINUTE), 4096),
        (64_000, ContextLimit(4096, 64_000, NOW - TRUSTED_FOR - MINUTE), 64_000),
        (64_000, ContextLimit(4096, 64_000, NOW + TRUSTED_FOR + MINUTE), 64_000),  # the clock was wrong
    ],
)
def test_what_was_learnt_bounds_what_is_configured(configured: int, learnt: ContextLimit | None, takes: int) -> None:
    assert context_tokens(configured, learnt, NOW) == takes


@pytest.mark.parametrize(
    ("context", "answer", "left"), [(64_000, 0, 59_904), (4096, 0, 3072), (4096, 2000, 2096), (512, 1000, -488)]
)
def test_an_answer_has_its_place(context: int, answer: int, left: int) -> None:
    assert prompt_room(context, answer) == left


@pytest.mark.parametrize(
    ("estimated", "ratio", "limit", "counted", "expected"),
    [
        (1000, None, None, None, None),
        (1000, 1.2, None, None, 1.2),
        (1000, 1.2, 4096, 1500, 1.5),
        (1000, None, 2000, None, 2.0),  # it is at least the limit
        (4000, 1.2, 2000, None, 1.2),
        (4000, None, 2000, None, 1.0),
        (0, 1.2, 2000, 5, 1.2),
    ],
)
def test_a_refusal_tells_how_the_model_counts(
    estimated: int, ratio: float | None, limit: int | None, counted: int | None, expected: float | None
) -> None:
    assert counted_ratio(estimated, ratio, limit, counted) == expected


@pytest.mark.parametrize(
    ("refits", "sent", "rounds", "extra", "limit", "expected"),
    [
        (0, 9000, 6000, 500, 4096, 3072),  # what fits
        (0, 2000, 1000, 500, 4096, 1999),  # the rules count less than the server does
        (1, 3000, 2000, 500, 4096, 2000),  # it was not enough: half of the rounds
        (0, 9000, 6000, 500, None, 6000),
        (1, 6000, 3000, 500, None, 4500),
        (2, 4500, 1500, 500, None, 3000),  # no rounds
        (3, 3000, 0, 500, None, 2500),  # neither summary nor memory
        (0, 3000, 0, 500, None, 2500),  # there are no rounds to begin with
        (0, 2500, 0, 0, None, 0),  # the question alone
        (MAX_REFITS - 1, 9000, 6000, 500, 4096, 0),
    ],
)
def test_less_is_sent_from_refusal_to_refusal(
    refits: int, sent: int, rounds: int, extra: int, limit: int | None, expected: int
) -> None:
    assert room_after(refits, sent, rounds, extra, limit) == expected


@given(
    st.integers(0, MAX_REFITS),
    st.integers(1, 9000),
    st.integers(0, 9000),
    st.integers(0, 900),
    st.none() | st.integers(256, 9999),
)
def test_what_may_be_sent_is_always_less_than_what_was_refused(
    refits: int, question: int, rounds: int, extra: int, limit: int | None
) -> None:
    sent = question + rounds + extra

    assert room_after(refits, sent, rounds, extra, limit) < sent
