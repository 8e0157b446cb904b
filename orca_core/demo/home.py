"""The throw-away home of the story: what it begins with."""

from __future__ import annotations

from datetime import datetime

from orca_core.demo.script import story_in
from orca_core.model.memories import MemoryType, NewMemory
from orca_core.model.operations import Actor, OperationHeader
from orca_core.operations.memories import MemoryStore
from orca_core.rules.text.spelling import Language


async def furnish(memories: MemoryStore, language: Language, at: datetime) -> None:
    """Put the story's memories into an empty store, each with the weight that it has in the story."""
    weights: dict[int, float] = {}
    for each in story_in(language).memories:
        new = NewMemory(each.content, MemoryType(each.type), each.tags, pinned=each.pinned)
        added = await memories.add(new, OperationHeader(Actor.USER, "add", at))
        weights[added.memory.id] = each.weight
    header = OperationHeader(Actor.USER, "edit", at)
    await memories.change(
        list(weights), header, lambda found: {memory.id: {"weight": weights[memory.id]} for memory in found}
    )
