"""A task that is over becomes an episode."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, Episode
from orca_core.model.memories import Fields
from orca_core.model.tasks import Outcome, TaskWithSteps
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.work.edits import made_anew, text_of

MAX_STEP_CHARS = 120
KEPT = ("pinned", "access_count", "last_accessed")
"""Of an episode that is told anew: whether it is pinned, and how often it was needed."""


def episode_of(whole: TaskWithSteps, outcome: Outcome, outcome_summary: str, at: datetime) -> Episode:
    """What was done at a task that a hand has ended. Its number and its name come with its row."""
    task = whole.task
    steps = tuple(one_line(step.description, MAX_STEP_CHARS) for step in whole.steps)
    episode = Episode(
        id=0,
        uid="",
        text="",
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
    return made_anew(episode)


def ended_anew(before: Episode, told: Episode, by_hand: Collection[str]) -> Fields:
    """What the episode of a task becomes that is ended once more. What a person wrote into it stays; its text follows
    from what it says then."""
    told_fields = EPISODES.changeable_fields(told).items()
    fields = {name: value for name, value in told_fields if name not in (*KEPT, *by_hand)}
    says = replace(EPISODES.changed(before, fields), created_at=told.created_at)
    return {**fields, "text": text_of(says)}
