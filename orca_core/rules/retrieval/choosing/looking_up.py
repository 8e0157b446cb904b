"""What the model's own query finds: the plan of such a search, and which of the finds it is given."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.memories import MEMORIES
from orca_core.model.recall import Item
from orca_core.rules.retrieval.choosing.injection import RecallPlan
from orca_core.rules.retrieval.choosing.ranking import with_reason
from orca_core.rules.retrieval.finding.floors import FLOORS

LOOKED_UP = "looked_up"
"""The reason of what the model asked for."""
MOST_FOUND = 5
"""So many items answer a query: with five the wanted one was among them in 148 of 160 turns."""
MOST_OF_WORK = 2
"""So many of these may be episodes, knowledge and guides. Chosen by hand."""

PLAN = RecallPlan(
    rules=(),
    reason=LOOKED_UP,
    long_count=MOST_FOUND,
    episode_count=MOST_OF_WORK,
    knowledge_count=1,
    is_asked=True,
    floor=FLOORS.searched,
    work_floor=FLOORS.asked,
)
"""As near as what a person finds who searches; work has many words, and has to be nearer."""


def given(chosen: Sequence[Item]) -> tuple[Item, ...]:
    """Of what each source chose, nearest first, what answers the query: statements, and room for a little work."""
    found = [with_reason(item, LOOKED_UP) for item in chosen]
    work = [item for item in found if item.ref.kind != MEMORIES.kind][:MOST_OF_WORK]
    statements = [item for item in found if item.ref.kind == MEMORIES.kind]
    return (*statements[: MOST_FOUND - len(work)], *work)
