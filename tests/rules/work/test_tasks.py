"""How a task stands: a machine of few states, from which nothing goes back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from msgspec.structs import replace

from orca_core.model.episodes import TaskDecision
from orca_core.model.errors import InvalidInput, NotFound, OrcaError
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
)
from orca_core.rules.work import task_changes
from orca_core.rules.work.record_texts import MAX_CHARS, episode_text, knowledge_text
from orca_core.rules.work.task_changes import episode_of

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TASK = replace(task_changes.started("s", "the build is red", AT, target="ci", tags=["ci"]), id=5)
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
            task_changes.with_step_changed(whole(before), 1, AT, status=after.value)
        return
    [step] = applied(whole(before), task_changes.with_step_changed(whole(before), 1, AT, status=after.value)).steps
    assert step.status is after
    assert before is after or (step.completed_at is not None) == (after in ENDS)


@pytest.mark.parametrize("status", [TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.DROPPED])
@pytest.mark.parametrize("what", ["step", "change", "context", "end", "fail", "drop"])
def test_nothing_is_done_at_a_task_that_is_over(status: TaskStatus, what: str) -> None:
    over = whole(StepStatus.PENDING, task=replace(TASK, status=status))
    with pytest.raises(InvalidInput):
        {
            "step": lambda: task_changes.with_step(over, "one more", AT),
            "change": lambda: task_changes.with_step_changed(over, 1, AT, status="completed"),
            "context": lambda: task_changes.with_context(over, {"a": 1}),
            "end": lambda: task_changes.ended(over, "success", "", AT),
            "fail": lambda: task_changes.ended(over, "failed", "", AT),
            "drop": lambda: task_changes.dropped(over, AT),
        }[what]()


@pytest.mark.parametrize(
    ("outcome", "status"),
    [("success", "completed"), ("Partial", "completed"), ("unknown", "completed"), ("failed", "failed")],
)
def test_the_outcome_says_how_a_task_is_over(outcome: str, status: str) -> None:
    decided = task_changes.ended(whole(), outcome, "it works", AT)

    assert (decided.fields["status"], decided.fields["outcome"]) == (status, outcome.lower())
    assert decided.episode is not None
    assert decided.episode.outcome.value == outcome.lower()
    assert task_changes.ended(whole(), outcome, "", AT, makes_episode=False).episode is None
    assert task_changes.dropped(whole(), AT).episode is None


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

    assert task_changes.view_of(whole(*(letters[each] for each in statuses)), AT).current_step == current


@pytest.mark.parametrize(
    ("days", "status", "is_idle"),
    [(13.9, "in_progress", False), (14, "in_progress", True), (99, "completed", False), (99, "dropped", False)],
)
def test_a_task_that_nobody_touched_for_two_weeks_is_offered_for_ending(
    days: float, status: str, is_idle: bool
) -> None:
    task = replace(TASK, status=TaskStatus(status))

    assert task_changes.view_of(TaskWithSteps(task), AT + timedelta(days=days)).is_idle is is_idle


def test_a_task_has_at_most_five_hundred_steps() -> None:
    full = whole(*[StepStatus.PENDING] * task_changes.MAX_STEPS)

    with pytest.raises(InvalidInput, match="500"):
        task_changes.with_step(full, "one too many", AT)
    with pytest.raises(NotFound):
        task_changes.with_step_changed(full, 501, AT, status="completed")


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
        task_changes.started(at=AT, **fields)


@pytest.mark.parametrize(("word", "count"), [("all", 4), ("ended", 3), ("in-progress", 1), ("dropped", 1)])
def test_a_word_stands_for_statuses(word: str, count: int) -> None:
    assert len(task_changes.statuses(word)) == count
    with pytest.raises(InvalidInput, match="in_progress"):
        task_changes.statuses("open-ish")


@given(st.text(), st.text(), st.lists(st.text(), max_size=30))
def test_hostile_text_never_breaks_a_task(request: str, target: str, steps: list[str]) -> None:
    try:
        task = TaskWithSteps(task_changes.started("s", request, AT, target=target))
        for each in steps:
            task = applied(task, task_changes.with_step(task, each, AT, tool=target, result=each, args={request: each}))
        episode = task_changes.ended(task, "success", target, AT).episode
    except OrcaError:
        return
    assert episode is not None
    assert len(episode.text) <= MAX_CHARS
    assert all(len(each) <= 120 and "\n" not in each for each in episode.steps)
    assert "\n" not in episode.text + episode.trigger_summary + episode.target


def test_texts_hold_what_there_is_in_their_order() -> None:
    assert episode_text(trigger="disk full", at=AT) == "disk full · outcome unknown 2026-11-20"
    assert episode_text(trigger="磁盘满了", outcome=Outcome.FAILED, at=AT) == "磁盘满了 · 失败 2026-11-20"
    assert knowledge_text(topic="backups", content="All of it.", key_points=["nightly", "to tape"], target="db1") == (
        "db1 · backups · nightly; to tape · All of it."
    )
    assert knowledge_text(topic="db1", content="x", target="db1") == "db1 · x"


class AnyTask(RuleBasedStateMachine):
    """Whatever is asked of a task in whatever order: it ends at most once, and no step comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.task = TaskWithSteps(TASK)
        self.episodes = 0
        self.now = AT

    def do(self, decide: Any) -> None:
        self.now += timedelta(minutes=1)
        before = self.task
        is_over = before.task.status is not TaskStatus.IN_PROGRESS
        try:
            decided = decide()
        except OrcaError:
            return
        assert not is_over
        self.task = applied(before, decided)
        self.episodes += decided.episode is not None
        was_completed = {step.number for step in before.steps if step.status is StepStatus.COMPLETED}
        assert was_completed <= {step.number for step in self.task.steps if step.status is StepStatus.COMPLETED}

    @rule(status=st.sampled_from(StepStatus))
    def add(self, status: StepStatus) -> None:
        self.do(lambda: task_changes.with_step(self.task, "a step", self.now, status=status.value))

    @rule(number=st.integers(-1, 6), status=st.sampled_from(StepStatus))
    def change(self, number: int, status: StepStatus) -> None:
        self.do(lambda: task_changes.with_step_changed(self.task, number, self.now, status=status.value))

    @rule(outcome=st.sampled_from([*Outcome, "fine"]))
    def end(self, outcome: str) -> None:
        self.do(lambda: task_changes.ended(self.task, str(outcome), "", self.now))

    @rule()
    def drop(self) -> None:
        self.do(lambda: task_changes.dropped(self.task, self.now))

    @invariant()
    def an_ended_task_has_its_episode_and_no_other_has(self) -> None:
        is_ended = self.task.task.status in (TaskStatus.COMPLETED, TaskStatus.FAILED)
        assert self.episodes == is_ended
        assert (self.task.task.ended_at is not None) == (self.task.task.status is not TaskStatus.IN_PROGRESS)
        assert all(step.status is not StepStatus.REMOVED for step in self.task.steps)
        assert all((step.completed_at is not None) == (step.status in ENDS) for step in self.task.steps)


TestAnyTask = AnyTask.TestCase
