"""The kinds of records that every Orca knows, beside summaries."""

from __future__ import annotations

from typing import Any

from orca_core.model.feedback.actions import ACTIONS
from orca_core.model.feedback.supports import SUPPORTS
from orca_core.model.memories import MEMORIES
from orca_core.model.records import RecordType
from orca_core.model.work.episodes import EPISODES
from orca_core.model.work.knowledge import KNOWLEDGES
from orca_core.model.work.tasks import STEPS, TASKS
from orca_core.model.work.tools import GUIDES

RECORD_TYPES: tuple[RecordType[Any], ...] = (
    MEMORIES,
    EPISODES,
    KNOWLEDGES,
    TASKS,
    STEPS,
    GUIDES,
    ACTIONS,
    SUPPORTS,
)
