"""Tasks with their steps, and what their ends made, in JSON."""

from __future__ import annotations

from orca_core.domain.work.tasks import TASKS, Step, TaskPage, TaskView
from orca_core.wire.refs import ref_json
from orca_core.wire.values import Json, timestamp_json


def task_json(view: TaskView) -> Json:
    """A task as people see it; `current_step` is the number of a step, null where none is left."""
    task = view.task
    return {
        "id": ref_json(TASKS.ref(task)),
        "uid": task.uid,
        "session_id": task.session_id,
        "request": task.request,
        "summary": task.summary,
        "target": task.target,
        "status": task.status.value,
        "current_step": view.current_step,
        "steps": [_step_json(step) for step in view.steps],
        "context": dict(task.context),
        "trigger": task.trigger.value,
        "tags": list(task.tags),
        "outcome": None if task.outcome is None else task.outcome.value,
        "outcome_summary": task.outcome_summary,
        "started_at": timestamp_json(task.started_at),
        "updated_at": timestamp_json(task.updated_at),
        "ended_at": timestamp_json(task.ended_at),
    }


def _step_json(step: Step) -> Json:
    return {
        "number": step.number,
        "description": step.description,
        "tool": step.tool,
        "args": dict(step.args),
        "result": step.result,
        "status": step.status.value,
        "started_at": timestamp_json(step.started_at),
        "completed_at": timestamp_json(step.completed_at),
    }


def tasks_json(page: TaskPage) -> Json:
    """A page of tasks; `total` counts those beyond the page too."""
    return {"tasks": [task_json(view) for view in page.tasks], "total": page.total}
