"""How a task stands: a machine of few states, from which nothing goes back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, Episode, TaskDecision
from orca_core.model.errors import InvalidInput, NotFound, OrcaError
from orca_core.model.memories import Fields
from orca_core.model.tasks import (
    STEPS,
    TASKS,
    Outcome,
    Step,
    StepStatus,
    Task,
    TaskStatus,
    TaskWithSteps,
    Trigger,
    WantedStep,
)
from orca_core.rules.work import task_changes
from orca_core.rules.work.record_texts import MAX_CHARS
from orca_core.rules.work.task_changes import episode_of, episode_of_reended_task

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TASK = replace(task_changes.new_task("s", "the build is red", AT, target="ci", tags=["ci"]), id=5)
STEP = Step(1, 5, 1, "read the log")
ENDS = {StepStatus.COMPLETED, StepStatus.FAILED}


def whole(*statuses: StepStatus, task: Task = TASK) -> TaskWithSteps:
    steps = tuple(replace(STEP, id=number, number=number, status=status) for number, status in enumerate(statuses, 1))
    return TaskWithSteps(task, steps)


def applied(before: TaskWithSteps, decided: TaskDecision) -> TaskWithSteps:
    """What a store makes of a decision."""
    steps = [STEPS.changed(step, decided.steps.get(step.number, {})) for step in before.steps]
    number = len(steps)
    steps += [replace(step, id=number + nth, number=number + nth) for nth, step in enumerate(decided.new_steps, 1)]
    return TaskWithSteps(TASKS.changed(before.task, decided.fields), tuple(steps))


@pytest.mark.parametrize("before", [each for each in StepStatus if each is not StepStatus.REMOVED])
@pytest.mark.parametrize("after", [each for each in StepStatus if each is not StepStatus.REMOVED])
def test_a_completed_step_stays_completed_and_any_other_may_change(before: StepStatus, after: StepStatus) -> None:
    if before is StepStatus.COMPLETED and after is not before:
        with pytest.raises(InvalidInput):
            task_changes.change_step(whole(before), 1, AT, status=after.value)
        return
    [step] = applied(whole(before), task_changes.change_step(whole(before), 1, AT, status=after.value)).steps
    assert step.status is after
    assert before is after or (step.completed_at is not None) == (after in ENDS)


@pytest.mark.parametrize("status", [TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.DROPPED])
@pytest.mark.parametrize("what", ["step", "change", "context", "end", "fail", "drop"])
def test_nothing_is_done_at_a_task_that_is_over(status: TaskStatus, what: str) -> None:
    over = whole(StepStatus.PENDING, task=replace(TASK, status=status))
    with pytest.raises(InvalidInput):
        {
            "step": lambda: task_changes.add_step(over, "one more", AT),
            "change": lambda: task_changes.change_step(over, 1, AT, status="completed"),
            "context": lambda: task_changes.set_context(over, {"a": 1}),
            "end": lambda: task_changes.end_task(over, "success", "", AT),
            "fail": lambda: task_changes.end_task(over, "failed", "", AT),
            "drop": lambda: task_changes.drop_task(over, AT),
        }[what]()


@pytest.mark.parametrize(
    ("outcome", "status"),
    [("success", "completed"), ("Partial", "completed"), ("unknown", "completed"), ("failed", "failed")],
)
def test_the_outcome_says_how_a_task_is_over(outcome: str, status: str) -> None:
    decided = task_changes.end_task(whole(), outcome, "it works", AT)

    assert (decided.fields["status"], decided.fields["outcome"]) == (status, outcome.lower())
    assert decided.episode is not None
    assert decided.episode.outcome.value == outcome.lower()
    assert task_changes.end_task(whole(), outcome, "", AT, makes_episode=False).episode is None
    assert task_changes.drop_task(whole(), AT).episode is None


def test_an_episode_says_what_its_task_was() -> None:
    long = whole(StepStatus.COMPLETED, StepStatus.FAILED)
    long = replace(long, steps=(long.steps[0], replace(long.steps[1], description="看日志" * 100)))
    task = replace(long.task, trigger=Trigger.ALERT)
    episode = episode_of(replace(long, task=task), Outcome.PARTIAL, "half of it", AT)

    assert (episode.trigger_summary, episode.target, episode.task) == ("the build is red", "ci", 5)
    assert (episode.trigger_type, episode.outcome, episode.outcome_summary) == (
        Trigger.ALERT, Outcome.PARTIAL, "half of it",
    )  # fmt: skip
    assert episode.steps[0] == "read the log"
    assert len(episode.steps[1]) == 120
    assert episode.steps[1].endswith("…")
    assert (episode.origin.session_id, episode.aged_from, episode.tags) == ("s", AT, ("ci",))
    assert episode.text.startswith("ci · the build is red · partial 2026-11-20 · #ci · read the log; 看日志")


@pytest.mark.parametrize(
    ("statuses", "current"),
    [((), None), ("p", 1), ("cp", 2), ("cip", 2), ("pi", 2), ("ii", 2), ("cf", None), ("fp", 2)],
)
def test_a_task_stands_at_what_is_being_done_or_waits_first(statuses: str, current: int | None) -> None:
    letters = {each.value[0]: each for each in StepStatus}

    assert task_changes.task_view(whole(*(letters[each] for each in statuses)), AT).current_step == current


@pytest.mark.parametrize(
    ("days", "status", "is_idle"),
    [(13.9, "in_progress", False), (14, "in_progress", True), (99, "completed", False), (99, "dropped", False)],
)
def test_a_task_that_nobody_touched_for_two_weeks_is_offered_for_ending(
    days: float, status: str, is_idle: bool
) -> None:
    task = replace(TASK, status=TaskStatus(status))

    assert task_changes.task_view(TaskWithSteps(task), AT + timedelta(days=days)).is_idle is is_idle


def test_a_task_has_at_most_five_hundred_steps() -> None:
    full = whole(*[StepStatus.PENDING] * task_changes.MAX_STEPS)

    with pytest.raises(InvalidInput, match="500"):
        task_changes.add_step(full, "one too many", AT)
    with pytest.raises(NotFound):
        task_changes.change_step(full, 501, AT, status="completed")


@pytest.mark.parametrize(
    "wrong",
    [
        {"request": ""}, {"request": "\u200b"}, {"request": "x" * 2001}, {"trigger": "whim"}, {"target": "x" * 201},
        {"tags": ["x" * 41]}, {"session_id": "../x"}, {"context": {"x": object()}}, {"summary": "x" * 2001},
    ],
)  # fmt: skip
def test_a_task_that_says_nothing_or_too_much_is_refused(wrong: dict[str, Any]) -> None:
    fields = {"session_id": "s", "request": "the build is red", **wrong}
    with pytest.raises(InvalidInput):
        task_changes.new_task(at=AT, **fields)


@pytest.mark.parametrize(("word", "count"), [("all", 4), ("ended", 3), ("in-progress", 1), ("dropped", 1)])
def test_a_word_stands_for_statuses(word: str, count: int) -> None:
    assert len(task_changes.task_statuses(word)) == count
    with pytest.raises(InvalidInput, match="in_progress"):
        task_changes.task_statuses("open-ish")


@given(st.text(), st.text(), st.lists(st.text(), max_size=30))
def test_hostile_text_never_breaks_a_task(request: str, target: str, steps: list[str]) -> None:
    try:
        task = TaskWithSteps(task_changes.new_task("s", request, AT, target=target))
        for each in steps:
            task = applied(task, task_changes.add_step(task, each, AT, tool=target, result=each, args={request: each}))
        episode = task_changes.end_task(task, "success", target, AT).episode
    except OrcaError:
        return
    assert episode is not None
    assert len(episode.text) <= MAX_CHARS
    assert all(len(each) <= 120 and "\n" not in each for each in episode.steps)
    assert "\n" not in episode.text + episode.trigger_summary + episode.target


AT_ENDED = datetime(2026, 11, 20, tzinfo=UTC)
LATER = AT_ENDED + timedelta(days=3)
BEFORE = Episode(
    1,
    "u",
    "old",
    "mine",
    AT_ENDED,
    AT_ENDED,
    AT_ENDED,
    target="orders",
    outcome=Outcome.SUCCESS,
    pinned=True,
    access_count=4,
)
TOLD = Episode(0, "", "new", "the task", LATER, LATER, LATER, target="orders", outcome=Outcome.FAILED)


@pytest.mark.parametrize(
    ("by_hand", "says"),
    [
        ((), {"trigger_summary": "the task", "outcome": "failed"}),
        (("trigger_summary", "text"), {"trigger_summary": "mine", "outcome": "failed"}),
        (("outcome", "text"), {"trigger_summary": "the task", "outcome": "success"}),
    ],
)
def test_what_a_hand_wrote_stays(by_hand: Collection[str], says: Fields) -> None:
    after = EPISODES.changed(BEFORE, episode_of_reended_task(BEFORE, TOLD, by_hand))

    assert EPISODES.plain(after, tuple(says)) == says
    assert str(says["trigger_summary"]) in after.text
    assert "2026-11-23" in after.text  # it ended then
    assert (after.pinned, after.access_count) == (True, 4)


TASK_PLANS = replace(task_changes.new_task("s", "the build is red", AT), id=5)
ENDS_PLANS = (StepStatus.COMPLETED, StepStatus.FAILED)
STATUSES = {"x": StepStatus.COMPLETED, "!": StepStatus.FAILED, ">": StepStatus.IN_PROGRESS, ".": StepStatus.PENDING}


def whole_plans(signs: str) -> TaskWithSteps:
    """A task with a step for each sign, called a, b, c …"""
    steps = [
        Step(number, 5, number, chr(96 + number), f"t{number}", {"n": number}, status=STATUSES[sign], started_at=AT)
        for number, sign in enumerate(signs, 1)
    ]
    return TaskWithSteps(TASK_PLANS, tuple(steps))


def wanted(text: str) -> list[WantedStep]:
    """`1 3=new +more`: steps by their numbers, one in other words, and a new one."""
    found = []
    for word in text.split():
        number, _, said = word.lstrip("+").partition("=")
        is_new = word.startswith("+")
        found.append(WantedStep(number if is_new else said or chr(96 + int(number)), None if is_new else int(number)))
    return found


def applied_plans(before: TaskWithSteps, decided: TaskDecision) -> list[Step]:
    """What a store makes of a decision."""
    steps = [STEPS.changed(step, decided.steps.get(step.number, {})) for step in before.steps]
    last = max((step.number for step in steps), default=0)
    made = [replace(step, number=last + nth) for nth, step in enumerate(decided.new_steps, 1)]
    return [step for step in [*steps, *made] if step.status is not StepStatus.REMOVED]


def planned(signs: str, text: str, seen: str = "") -> list[Step]:
    before = whole_plans(signs)
    numbers = [int(each) for each in seen.split()] if seen else [step.number for step in before.steps]
    decided = task_changes.plan_steps(before, wanted(text), numbers, AT)
    after = applied_plans(before, decided)
    assert task_changes.plan_text_after(before, decided) == "\n".join(step.description for step in after)
    return after


@pytest.mark.parametrize(
    ("signs", "plan", "after"),
    [
        ("x>..", "1 2 3 4", "1a 2b 3c 4d"),
        ("x>..", "1 2 3=see 4", "1a 2b 3see 4d"),
        ("x>..", "1=found 2 3 4", "1found 2b 3c 4d"),
        ("x>..", "1 2 4", "1a 2b 4d"),
        ("x>..", "1", "1a"),
        ("x>..", "1 2 3 4 +tell", "1a 2b 3c 4d 5tell"),
        ("x>..", "1 2 4 3", "1a 2b 4d 5c"),
        ("x>..", "1 2 +tell 3 4", "1a 2b 5tell 6c 7d"),
        ("x>..", "1 4 2 3=see", "1a 4d 5b 6see"),
        ("..", "2 +x", "2b 3x"),
        ("", "+x +y", "1x 2y"),
        (".", "", ""),
    ],
)
def test_steps_become_what_the_plan_says(signs: str, plan: str, after: str) -> None:
    assert " ".join(f"{step.number}{step.description}" for step in planned(signs, plan)) == after


@pytest.mark.parametrize(
    ("signs", "plan", "why"),
    [
        ("x.", "2", "can't be taken out"),
        ("!.", "+x", "can't be taken out"),
        (".x", "2 1 +x", None),
        (".x", "+x 1 2", "comes behind it"),
        ("x!", "2 1", "comes behind it"),
        ("..", "1 1", "more than once"),
        (".", "1=", "is empty"),
    ],
)
def test_what_ended_stays_where_it_is(signs: str, plan: str, why: str | None) -> None:
    if why is None:
        assert [step.description for step in planned(signs, plan)] == ["b", "a", "x"]
        return
    with pytest.raises(InvalidInput) as refused:
        if plan == "1=":
            task_changes.plan_steps(whole_plans(signs), [WantedStep(" ", 1)], [1], AT)
        planned(signs, plan)
    assert why in str(refused.value)


@pytest.mark.parametrize("sign", "x!>.")
@pytest.mark.parametrize("status", [each for each in StepStatus if each is not StepStatus.REMOVED])
def test_the_plan_says_how_a_step_stands_too_but_of_none_that_ended(sign: str, status: StepStatus) -> None:
    before = whole_plans(sign)
    line = WantedStep("a", 1, status)
    if STATUSES[sign] in ENDS_PLANS:
        if status is STATUSES[sign]:
            assert task_changes.plan_steps(before, [line], [1], AT) == TaskDecision()
            return
        with pytest.raises(InvalidInput):
            task_changes.plan_steps(before, [line], [1], AT)
        return
    [step] = applied_plans(before, task_changes.plan_steps(before, [line], [1], AT))
    assert (step.status, step.completed_at is not None) == (status, status in ENDS_PLANS)


def test_a_step_that_came_since_stays_before_what_is_new() -> None:
    after = planned("...", "2 +x", seen="1 2")
    assert [step.description for step in after] == ["b", "c", "x"]


def test_a_task_that_is_over_has_its_plan_for_good() -> None:
    over = replace(whole_plans("."), task=replace(TASK_PLANS, status=TaskStatus.DROPPED))
    with pytest.raises(InvalidInput):
        task_changes.plan_steps(over, wanted("1"), [1], AT)
    with pytest.raises(NotFound):
        task_changes.plan_steps(whole_plans("."), wanted("7"), [1], AT)
