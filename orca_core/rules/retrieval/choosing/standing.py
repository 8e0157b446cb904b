"""Which memories stand whatever the question: those about how one wants to be answered."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from orca_core import words
from orca_core.model.memories import Memory, MemoryType
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
    if memory.type not in TYPES or _is_conditional(memory.content):
        return False
    return memory.type is MemoryType.INSTRUCTION or is_about_answers(memory)


def is_about_answers(memory: Memory) -> bool:
    """Whether its tags or its words say how one wants to be answered."""
    tags = words.word_set("wording.answering_tags")
    return any(tag.lower() in tags for tag in memory.tags) or _speaks_of_answers(memory.content)


# The same few memories are read for every turn.
@lru_cache(maxsize=512)
def _is_conditional(content: str) -> bool:
    return words.pattern("wording.condition").search(simplified(content)) is not None


@lru_cache(maxsize=512)
def _speaks_of_answers(content: str) -> bool:
    return words.pattern("wording.answering").search(simplified(content).lower()) is not None
