"""A task that is over becomes an episode."""

from __future__ import annotations

from datetime import datetime

from orca_core.domain.work.episodes import Episode
from orca_core.domain.work.tasks import Outcome, TaskWithSteps
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.working.texts import episode_text

MAX_STEP_CHARS = 120


def episode_of(whole: TaskWithSteps, outcome: Outcome, outcome_summary: str, at: datetime) -> Episode:
    """What was done at a task that a hand has ended. Its number and its name come with its row."""
    task = whole.task
    steps = tuple(one_line(step.description, MAX_STEP_CHARS) for step in whole.steps)
    text = episode_text(trigger=task.request, target=task.target, steps=steps, outcome=outcome, tags=task.tags, at=at)
    return Episode(
        id=0,
        uid="",
        text=text,
        trigger_summary=task.request,
        created_at=at,
        updated_at=at,
        aged_from=at,
        trigger_type=task.trigger,
        target=task.target,
        steps=steps,
        outcome=outcome,
        outcome_summary=outcome_summary,
        tags=task.tags,
        task=task.id,
        origin=task.origin,
    )
