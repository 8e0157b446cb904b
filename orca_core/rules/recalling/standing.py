"""Which memories stand whatever the question: those about how one wants to be answered."""

from __future__ import annotations

from collections.abc import Iterable

from orca_core import words
from orca_core.domain.memories import Memory, MemoryType
from orca_core.rules.text.scripts import simplified

TYPES = (MemoryType.INSTRUCTION, MemoryType.PREFERENCE)
"""What may stand; others are never read for it."""


def standing(memories: Iterable[Memory], count: int) -> list[Memory]:
    """At most so many of them, as they come, what says how to answer before other instructions."""
    fit = [each for each in memories if stands(each)]
    return sorted(fit, key=lambda each: not is_about_answers(each))[:count]


def stands(memory: Memory) -> bool:
    """Instructions, and preferences about answers; not what holds only under a condition: that comes where the
    condition is spoken of."""
    if words.pattern("wording.condition").search(simplified(memory.content)):
        return False
    return memory.type is MemoryType.INSTRUCTION or (memory.type is MemoryType.PREFERENCE and is_about_answers(memory))


def is_about_answers(memory: Memory) -> bool:
    """Whether its tags or its words say how one wants to be answered."""
    tags = words.word_set("wording.answering_tags")
    return any(tag.lower() in tags for tag in memory.tags) or bool(
        words.pattern("wording.answering").search(simplified(memory.content).lower())
    )
