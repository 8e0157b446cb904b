"""Tasks as they are worked on: each change of a task, its steps and its episode is one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, DecideTask, Episode, TaskChanged
from orca_core.model.feedback import ACTIONS, Action
from orca_core.model.operations import OperationHeader
from orca_core.model.tasks import STEPS, TASKS, Step, StepStatus, Task, TaskStatus, TaskWithSteps
from orca_core.model.views import RecordPage, RecordQuery
from orca_core.operations import deletion, tool_calls
from orca_core.operations.knowledge_targets import written_by_hand
from orca_core.operations.operations import OpenOperation, ScopedStore
from orca_core.operations.records import check_there, records_there
from orca_core.operations.tombstones import Tombstones
from orca_core.rules.work.task_changes import episode_of_reended_task
from orca_core.store.ports import Rows, any_of, is_, is_not

_RESULTS = {"args": "{}", "result": ""}
"""What may be large of a step, as its columns hold nothing."""
_IS_SHOWN = is_not("status", StepStatus.REMOVED.value)


class TaskStore(ScopedStore):
    """The tasks of one scope, as they are read and written."""

    async def current(self, session_id: str, *, with_results: bool = True) -> TaskWithSteps | None:
        def read(rows: Rows) -> TaskWithSteps | None:
            open_ones = is_("status", TaskStatus.IN_PROGRESS.value)
            found = rows.select(
                TASKS.table, TASKS.names, is_("session_id", session_id), open_ones, order=("-id",), limit=1
            )
            tasks = [TASKS.from_row(row) for row in found]
            return with_steps(rows, tasks, with_results=with_results)[0] if tasks else None

        return await self._transactions.read(read)

    async def get(self, ids: Sequence[int]) -> list[TaskWithSteps]:
        def read(rows: Rows) -> list[TaskWithSteps]:
            check_there(rows, TASKS, ids)
            return with_steps(rows, records_there(rows, TASKS, ids))

        return await self._transactions.read(read)

    async def listed(self, query: RecordQuery, *, with_results: bool = True) -> RecordPage[TaskWithSteps]:
        def read(rows: Rows) -> RecordPage[TaskWithSteps]:
            found, total = rows.lists.records(TASKS, query)
            tasks = with_steps(rows, [TASKS.from_row(row) for row in found], with_results=with_results)
            return RecordPage(tuple(tasks), total)

        return await self._transactions.read(read, own=True)

    async def delete(self, ids: Sequence[int], header: OperationHeader) -> bool:
        """Delete tasks for good. Raises NotFound. False while a reader keeps old pages from being wiped."""
        distinct = tuple(dict.fromkeys(ids))

        def write(rows: Rows) -> None:
            check_there(rows, TASKS, distinct)
            Tombstones(rows).lay(TASKS, records_there(rows, TASKS, distinct), header.at)
            self._operation(rows, header).insert_row()
            deletion.delete_tasks(rows, distinct)
            deletion.note(rows)

        await self._transactions.write(write)
        return await self._transactions.wipe()

    async def start(self, task: Task, header: OperationHeader) -> TaskChanged:
        def write(rows: Rows) -> TaskChanged:
            operation = self._operation(rows, header)
            made: Task = operation.create(TASKS, replace(task, uid=uuid4().hex))
            return TaskChanged(operation.number, TaskWithSteps(made))

        return await self._transactions.write(write)

    async def change(self, task_id: int, header: OperationHeader, decide: DecideTask) -> TaskChanged:
        def write(rows: Rows) -> TaskChanged:
            whole = task_of(rows, task_id)
            decided = decide(whole)
            operation = self._operation(rows, header)
            steps = {step.number: step for step in whole.steps}
            for number, wanted in decided.steps.items():
                steps[number] = operation.change(STEPS.ref(steps[number]), wanted, steps[number])
            number, new = last_number(rows, task_id), list[int]()
            for step in decided.new_steps:
                number += 1
                steps[number] = operation.create(STEPS, replace(step, task=task_id, number=number))
                new.append(number)
            task: Task = operation.change(TASKS.ref(whole.task), decided.fields, whole.task)
            act: Action | None = None
            if decided.act is not None:
                act = operation.create(ACTIONS, replace(decided.act, uid=uuid4().hex))
            episode = None if decided.episode is None else _end(rows, operation, decided.episode, task_id)
            shown = tuple(each for each in steps.values() if each.status is not StepStatus.REMOVED)
            of_steps = [steps[each] for each in decided.steps] + [steps[each] for each in new]
            if self._settings.tools.enabled:
                tool_calls.record_steps(rows, task, of_steps)
            if operation.number is not None:  # with a step the task is touched, too
                task = replace(task, updated_at=header.at)
            return TaskChanged(operation.number, TaskWithSteps(task, shown), episode, act)

        return await self._transactions.write(write)


def _end(rows: Rows, operation: OpenOperation, episode: Episode, task_id: int) -> Episode:
    """Make the episode of a task, or make anew the one of an end that was taken back."""
    kept = rows.select(EPISODES.table, EPISODES.names, is_("task", task_id), limit=1)
    if not kept:
        made: Episode = operation.create(EPISODES, replace(episode, uid=uuid4().hex, task=task_id))
        return made
    before = EPISODES.from_row(kept[0])
    wanted = episode_of_reended_task(before, episode, written_by_hand(rows, before))
    renewed: Episode = operation.change(EPISODES.ref(before), wanted, before)
    return renewed


def task_of(rows: Rows, task_id: int) -> TaskWithSteps:
    """Raises NotFound."""
    check_there(rows, TASKS, [task_id])
    [task] = with_steps(rows, records_there(rows, TASKS, [task_id]))
    return task


def with_steps(rows: Rows, tasks: Sequence[Task], *, with_results: bool = True) -> list[TaskWithSteps]:
    """The tasks with the steps that are shown of them."""
    of_these = any_of("task", [task.id for task in tasks])
    steps: dict[int, list[Step]] = {task.id: [] for task in tasks}
    columns = [name for name in STEPS.names if with_results or name not in _RESULTS]
    for row in rows.select(STEPS.table, columns, of_these, _IS_SHOWN, order=("task", "number")):
        values = {**_RESULTS, **dict(zip(columns, row, strict=True))}
        step = STEPS.from_row([values[name] for name in STEPS.names])
        steps[step.task].append(step)
    return [TaskWithSteps(task, tuple(steps[task.id])) for task in tasks]


def last_number(rows: Rows, task_id: int) -> int:
    """The highest number that a step of the task ever had: none is used twice."""
    found = rows.select(STEPS.table, ("number",), is_("task", task_id), order=("-number",), limit=1)
    return int(found[0][0]) if found else 0
