"""The kinds of records that every Orca knows, beside summaries."""

from __future__ import annotations

from typing import Any

from orca_core.model.episodes import EPISODES
from orca_core.model.feedback import ACTIONS, SUPPORTS
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.memories import MEMORIES
from orca_core.model.record_types import RecordType
from orca_core.model.tasks import STEPS, TASKS
from orca_core.model.tools import GUIDES

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
