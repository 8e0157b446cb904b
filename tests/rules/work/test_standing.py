"""What the model is told of the current task, and what goes first where room is short."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.tasks import Step, StepStatus, TaskWithSteps
from orca_core.rules.text.token_count import estimate
from orca_core.rules.work import task_changes
from orca_core.rules.work.prompt_texts import LAST_STEPS, standing_text

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LETTERS = {"c": StepStatus.COMPLETED, "f": StepStatus.FAILED, "i": StepStatus.IN_PROGRESS, "p": StepStatus.PENDING}


def task(statuses: str = "", request: str = "the build is red", **given: str) -> TaskWithSteps:
    steps = tuple(
        Step(number, 1, number, f"step {number}", status=LETTERS[letter]) for number, letter in enumerate(statuses, 1)
    )
    return TaskWithSteps(task_changes.started("s", request, AT, **given), steps)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("whole", "text"),
    [
        (task(), "What is being worked on in this chat: the build is red"),
        (task(target="ci"), "What is being worked on in this chat: the build is red (on ci)"),
        (task("cfip", summary="since noon"),
         "What is being worked on in this chat: the build is red About it: since noon"
         " Steps that are over: 2 of 4; the last ones: ✓ step 1; ✗ step 2 It stands at: step 3"),
        (task("pp"), "What is being worked on in this chat: the build is red It stands at: step 1"),
        (task("c", request="修好构建"), "本次对话正在做的事：修好构建 已结束的步骤：1/1；最近几步：✓ step 1"),
    ],
)  # fmt: skip
def test_it_says_what_was_asked_the_last_steps_and_where_it_stands(whole: TaskWithSteps, text: str) -> None:
    assert standing_text(whole, 500, estimate) == text


def test_only_the_last_steps_are_told() -> None:
    text = standing_text(task("c" * 20), 5_000, estimate)

    assert f"step {20 - LAST_STEPS + 1};" in text
    assert f"step {20 - LAST_STEPS};" not in text
    assert "20 of 20" in text


def test_the_oldest_steps_go_first_then_the_summary_then_the_end_of_the_request() -> None:
    whole = task("c" * 8 + "i", request="please " + "mend the build " * 60, summary="about " * 50)
    told = [standing_text(whole, limit, estimate) for limit in range(600, 0, -5)]

    assert all(estimate(text) <= limit for text, limit in zip(told, range(600, 0, -5), strict=True))
    has = [("step 1;" in text, "step 8" in text, "about" in text, "step 9" in text, "please" in text) for text in told]
    assert has[0] == (True,) * 5
    lasts = [max(number for number, each in enumerate(has) if each[part]) for part in range(5)]
    assert lasts == sorted(lasts)
    assert lasts[1] < lasts[3]
    assert told[-1] == ""


@given(st.text(min_size=1, max_size=300), st.lists(st.text(max_size=200), max_size=12), st.integers(0, 300))
def test_hostile_text_never_breaks_its_room(request: str, descriptions: list[str], limit: int) -> None:
    whole = task("cfip" * 3)
    steps = [replace(step, description=text) for step, text in zip(whole.steps, descriptions, strict=False)]
    whole = TaskWithSteps(replace(whole.task, request=request, target="{request}", summary="{now}"), tuple(steps))

    text = standing_text(whole, limit, estimate)

    assert estimate(text) <= limit
    assert "\n" not in text
