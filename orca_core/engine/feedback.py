"""Puts together what looks after acts and what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orca_core.model.records import ACTION
from orca_core.services.feedback.actions import Actions
from orca_core.services.feedback.feedback import Feedback
from orca_core.services.feedback.pools import Pools

if TYPE_CHECKING:
    from orca_core.orca import Orca


def feedback_on(engine: Orca) -> Feedback:
    stores, clock, memory = engine.stores, engine.clock, engine.settings.memory
    acts = stores.records[ACTION]
    return Feedback(
        actions=Actions(stores.actions, acts, engine.recorded, clock, memory.actions, engine.tools),
        pools=Pools(stores.supports, stores.memories, engine.views, clock, memory),
        reading=engine.learning.acts,
    )
