"""The kinds of records that every Orca knows, beside summaries."""

from __future__ import annotations

from typing import Any

from orca_core.domain.feedback.actions import ACTIONS
from orca_core.domain.feedback.supports import SUPPORTS
from orca_core.domain.memories import MEMORIES
from orca_core.domain.records import RecordType
from orca_core.domain.work.episodes import EPISODES
from orca_core.domain.work.knowledge import KNOWLEDGES
from orca_core.domain.work.tasks import STEPS, TASKS
from orca_core.domain.work.tools import GUIDES

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
