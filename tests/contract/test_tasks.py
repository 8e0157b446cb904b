"""Tasks: begun, worked on, ended with their episode, taken back, deleted."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from fakes.asking import asked
from fakes.records import AT, header, later

from orca_core.model.episodes import EPISODES, TaskChanged
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.record_types import EPISODE, TASK
from orca_core.model.tasks import STEP, Outcome, StepStatus, Task, TaskStatus
from orca_core.model.tools import NewCall
from orca_core.operations.stores import Stores
from orca_core.rules.work import task_changes, work_curation
from orca_core.rules.work.reported_calls import checked_call


async def started(stores: Stores, request: str = "the build is red", session: str = "s", **given: object) -> int:
    task = task_changes.new_task(session, request, AT, **given)  # type: ignore[arg-type]
    return (await stores.tasks.start(task, header("start_task"))).task.task.id


async def step(stores: Stores, task: int, text: str = "read the log", minutes: float = 1) -> TaskChanged:
    decide = partial(task_changes.add_step, description=text, at=later(minutes), args={"path": "/x"}, result="boom")
    return await stores.tasks.change(task, header("add_step", later(minutes)), decide)


async def end(stores: Stores, task: int, outcome: str = "success", minutes: float = 5) -> TaskChanged:
    decide = partial(task_changes.end_task, outcome=outcome, summary="green again", at=later(minutes))
    return await stores.tasks.change(task, header("end_task", later(minutes)), decide)


async def back(stores: Stores, minutes: float = 10) -> None:
    await stores.history.undo(None, later(minutes))


async def again(stores: Stores, minutes: float = 11) -> None:
    await stores.history.redo(None, later(minutes))


async def test_the_end_of_a_task_is_one_operation_with_its_episode(stores) -> None:
    task = await started(stores, target="ci")
    await step(stores, task)
    ended = await end(stores, task)

    assert (ended.task.task.status, ended.task.task.outcome) == (TaskStatus.COMPLETED, Outcome.SUCCESS)
    [episode] = [each async for each in stores.records[EPISODE].all()]
    assert ended.episode == episode
    assert (episode.task, episode.steps, episode.target) == (task, ("read the log",), "ci")
    assert (episode.state, episode.origin.session_id) == (State.LIVE, "s")
    assert [hit.ref for hit in await asked(stores).by_tokens(["build"], 5, kind=EPISODE)] == [EPISODES.ref(episode)]
    [operation] = await stores.history.operations(1)
    assert operation.id == ended.operation
    assert {change.ref.kind for change in await stores.history.changes_of([operation.id])} == {TASK, EPISODE}


async def test_taking_back_an_end_opens_the_task_and_takes_its_episode_back(stores) -> None:
    task = await started(stores)
    await end(stores, task)

    await back(stores)
    [reopened] = await stores.tasks.get([task])
    [episode] = await stores.records[EPISODE].get([1])
    assert (reopened.task.status, reopened.task.ended_at) == (TaskStatus.IN_PROGRESS, None)
    assert (episode.state, episode.archived_because) == (State.ARCHIVED, ArchivedBecause.UNDONE)
    assert await asked(stores).by_tokens(["build"], 5, kind=EPISODE) == []

    await again(stores)
    [reended] = await stores.tasks.get([task])
    [episode] = await stores.records[EPISODE].get([1])
    assert (reended.task.status, episode.state) == (TaskStatus.COMPLETED, State.LIVE)
    assert episode.aged_from == later(11)


async def test_a_task_that_is_ended_anew_has_one_episode(stores) -> None:
    task = await started(stores)
    await end(stores, task)
    await back(stores)
    await step(stores, task, "one step more", 12)
    ended = await end(stores, task, "partial", 13)

    [episode] = [each async for each in stores.records[EPISODE].all()]
    assert ended.episode == episode
    assert (episode.outcome, episode.steps, episode.state) == (Outcome.PARTIAL, ("one step more",), State.LIVE)
    [undone] = [each for each in await stores.history.operations(9) if each.undoes is not None]
    await stores.history.redo(undone.id, later(14))
    assert len([each async for each in stores.records[EPISODE].all()]) == 1
    [task_now] = await stores.tasks.get([task])
    assert task_now.task.outcome is Outcome.PARTIAL


async def test_a_task_that_is_ended_anew_keeps_what_a_hand_wrote_into_its_episode(stores) -> None:
    task = await started(stores)
    ended = await end(stores, task)
    edit = work_curation.edit(EPISODES, {"trigger": "by hand", "tags": ["mine"]})
    await stores.records[EPISODE].change_all([1], header("edit", later(6)), work_curation.change_each(edit))
    await stores.history.undo(ended.operation, later(10))

    await step(stores, task, "one step more", 12)
    await end(stores, task, "failed", 13)

    [episode] = await stores.records[EPISODE].get([1])
    assert (episode.trigger_summary, episode.tags) == ("by hand", ("mine",))
    assert (episode.outcome, episode.steps, episode.state) == (Outcome.FAILED, ("one step more",), State.LIVE)
    assert all(said in episode.text for said in ("by hand", "#mine", "one step more"))
    assert "the build is red" not in episode.text


async def test_what_is_refused_leaves_nothing(stores) -> None:
    task = await started(stores)
    await end(stores, task)
    before = await stores.history.operations(9)

    with pytest.raises(InvalidInput):
        await end(stores, task)
    with pytest.raises(InvalidInput):
        await step(stores, task)
    with pytest.raises(NotFound):
        await end(stores, 99)
    assert await stores.history.operations(9) == before


async def test_a_deleted_task_leaves_its_episode(stores) -> None:
    task, other = await started(stores), await started(stores, "another")
    await step(stores, task)
    await step(stores, other)
    await end(stores, task)

    assert await stores.tasks.delete([task], header("delete"))

    with pytest.raises(NotFound):
        await stores.tasks.get([task])
    assert await stores.records[STEP].get([1], missing_ok=True) == []
    assert [each.task async for each in stores.records[EPISODE].all()] == [task]
    [kept] = await stores.tasks.get([other])
    assert len(kept.steps) == 1
    numbers = [each.id for each in await stores.history.operations(9)]
    assert {each.ref.kind for each in await stores.history.changes_of(numbers) if each.ref.id == task} == {EPISODE}


def call(tool: str = "web_search", **fields: Any) -> NewCall:
    return checked_call({"tool": tool, "output": "ok", **fields}, later(10_000))


def calls(count: int, tool: str = "web_search", **fields: Any) -> list[NewCall]:
    return [call(tool, call_id=f"c{number}", session_id="s", at=later(number), **fields) for number in range(count)]


async def test_a_call_counts_once_however_often_a_session_is_sent(stores) -> None:
    session = calls(5)
    first = await stores.tools.record(session)
    again = await stores.tools.record([*session, *session, call(call_id="new", session_id="s")])

    assert (len(first.taken), first.known) == (5, 0)
    assert (len(again.taken), again.known) == (1, 10)
    assert [each.calls for each in await stores.tools.figures()] == [6]


async def test_a_deleted_tool_leaves_no_call_and_others_alone(stores) -> None:
    await stores.tools.record([*calls(3), call("other")])

    assert await stores.tools.delete("WEB_search", header("delete")) == 3
    assert await stores.tools.delete("web_search", header("delete")) == 0
    assert [each.tool for each in await stores.tools.figures()] == ["other"]


async def with_step(stores: Stores, status: StepStatus, at: Any) -> int:
    task = Task(0, "", "s", "mend it", AT, AT)
    made = (await stores.tasks.start(task, header("start_task"))).task.task.id
    decide = lambda whole: task_changes.add_step(  # noqa: E731
        whole, "look", at, tool="grep", args={"pattern": "x"}, result="none", status=status.value
    )
    await stores.tasks.change(made, header("add_step", at), decide)
    return made


async def turned(stores: Stores, task: int, status: StepStatus, at: Any) -> None:
    await stores.tasks.change(
        task,
        header("change_step", at),
        lambda whole: task_changes.change_step(whole, 1, at, status=status.value),
    )


async def test_a_step_that_ends_is_a_call_in_the_same_transaction(stores) -> None:
    task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
    assert await stores.tools.figures() == []
    await turned(stores, task, StepStatus.FAILED, later(2))
    await turned(stores, task, StepStatus.IN_PROGRESS, later(3))
    await turned(stores, task, StepStatus.COMPLETED, later(5))

    done, failed = await stores.tools.calls("grep", 10)
    assert [(each.success, each.seconds) for each in (failed, done)] == [(False, 60.0), (True, 120.0)]
    assert done.input == '{"pattern": "x"}'


GREP = {"tool": "Grep", "input": '{"pattern":"x"}', "output": "none", "call_id": "c1", "session_id": "s"}


def of_session(**fields: Any) -> NewCall:
    return checked_call({**GREP, "at": later(4), **fields}, later(10_000))


async def counted(stores: Stores) -> int:
    return sum(each.calls for each in await stores.tools.figures())


async def test_a_step_and_the_same_call_of_its_session_count_once_in_any_order(opened) -> None:
    async with opened() as stores:
        task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
        await turned(stores, task, StepStatus.COMPLETED, later(2))
        for _ in range(2):
            assert (await stores.tools.record([of_session()])).known == 1
        [made] = await stores.tools.calls("grep", 9)
        assert (made.call_id, made.step is not None) == ("c1", True)
        assert len((await stores.tools.record([of_session(call_id="c2")])).taken) == 1  # another one that says the same
    async with opened("theirs") as stores:
        await stores.tools.record([of_session()])
        task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
        await turned(stores, task, StepStatus.COMPLETED, later(2))
        await stores.tools.record([of_session()])
        assert await counted(stores) == 1


async def test_a_step_that_is_undone_takes_its_own_call_along_and_no_reported_one(stores) -> None:
    await stores.tools.record([of_session()])
    task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
    await turned(stores, task, StepStatus.COMPLETED, later(2))
    await stores.history.undo(None, later(3))
    assert await counted(stores) == 1
    await stores.history.redo(None, later(4))
    assert await counted(stores) == 1
