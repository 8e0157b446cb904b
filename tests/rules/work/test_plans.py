"""The steps of a task edited as one: what waits may be reworded, moved and taken out, what ended may not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.episodes import TaskDecision
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.tasks import STEPS, Step, StepStatus, TaskStatus, TaskWithSteps, WantedStep
from orca_core.rules.work import task_changes

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TASK = replace(task_changes.started("s", "the build is red", AT), id=5)
ENDS = (StepStatus.COMPLETED, StepStatus.FAILED)
STATUSES = {"x": StepStatus.COMPLETED, "!": StepStatus.FAILED, ">": StepStatus.IN_PROGRESS, ".": StepStatus.PENDING}


def whole(signs: str) -> TaskWithSteps:
    """A task with a step for each sign, called a, b, c …"""
    steps = [
        Step(number, 5, number, chr(96 + number), f"t{number}", {"n": number}, status=STATUSES[sign], started_at=AT)
        for number, sign in enumerate(signs, 1)
    ]
    return TaskWithSteps(TASK, tuple(steps))


def wanted(text: str) -> list[WantedStep]:
    """`1 3=new +more`: steps by their numbers, one in other words, and a new one."""
    found = []
    for word in text.split():
        number, _, said = word.lstrip("+").partition("=")
        is_new = word.startswith("+")
        found.append(WantedStep(number if is_new else said or chr(96 + int(number)), None if is_new else int(number)))
    return found


def applied(before: TaskWithSteps, decided: TaskDecision) -> list[Step]:
    """What a store makes of a decision."""
    steps = [STEPS.changed(step, decided.steps.get(step.number, {})) for step in before.steps]
    last = max((step.number for step in steps), default=0)
    made = [replace(step, number=last + nth) for nth, step in enumerate(decided.new_steps, 1)]
    return [step for step in [*steps, *made] if step.status is not StepStatus.REMOVED]


def planned(signs: str, text: str, seen: str = "") -> list[Step]:
    before = whole(signs)
    numbers = [int(each) for each in seen.split()] if seen else [step.number for step in before.steps]
    decided = task_changes.planned(before, wanted(text), numbers, AT)
    after = applied(before, decided)
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


def test_a_step_that_moves_keeps_what_is_known_of_it() -> None:
    moved = planned("x>.", "1 3 2")[-1]

    assert (moved.number, moved.description, moved.tool, moved.args) == (4, "b", "t2", {"n": 2})
    assert (moved.status, moved.started_at) == (StepStatus.IN_PROGRESS, AT)


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
            task_changes.planned(whole(signs), [WantedStep(" ", 1)], [1], AT)
        planned(signs, plan)
    assert why in str(refused.value)


@pytest.mark.parametrize("sign", "x!>.")
@pytest.mark.parametrize("status", [each for each in StepStatus if each is not StepStatus.REMOVED])
def test_the_plan_says_how_a_step_stands_too_but_of_none_that_ended(sign: str, status: StepStatus) -> None:
    before = whole(sign)
    line = WantedStep("a", 1, status)
    if STATUSES[sign] in ENDS:
        if status is STATUSES[sign]:
            assert task_changes.planned(before, [line], [1], AT) == TaskDecision()
            return
        with pytest.raises(InvalidInput):
            task_changes.planned(before, [line], [1], AT)
        return
    [step] = applied(before, task_changes.planned(before, [line], [1], AT))
    assert (step.status, step.completed_at is not None) == (status, status in ENDS)


def test_a_step_that_came_since_stays_before_what_is_new() -> None:
    after = planned("...", "2 +x", seen="1 2")
    assert [step.description for step in after] == ["b", "c", "x"]


def test_a_task_that_is_over_has_its_plan_for_good() -> None:
    over = replace(whole("."), task=replace(TASK, status=TaskStatus.DROPPED))
    with pytest.raises(InvalidInput):
        task_changes.planned(over, wanted("1"), [1], AT)
    with pytest.raises(NotFound):
        task_changes.planned(whole("."), wanted("7"), [1], AT)


def test_a_plan_has_at_most_five_hundred_steps() -> None:
    with pytest.raises(InvalidInput, match="500"):
        task_changes.planned(whole("."), [WantedStep("x")] * 501, [1], AT)


@given(st.text("x!>.", max_size=6), st.data())
def test_whatever_is_wanted_of_what_waits_is_there_in_that_order(signs: str, data: st.DataObject) -> None:
    before = whole(signs)
    ended = [step.number for step in before.steps if step.status in ENDS]
    numbers = data.draw(st.permutations([step.number for step in before.steps if step.number not in ended]))
    some = [WantedStep(chr(96 + each), each) for each in numbers if data.draw(st.booleans())]
    some += [WantedStep(f"new {nth}") for nth in range(data.draw(st.integers(0, 3)))]
    plan = [*(WantedStep(chr(96 + each), each) for each in ended), *data.draw(st.permutations(some))]
    late = [step.number for step in before.steps if step.status not in ENDS and ended and step.number < max(ended)]
    if late:  # what waits before a step that ended may leave its place
        plan = [each for each in plan if each.number not in late]
    after = applied(before, task_changes.planned(before, plan, [step.number for step in before.steps], AT))

    assert [step.description for step in after] == [each.description for each in plan]
    assert [step.number for step in after] == sorted({step.number for step in after})
    assert [step for step in after if step.status in ENDS] == [step for step in before.steps if step.status in ENDS]
