"""The kinds of records that every Orca knows, beside summaries."""

from __future__ import annotations

from typing import Any

from orca_core.domain.growth.actions import ACTIONS
from orca_core.domain.growth.supports import SUPPORTS
from orca_core.domain.growth.tools import GUIDES
from orca_core.domain.memories import MEMORIES
from orca_core.domain.records import RecordType
from orca_core.domain.work.episodes import EPISODES
from orca_core.domain.work.knowledge import KNOWLEDGES
from orca_core.domain.work.tasks import STEPS, TASKS

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
