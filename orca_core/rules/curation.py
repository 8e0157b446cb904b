"""What a hand may do to a memory: each action a function from the memory to the fields that change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from orca_core.domain.errors import InvalidInput
from orca_core.domain.memories import ArchivedBecause, Decide, Fields, Memory, MemoryType, State
from orca_core.rules.cleaning import check_memory_length, clean_memory
from orca_core.rules.status import BIRTH_WEIGHT

MAX_TAGS = 20
MAX_TAG_CHARS = 40


def pin(memory: Memory) -> Fields:
    _must_be_live(memory, "pinned")
    return {"pinned": True}


def unpin(memory: Memory) -> Fields:
    return {"pinned": False} if memory.pinned else {}


def archive(memory: Memory) -> Fields:
    """Put aside by hand: it stays so until a hand restores it. A pinned one is unpinned with it."""
    if memory.state is State.ARCHIVED and memory.archived_because is ArchivedBecause.HAND:
        return {}
    return {"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.HAND.value, "pinned": False}


def restore(memory: Memory, *, archive_threshold: float) -> Fields:
    """Live again; at the weight of birth where it had sunk too low to stay."""
    if memory.state is State.LIVE:
        return {}
    if memory.state is State.CANDIDATE:
        raise InvalidInput(template="memory {id} is a candidate, not archived", id=memory.id)
    sunk = memory.archived_because is ArchivedBecause.WEIGHT or memory.weight < archive_threshold
    return {
        "state": State.LIVE.value,
        "archived_because": None,
        "superseded_by": None,
        "weight": BIRTH_WEIGHT if sunk else memory.weight,
    }


def edit(
    *,
    content: str | None = None,
    type_word: str | None = None,
    tags: Sequence[str] | None = None,
    confidence: float | None = None,
    weight: float | None = None,
    max_weight: float,
) -> Decide:
    """The checked changes, the same for every memory that they are made to."""
    changes: dict[str, Any] = {}
    if content is not None:
        changes["content"] = clean_memory(content)
        check_memory_length(changes["content"])
    if type_word is not None:
        changes["type"] = memory_type(type_word).value
    if tags is not None:
        changes["tags"] = list(checked_tags(tags))
    if confidence is not None:
        changes["confidence"] = _between("confidence", confidence, 1.0)
    if weight is not None:
        changes["weight"] = _between("weight", weight, max_weight)
    if not changes:
        raise InvalidInput(template="nothing to change", hint="name at least one field")
    return lambda memory: dict(changes)


def memory_type(word: str) -> MemoryType:
    """A type by its name. Raises InvalidInput, naming them all."""
    try:
        return MemoryType(word.strip().lower())
    except ValueError:
        known = ", ".join(MemoryType)
        raise InvalidInput(
            template="no such memory type: {found}", hint="one of {known}", found=word, known=known
        ) from None


def checked_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags cleaned, each once, in their order."""
    cleaned = tuple(dict.fromkeys(tag for tag in (clean_memory(tag) for tag in tags) if tag))
    if len(cleaned) > MAX_TAGS:
        raise InvalidInput(template="{found} tags, at most {most}", found=len(cleaned), most=MAX_TAGS)
    for tag in cleaned:
        if len(tag) > MAX_TAG_CHARS:
            raise InvalidInput(
                template="a tag of {found} characters, at most {most}", found=len(tag), most=MAX_TAG_CHARS
            )
    return cleaned


def _between(name: str, value: float, most: float) -> float:
    if not math.isfinite(value) or not 0 <= value <= most:
        raise InvalidInput(
            template="{name} must lie between 0 and {most:g}, not {found:g}", name=name, most=most, found=value
        )
    return round(float(value), 6)


def _must_be_live(memory: Memory, what: str) -> None:
    if memory.state is not State.LIVE:
        raise InvalidInput(
            template="memory {id} is {state}, it can not be {what}",
            hint="orca memory restore {id} brings it back",
            id=memory.id,
            state=memory.state.value,
            what=what,
        )
