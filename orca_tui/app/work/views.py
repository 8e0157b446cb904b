"""Knowledge with what people see of it."""

from __future__ import annotations

from orca_core.domain.memories import State, Status
from orca_core.domain.work.knowledge import Knowledge
from orca_core.domain.work.views import KnowledgeView


def viewed(known: Knowledge) -> KnowledgeView:
    """Knowledge has no weight: its status is its state."""
    return KnowledgeView(known, Status.ACTIVE if known.state is State.LIVE else Status(known.state.value))
