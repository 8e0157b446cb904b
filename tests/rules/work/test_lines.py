"""What of episodes and knowledge is put before the model."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.tasks import Outcome
from orca_core.rules.text import token_count
from orca_core.rules.work.prompt_texts import EPISODE_TOKENS, KNOWLEDGE_TOKENS, episode_line, knowledge_line

AT = datetime(2026, 3, 12, 9, 0, tzinfo=UTC)
NGINX = Episode(
    1, "u", "found by this", "nginx answers 502 after the deploy", AT, AT, AT,
    steps=("read the error log", "raised proxy_read_timeout to 120 s"), outcome=Outcome.SUCCESS,
)  # fmt: skip
TIMEOUTS = Knowledge(1, "u", "found by this", "502 of nginx", "Look at the upstream first.", AT, AT)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {},
            "worked: nginx answers 502 after the deploy → read the error log; raised proxy_read_timeout to 120 s "
            "(2026-03-12)",
        ),
        ({"steps": (), "outcome": Outcome.UNKNOWN}, "outcome unknown: nginx answers 502 after the deploy (2026-03-12)"),
        (
            {"steps": (), "outcome_summary": "it came back\nby itself", "outcome": Outcome.PARTIAL},
            "partly worked: nginx answers 502 after the deploy → it came back by itself (2026-03-12)",
        ),
        (
            {"trigger_summary": "nginx 一直返回 502", "steps": ("看错误日志", "调大超时"), "outcome": Outcome.FAILED},
            "失败：nginx 一直返回 502 → 看错误日志；调大超时 (2026-03-12)",
        ),
    ],
)
def test_the_line_of_an_episode(changes: dict[str, object], line: str) -> None:
    assert episode_line(replace(NGINX, **changes)) == line  # type: ignore[arg-type]


def test_of_many_steps_the_last_ones_are_told() -> None:
    steps = tuple(f"looked at every one of the log files number {number}" for number in range(9))
    line = episode_line(replace(NGINX, steps=(*steps, "raised the timeout")))
    assert "→ …; looked at every one" in line
    assert line.endswith("; raised the timeout (2026-03-12)")
    assert token_count.estimate(line) <= EPISODE_TOKENS


def test_a_long_trigger_leaves_room_for_what_was_done() -> None:
    line = episode_line(replace(NGINX, trigger_summary="the gateway answers slowly " * 20, steps=("did it " * 40,)))
    assert line.startswith("worked: the gateway answers")
    assert "… → did it did it" in line
    assert line.endswith("… (2026-03-12)")
    assert token_count.estimate(line) <= EPISODE_TOKENS


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "502 of nginx: Look at the upstream first."),
        ({"key_points": ("upstream first", "then timeouts")}, "502 of nginx: upstream first; then timeouts"),
        ({"topic": "nginx 的 502", "key_points": ("先看上游", "再看超时")}, "nginx 的 502：先看上游；再看超时"),
        ({"content": ""}, "502 of nginx"),
    ],
)
def test_the_line_of_knowledge(changes: dict[str, object], line: str) -> None:
    assert knowledge_line(replace(TIMEOUTS, **changes)) == line  # type: ignore[arg-type]


texts = st.text(st.sampled_from("ab的 超.;：5\n-"), max_size=300)


@given(texts, st.lists(texts, max_size=6), texts, st.sampled_from(Outcome))
def test_no_line_of_an_episode_costs_more(trigger: str, steps: list[str], summary: str, outcome: Outcome) -> None:
    line = episode_line(
        replace(NGINX, trigger_summary=trigger, steps=tuple(steps), outcome_summary=summary, outcome=outcome)
    )
    assert token_count.estimate(line) <= EPISODE_TOKENS
    assert "\n" not in line


@given(texts, st.lists(texts, max_size=9), texts)
def test_no_line_of_knowledge_costs_more(topic: str, points: list[str], content: str) -> None:
    line = knowledge_line(replace(TIMEOUTS, topic=topic, key_points=tuple(points), content=content))
    assert token_count.estimate(line) <= KNOWLEDGE_TOKENS
    assert "\n" not in line
