"""Tasks: begun, worked on, ended. Each action is one operation, and can be undone; a delete can not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from orca_core.model.episodes import TaskChanged, TaskDecision, TaskEnded, WorkDeletion
from orca_core.model.feedback import Action, ActionType
from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.tasks import (
    Outcome,
    StepStatus,
    TaskStatus,
    TaskView,
    TaskWithSteps,
    Trigger,
    WantedStep,
)
from orca_core.model.views import RecordPage, RecordQuery
from orca_core.operations.tasks import TaskStore
from orca_core.rules.feedback import signals
from orca_core.rules.feedback.signals import MAX_COMPARED
from orca_core.rules.work import task_changes
from orca_core.settings import EpisodeSettings

Decide = Callable[[TaskWithSteps, datetime], TaskDecision]


class Tasks:
    """What is being worked on. `changed` is called after each change, and `called` where a step called a tool or the
    change was an act."""

    def __init__(
        self,
        tasks: TaskStore,
        changed: Callable[[], None],
        clock: Clock,
        episodes: EpisodeSettings,
        called: Callable[[], None] | None = None,
        *,
        notes_acts: bool = True,
    ) -> None:
        self._tasks = tasks
        self._changed = changed
        self._called = called or changed
        self._clock = clock
        self._episodes = episodes
        self._notes_acts = notes_acts

    async def current(self, session_id: str) -> TaskView | None:
        """The latest one of a session that is in progress."""
        found = await self._tasks.current(session_id)
        return None if found is None else self._view(found)

    async def get(self, ids: Sequence[int]) -> list[TaskView]:
        return [self._view(task) for task in await self._tasks.get(ids)]

    async def page(
        self,
        status: str = "all",
        *,
        session_id: str | None = None,
        limit: int | None = None,
        offset: int = 0,
        with_results: bool = True,
    ) -> RecordPage[TaskView]:
        """Newest first; `status` is one of theirs, `ended` or `all`. Raises InvalidInput for another word. What tools
        were given and answered may be large: it is read only where asked for."""
        where: dict[str, tuple[Any, ...]] = {"status": tuple(each.value for each in task_changes.task_statuses(status))}
        if session_id is not None:
            where["session_id"] = (session_id,)
        found = await self._tasks.listed(RecordQuery(where, limit=limit, offset=offset), with_results=with_results)
        return RecordPage(tuple(map(self._view, found.records)), found.total)

    async def idle(self) -> list[TaskView]:
        """Those in progress that nobody touched for long: they are offered for ending."""
        open_ones = await self.page(TaskStatus.IN_PROGRESS.value, with_results=False)
        return [view for view in open_ones.records if view.is_idle]

    async def start(
        self,
        session_id: str,
        request: str,
        *,
        summary: str = "",
        target: str = "",
        trigger: str = Trigger.USER_REQUEST.value,
        tags: Sequence[str] = (),
        context: Mapping[str, Any] | None = None,
    ) -> TaskView:
        now = self._clock.now()
        task = task_changes.new_task(
            session_id, request, now, summary=summary, target=target, trigger=trigger, tags=tags, context=context
        )
        started = await self._tasks.start(task, _header("start_task", now, session_id))
        self._changed()
        return self._just_changed(started)

    async def add_step(
        self,
        task_id: int,
        description: str,
        *,
        tool: str = "",
        args: Mapping[str, Any] | None = None,
        result: str = "",
        status: str = StepStatus.PENDING.value,
        started_at: datetime | None = None,
        completed_at: datetime | None = None,
    ) -> TaskView:
        def decide(task: TaskWithSteps, at: datetime) -> TaskDecision:
            return task_changes.add_step(
                task,
                description,
                at,
                tool=tool,
                args=args,
                result=result,
                status=status,
                started_at=started_at,
                completed_at=completed_at,
            )

        return self._just_changed(await self._change(task_id, "add_step", decide))

    async def update_step(
        self,
        task_id: int,
        number: int,
        *,
        description: str | None = None,
        tool: str | None = None,
        args: Mapping[str, Any] | None = None,
        result: str | None = None,
        status: str | None = None,
        started_at: datetime | None = None,
        completed_at: datetime | None = None,
    ) -> TaskView:
        def decide(task: TaskWithSteps, at: datetime) -> TaskDecision:
            return task_changes.change_step(
                task,
                number,
                at,
                description=description,
                tool=tool,
                args=args,
                result=result,
                status=status,
                started_at=started_at,
                completed_at=completed_at,
            )

        return self._just_changed(await self._change(task_id, "change_step", decide))

    async def plan(self, task_id: int, wanted: Sequence[WantedStep], seen: Sequence[int]) -> TaskView:
        """Make its steps those that are wanted, in their order; `seen` are the numbers of those that the plan was made
        of. Noted as an act of the user in the same operation, where acts are on."""

        def decide(task: TaskWithSteps, at: datetime) -> TaskDecision:
            decided = task_changes.plan_steps(task, wanted, set(seen), at)
            return replace(decided, act=self._act_on(task, decided, at)) if self._notes_acts else decided

        return self._just_changed(await self._change(task_id, ActionType.EDIT_ROADMAP.value.lower(), decide))

    async def set_context(self, task_id: int, values: Mapping[str, Any]) -> TaskView:
        """The values known at it, with these; one that is None goes."""
        changed = await self._change(task_id, "change_task", lambda task, _: task_changes.set_context(task, values))
        return self._just_changed(changed)

    async def complete(self, task_id: int, outcome: str = Outcome.SUCCESS.value, summary: str = "") -> TaskEnded:
        """End it; its episode is made in the same transaction."""

        def decide(task: TaskWithSteps, at: datetime) -> TaskDecision:
            return task_changes.end_task(task, outcome, summary, at, makes_episode=self._episodes.enabled)

        changed = await self._change(task_id, "end_task", decide)
        return TaskEnded(self._just_changed(changed), changed.episode)

    async def fail(self, task_id: int, summary: str = "") -> TaskEnded:
        return await self.complete(task_id, Outcome.FAILED.value, summary)

    async def drop(self, task_id: int) -> TaskView:
        """It is over, and makes no episode."""
        return self._just_changed(await self._change(task_id, "drop_task", task_changes.drop_task))

    async def delete(self, ids: Sequence[int]) -> WorkDeletion:
        """For good, with their steps; what was learnt of them stays."""
        is_wiped = await self._tasks.delete(ids, _header("delete", self._clock.now()))
        self._changed()
        return WorkDeletion(tuple(ids), is_wiped)

    async def _change(self, task_id: int, action: str, decide: Decide) -> TaskChanged:
        now = self._clock.now()
        ended: set[int] = set()

        def decide_now(task: TaskWithSteps) -> TaskDecision:
            ended.update(step.number for step in task.steps if step.completed_at is not None)
            return decide(task, now)

        changed = await self._tasks.change(task_id, _header(action, now), decide_now)
        is_call = any(
            step.tool and step.completed_at is not None and step.number not in ended for step in changed.task.steps
        )
        (self._called if is_call or changed.act is not None else self._changed)()
        return changed

    def _act_on(self, task: TaskWithSteps, decided: TaskDecision, at: datetime) -> Action | None:
        """That the user changed the plan; None where its words are what they were."""
        previous, current = task_changes.plan_text(task.steps), task_changes.plan_text_after(task, decided)
        if previous == current:
            return None
        data = {"previous": previous[:MAX_COMPARED], "current": current[:MAX_COMPARED]}
        session_id, number = task.task.session_id, task.task.id
        return signals.checked_act(Action(0, "", ActionType.EDIT_ROADMAP, session_id, at, task=number, data=data))

    def _just_changed(self, changed: TaskChanged) -> TaskView:
        return replace(self._view(changed.task), operation=changed.operation)

    def _view(self, task: TaskWithSteps) -> TaskView:
        return task_changes.task_view(task, self._clock.now())


def _header(action: str, at: datetime, session_id: str | None = None) -> OperationHeader:
    return OperationHeader(Actor.USER, action, at, session_id)
