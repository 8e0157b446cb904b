"""What the memory agent is shown of episodes: data, never an instruction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import KnowledgeBatch
from orca_core.rules.consolidating.due import MOST
from orca_core.rules.consolidating.sources import believed
from orca_core.rules.text.cleaning import one_line

MAX_CHARS = 400
MAX_STEPS = 15
MAX_STEP_CHARS = 200
"""They bound what one call reads: twenty episodes are some ten thousand words at most. Chosen by hand."""


def material(batch: KnowledgeBatch) -> str:
    """The episodes of a batch, and as many of those before them as fit into one call, with what is known of them. What
    a person has not accepted is not shown as known."""
    earlier = batch.earlier[: max(0, MOST - len(batch.episodes))]
    known = believed(batch.known, (*batch.episodes, *batch.earlier))
    shown = {
        "target": batch.target,
        "known": [
            {"topic": each.topic, "content": each.content, "key_points": list(each.key_points)} for each in known
        ],
        "earlier": _rows(earlier),
        "episodes": _rows(batch.episodes),
    }
    return json.dumps(shown, ensure_ascii=False)


def prose(batch: KnowledgeBatch) -> str:
    """What the episodes say, to tell their language by."""
    return "\n".join(f"{each.trigger_summary}\n{each.outcome_summary}" for each in batch.episodes)


def _rows(episodes: Sequence[Episode]) -> list[dict[str, Any]]:
    """Oldest first."""
    return [_row(each) for each in sorted(episodes, key=lambda each: (each.created_at, each.id))]


def _row(episode: Episode) -> dict[str, Any]:
    return {
        "day": f"{episode.created_at.astimezone():%Y-%m-%d}",
        "trigger": one_line(episode.trigger_summary, MAX_CHARS),
        "steps": [one_line(step, MAX_STEP_CHARS) for step in episode.steps[:MAX_STEPS]],
        "outcome": episode.outcome.value,
        "outcome_summary": one_line(episode.outcome_summary, MAX_CHARS),
        "tags": list(episode.tags),
    }
