"""Tasks through a store: begun, worked on, ended with their episode, taken back, deleted."""

from __future__ import annotations

from functools import partial

import pytest
from fakes.asking import asked
from fakes.records import AT, chat, header, later

from orca_core.model.episodes import EPISODES, TaskChanged
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.records import EPISODE, TASK
from orca_core.model.tasks import STEP, Outcome, StepStatus, TaskStatus
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules
from orca_core.rules.work import task_changes, work_curation


async def started(stores: Stores, request: str = "the build is red", session: str = "s", **given: object) -> int:
    task = task_changes.started(session, request, AT, **given)  # type: ignore[arg-type]
    return (await stores.tasks.start(task, header("start_task"))).task.task.id


async def step(stores: Stores, task: int, text: str = "read the log", minutes: float = 1) -> TaskChanged:
    decide = partial(task_changes.with_step, description=text, at=later(minutes), args={"path": "/x"}, result="boom")
    return await stores.tasks.change(task, header("add_step", later(minutes)), decide)


async def end(stores: Stores, task: int, outcome: str = "success", minutes: float = 5) -> TaskChanged:
    decide = partial(task_changes.ended, outcome=outcome, summary="green again", at=later(minutes))
    return await stores.tasks.change(task, header("end_task", later(minutes)), decide)


async def back(stores: Stores, minutes: float = 10) -> None:
    await stores.history.undo(None, later(minutes), undo_rules.plan)


async def again(stores: Stores, minutes: float = 11) -> None:
    await stores.history.redo(None, later(minutes), undo_rules.plan)


async def test_the_latest_task_in_progress_is_the_current_one(opened) -> None:
    async with opened() as stores:
        first = await started(stores, "first")
        second = await started(stores, "second", context={"host": "db1"}, tags=["ci"], target="build")
        await started(stores, "of another chat", "other")

        current = await stores.tasks.current("s")
        assert current is not None
        assert (current.task.id, current.task.context, current.task.tags) == (second, {"host": "db1"}, ("ci",))
        await end(stores, second)
        waiting = await stores.tasks.current("s")
        assert waiting is not None
        assert waiting.task.id == first
        assert await stores.tasks.current("nowhere") is None


async def test_a_task_comes_back_with_its_steps_in_order(opened) -> None:
    async with opened() as stores:
        task = await started(stores)
        await step(stores, task, "one")
        changed = await step(stores, task, "two", 3)

        assert [(each.number, each.description) for each in changed.task.steps] == [(1, "one"), (2, "two")]
        assert (await stores.tasks.get([task])) == [changed.task]
        assert changed.task.task.updated_at == later(3)
        with pytest.raises(NotFound):
            await stores.tasks.get([task, 99])


async def test_tasks_are_listed_with_their_steps(opened) -> None:
    async with opened() as stores:
        first, second = await started(stores, "first"), await started(stores, "second")
        await step(stores, first)
        await end(stores, second)

        found = await stores.tasks.listed(RecordQuery({"status": ("in_progress",)}))
        assert [(each.task.id, len(each.steps)) for each in found.tasks] == [(first, 1)]
        brief = await stores.tasks.listed(RecordQuery(), with_results=False)
        current = await stores.tasks.current("s", with_results=False)
        assert [(each.steps[0].args, each.steps[0].result) for each in brief.tasks if each.steps] == [({}, "")]
        assert current in brief.tasks
        [whole] = await stores.tasks.get([first])
        assert (whole.steps[0].args, whole.steps[0].result) == ({"path": "/x"}, "boom")
        everything = await stores.tasks.listed(RecordQuery(limit=1))
        assert ([each.task.id for each in everything.tasks], everything.total) == ([second], 2)


async def test_the_end_of_a_task_is_one_operation_with_its_episode(opened) -> None:
    async with opened() as stores:
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


async def test_taking_back_an_end_opens_the_task_and_takes_its_episode_back(opened) -> None:
    async with opened() as stores:
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


async def test_a_task_that_is_ended_anew_has_one_episode(opened) -> None:
    async with opened() as stores:
        task = await started(stores)
        await end(stores, task)
        await back(stores)
        await step(stores, task, "one step more", 12)
        ended = await end(stores, task, "partial", 13)

        [episode] = [each async for each in stores.records[EPISODE].all()]
        assert ended.episode == episode
        assert (episode.outcome, episode.steps, episode.state) == (Outcome.PARTIAL, ("one step more",), State.LIVE)
        [undone] = [each for each in await stores.history.operations(9) if each.undoes is not None]
        await stores.history.redo(undone.id, later(14), undo_rules.plan)
        assert len([each async for each in stores.records[EPISODE].all()]) == 1
        [task_now] = await stores.tasks.get([task])
        assert task_now.task.outcome is Outcome.PARTIAL


async def test_a_task_that_is_ended_anew_keeps_what_a_hand_wrote_into_its_episode(opened) -> None:
    async with opened() as stores:
        task = await started(stores)
        ended = await end(stores, task)
        edit = work_curation.edit_episode(trigger="by hand", tags=["mine"])
        await stores.records[EPISODE].change_all([1], header("edit", later(6)), work_curation.each(edit))
        await stores.history.undo(ended.operation, later(10), undo_rules.plan)

        await step(stores, task, "one step more", 12)
        await end(stores, task, "failed", 13)

        [episode] = await stores.records[EPISODE].get([1])
        assert (episode.trigger_summary, episode.tags) == ("by hand", ("mine",))
        assert (episode.outcome, episode.steps, episode.state) == (Outcome.FAILED, ("one step more",), State.LIVE)
        assert all(said in episode.text for said in ("by hand", "#mine", "one step more"))
        assert "the build is red" not in episode.text


async def test_an_edit_that_was_taken_back_is_not_kept_when_the_task_is_ended_anew(opened) -> None:
    async with opened() as stores:
        task = await started(stores)
        ended = await end(stores, task)
        edited = await stores.records[EPISODE].change_all(
            [1], header("edit", later(6)), work_curation.each(work_curation.edit_episode(trigger="by hand"))
        )
        for operation in (edited.operation, ended.operation):
            await stores.history.undo(operation, later(10), undo_rules.plan)

        await end(stores, task, "failed", 13)

        [episode] = await stores.records[EPISODE].get([1])
        assert episode.trigger_summary == "the build is red"


async def test_a_step_a_start_and_a_drop_are_taken_back(opened) -> None:
    async with opened() as stores:
        task = await started(stores)
        await step(stores, task, "one")
        await step(stores, task, "two", 2)
        await back(stores)
        [one_step] = await stores.tasks.get([task])
        assert [each.number for each in one_step.steps] == [1]
        assert one_step.task.updated_at == later(10)
        third = await step(stores, task, "three", 12)
        assert [each.number for each in third.task.steps] == [1, 3]

        await stores.tasks.change(task, header("drop_task", later(13)), partial(task_changes.dropped, at=later(13)))
        assert await stores.tasks.current("s") is None
        await back(stores, 14)
        assert await stores.tasks.current("s") is not None

        other = await started(stores, "begun by mistake")
        await back(stores, 15)
        [unmade] = await stores.tasks.get([other])
        assert unmade.task.status is TaskStatus.DROPPED
        assert [each async for each in stores.records[EPISODE].all()] == []


async def test_what_is_refused_leaves_nothing(opened) -> None:
    async with opened() as stores:
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


async def test_another_profile_has_its_own_tasks(opened) -> None:
    async with opened("me") as mine, opened("work", "me") as work:
        task = await started(mine)

        assert await work.tasks.current("s") is None
        assert (await work.tasks.listed(RecordQuery())).total == 0
        with pytest.raises(NotFound):
            await work.tasks.get([task])
        with pytest.raises(NotFound):
            await end(work, task)
        with pytest.raises(NotFound):
            await work.tasks.delete([task], header("delete"))


async def test_a_deleted_task_leaves_its_episode(opened) -> None:
    async with opened() as stores:
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


async def test_the_tasks_of_a_deleted_chat_go_with_it(opened) -> None:
    async with opened() as stores:
        await chat(stores, "s")
        task, elsewhere = await started(stores), await started(stores, "of another chat", "other")
        await step(stores, task)
        await end(stores, task)

        await stores.sessions.delete("s", header("delete"))

        assert [each.task.id for each in (await stores.tasks.listed(RecordQuery())).tasks] == [elsewhere]
        assert [each.task async for each in stores.records[EPISODE].all()] == [task]


async def test_a_completed_step_keeps_when_it_was_done(opened) -> None:
    async with opened() as stores:
        task = await started(stores)
        await step(stores, task)
        for minutes, status in ((2, "in_progress"), (4, "completed")):
            change = partial(
                task_changes.with_step_changed, number=1, at=later(minutes), status=status, result="all\nwell"
            )
            changed = await stores.tasks.change(task, header("change_step", later(minutes)), change)

        [done] = changed.task.steps
        assert (done.status, done.started_at, done.completed_at) == (StepStatus.COMPLETED, later(2), later(4))
        assert done.result == "all\nwell"
