"""The plan of a task as a text to be edited and read again, and figures of episodes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.episodes import Episode
from orca_core.model.memories import Status
from orca_core.model.tasks import Step, StepStatus, TaskView, WantedStep
from orca_core.model.views import EpisodeView
from orca_core.rules.work.record_texts import checked_text
from orca_core.rules.work.task_changes import new_task
from orca_tui.language import speak
from orca_tui.words.task_words import plan_in, plan_text
from orca_tui.words.work_words import importance_figure

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TASK = new_task("s", "the build is red", AT)
SHOWN = [each for each in StepStatus if each is not StepStatus.REMOVED]
VIEW = TaskView(
    TASK,
    (
        Step(1, 5, 1, "read the log", status=StepStatus.COMPLETED),
        Step(2, 5, 2, "restart php-fpm", status=StepStatus.IN_PROGRESS),
        Step(7, 5, 7, "#7  tell\nthe others"),
    ),
)


def test_the_text_shows_each_step_in_a_line_with_how_it_stands() -> None:
    lines = plan_text(VIEW).splitlines()
    assert lines[:4] == ["1. [x] read the log", "2. [>] restart php-fpm", "7. [ ] #7 tell the others", ""]
    assert all(line.startswith("# ") for line in lines[4:])
    speak("zh")
    assert "[x]" in plan_text(VIEW).splitlines()[5]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("2. [>] restart php-fpm", WantedStep("restart php-fpm", 2)),
        ("2. [x] restart php-fpm", WantedStep("restart php-fpm", 2, StepStatus.COMPLETED)),
        ("2. [] wait", WantedStep("wait", 2, StepStatus.PENDING)),
        ("7. [ ] #7 tell the others", WantedStep("#7  tell\nthe others", 7)),
        ("restart php-fpm", WantedStep("restart php-fpm", 2)),
        ("9. [ ] no such step", WantedStep("no such step", 9, StepStatus.PENDING)),
        ("3 times", WantedStep("3 times")),
        ("[docs] write them", WantedStep("[docs] write them")),
        ("   ", None),
    ],
)
def test_a_line_is_a_step_that_there_is_or_a_new_one(line: str, wanted: WantedStep | None) -> None:
    assert plan_in(line, VIEW) == ([] if wanted is None else [wanted])


@given(st.lists(st.tuples(st.text(max_size=60), st.sampled_from(SHOWN)), max_size=6))
def test_what_nobody_edited_changes_nothing_whatever_steps_say(steps: list[tuple[str, StepStatus]]) -> None:
    shown = [(checked_text(said, what="description"), status) for said, status in steps]
    made = tuple(Step(n, 5, n, said, status=status) for n, (said, status) in enumerate(shown, 1) if said)
    view = TaskView(TASK, made)
    assert plan_in(plan_text(view), view) == [WantedStep(step.description, step.number) for step in made]


AT_FIGURES_OF_WORK = datetime(2026, 11, 20, tzinfo=UTC)
EPISODE = Episode(1, "u", "t", "what", AT_FIGURES_OF_WORK, AT_FIGURES_OF_WORK, aged_from=AT_FIGURES_OF_WORK)


@pytest.mark.parametrize(
    ("importance", "threshold", "figure"),
    [
        (0.6, 0.25, "0.60"),
        (0.25, 0.25, "0.25"),
        (0.246667, 0.25, "0.247"),
        (0.249999, 0.25, "0.249999"),
        (0.254, 0.25, "0.25"),
        (0.244, 0.25, "0.24"),
        (0.2546, 0.2545, "0.255"),
        (1.0, 0.25, "1.00"),
        (0.0, 0.25, "0.00"),
    ],
)
def test_importance_is_never_rounded_across_the_threshold(importance: float, threshold: float, figure: str) -> None:
    shown = importance_figure(EpisodeView(EPISODE, Status.ACTIVE, importance, threshold=threshold))

    assert shown == figure
    assert (float(shown) < threshold) == (importance < threshold)
