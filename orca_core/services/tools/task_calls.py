"""The calls that the steps of a task made, each with its star."""

from __future__ import annotations

from orca_core.model.feedback import Action, ActionType
from orca_core.model.tasks import Task
from orca_core.model.tools import StepCall
from orca_core.rules.feedback.acts import is_same
from orca_core.rules.tooling.calls import name_of
from orca_core.store.protocols import ActionStore, TaskStore, ToolStore

COLLECT = ActionType.COLLECT_TOOL


class TaskCalls:
    """Reads them; a star is an act, which is recorded as any other is."""

    def __init__(self, tools: ToolStore, tasks: TaskStore, actions: ActionStore) -> None:
        self._tools = tools
        self._tasks = tasks
        self._actions = actions

    async def of(self, task_id: int) -> list[StepCall]:
        """In the order of the steps, and of one step oldest first. Raises NotFound."""
        [whole] = await self._tasks.get([task_id])
        task, steps = whole.task, {step.id: step for step in whole.steps}
        calls = await self._tools.of_steps(list(steps))
        stars = await self._actions.standing(task.session_id, (COLLECT,)) if calls else []
        made = [(steps[each.step], each) for each in calls if each.step is not None]
        found = [StepCall(step.number, each, name_of(each, step)) for step, each in made]
        return sorted((_with_star(each, task, stars) for each in found), key=lambda each: (each.step, each.call.id))


def _with_star(each: StepCall, task: Task, stars: list[Action]) -> StepCall:
    meant = Action(0, "", COLLECT, task.session_id, each.call.at, task=task.id, tool=each.call.tool, call=each.name)
    is_collected = any(is_same(star, meant) for star in stars)
    return StepCall(each.step, each.call, each.name, is_collected)
