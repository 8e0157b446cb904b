"""Decide what a person may do to a memory (each action goes from the memory to the fields that change), and what its
status is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import (
    BIRTH_WEIGHT,
    MEMORIES,
    ArchivedBecause,
    Decide,
    Fields,
    Memory,
    MemoryType,
    State,
    Status,
)
from orca_core.model.views import StatusCriteria
from orca_core.rules.memory.said_again import ACCEPTED, BY_HAND, ITS_WORD, NEVER, superseded_fields
from orca_core.rules.text.cleaning import check_memory_length, clean_memory

MAX_TAGS = 20
MAX_TAG_CHARS = 40
"""They bound a row of a list and of an export. Chosen by hand."""


OfOne = Callable[[Memory], Fields]


def each(change: OfOne) -> Decide:
    """The same action on every memory."""
    return lambda memories: {memory.id: change(memory) for memory in memories}


def pin(memory: Memory) -> Fields:
    """A pin is a person's word for what lived on acts alone."""
    _must_be_live(memory, "pinned")
    return {"pinned": True, **(BY_HAND if memory.confirmed_by is None else {})}


def unpin(memory: Memory) -> Fields:
    return {"pinned": False} if memory.pinned else {}


def archive(memory: Memory) -> Fields:
    """Archive by hand: only a hand restores it. A pinned memory is unpinned."""
    if memory.state is State.ARCHIVED and memory.archived_because is ArchivedBecause.HAND:
        return {}
    return {"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.HAND.value, "pinned": False}


def restore(memory: Memory, *, archive_threshold: float) -> Fields:
    """Live again. A memory whose weight had sunk below the archive threshold starts at the weight of a new one."""
    if memory.state is State.LIVE:
        return {}
    if memory.state is State.CANDIDATE:
        raise InvalidInput(template="memory {id} is a candidate, not archived", id=memory.id)
    sunk = memory.archived_because is ArchivedBecause.WEIGHT or memory.weight < archive_threshold
    return {**ACCEPTED, **BY_HAND, "weight": BIRTH_WEIGHT if sunk else memory.weight}


SaysTheSame = Callable[[Memory, Sequence[Memory]], Memory | None]
"""Which of the memories lives and says what a candidate says (`same_that_lives` of `rules.learning.inbox_review`)."""


def _nothing_says_it(_candidate: Memory, _memories: Sequence[Memory]) -> None:
    return None


def accept(
    shown: Mapping[int, str],
    *,
    instead_of: int | None = None,
    edited: OfOne | None = None,
    same: SaysTheSame = _nothing_says_it,
) -> Decide:
    """Candidates become live, and replace what they would replace, or `instead_of`. One that is remembered by now
    confirms that memory, and gives way to it.

    `shown` are the texts that were approved: a candidate whose text has changed since is refused. `edited` is what the
    person wrote while accepting; it is part of the same decision."""

    def decide(memories: Sequence[Memory]) -> Mapping[int, Fields]:
        now = {memory.id: memory for memory in memories}
        wanted: dict[int, Fields] = {}

        def change(memory: Memory, fields: Fields) -> None:
            wanted[memory.id] = {**wanted.get(memory.id, {}), **fields}
            now[memory.id] = MEMORIES.changed(memory, fields)

        for memory_id, text in shown.items():
            candidate = now[memory_id]
            _must_be_candidate(candidate, "accepted")
            if candidate.content != text:
                raise InvalidInput(
                    template="memory {id} was changed since it was shown",
                    hint="look at it again",
                    id=memory_id,
                )
            known = same(candidate, tuple(now.values()))
            left = candidate if known is None else known
            replaced = now.get(instead_of or candidate.would_replace or 0)
            if known is None:
                change(candidate, {**(edited(candidate) if edited else {}), **ACCEPTED, **BY_HAND})
            else:
                change(known, _confirmed(known, candidate))
                change(candidate, {**superseded_fields(known.id), "held_because": None, "would_replace": None})
            if replaced is not None and replaced.id != left.id and _lives(replaced) and not replaced.pinned:
                change(replaced, superseded_fields(left.id))
        return wanted

    return decide


def _lives(memory: Memory | None) -> bool:
    return memory is not None and memory.state is State.LIVE


def _confirmed(known: Memory, candidate: Memory) -> Fields:
    together = {"confidence": max(known.confidence, candidate.confidence), "seen": known.seen + candidate.seen}
    return {**together, **BY_HAND}


def reject(memory: Memory) -> Fields:
    """Not to be learnt in these words again. Why it was held stays readable."""
    _must_be_candidate(memory, "rejected")
    return {"state": State.REJECTED.value}


def never(_: Memory) -> Fields:
    """Not to be learnt again in any words. A live memory can be refused so, too."""
    return {"state": State.REJECTED.value, "held_because": NEVER, "archived_because": None, "pinned": False}


def merge(kept_id: int, *, content: str | None, max_weight: float) -> Decide:
    """One memory of several: it takes over their counts, and they are archived as replaced by it."""
    cleaned = None if content is None else clean_memory(content)
    if cleaned is not None:
        check_memory_length(cleaned)

    def decide(memories: Sequence[Memory]) -> Mapping[int, Fields]:
        kept = next(memory for memory in memories if memory.id == kept_id)
        others = [memory for memory in memories if memory.id != kept_id]
        if not others:
            raise InvalidInput(template="merging takes two memories or more")
        together = {
            **ACCEPTED,
            **BY_HAND,
            "content": cleaned or kept.content,
            "tags": list(dict.fromkeys(tag for memory in [kept, *others] for tag in memory.tags))[:MAX_TAGS],
            "confidence": max(memory.confidence for memory in memories),
            "weight": min(max_weight, max(memory.weight for memory in memories)),
            "seen": sum(memory.seen for memory in memories),
            "pinned": any(memory.pinned for memory in memories),
        }
        return {**{memory.id: {**superseded_fields(kept_id), "pinned": False} for memory in others}, kept_id: together}

    return decide


def edit(
    *,
    content: str | None = None,
    type_word: str | None = None,
    tags: Sequence[str] | None = None,
    confidence: float | None = None,
    weight: float | None = None,
    max_weight: float,
) -> OfOne:
    """The checked changes. Raises InvalidInput where there are none, or one can't be made."""
    changes: dict[str, Any] = {}
    if content is not None:
        changes["content"] = clean_memory(content)
        check_memory_length(changes["content"])
    if type_word is not None:
        changes["type"] = memory_type(type_word).value
    if tags is not None:
        changes["tags"] = list(checked_tags(tags))
    if confidence is not None:
        changes["confidence"] = between("confidence", confidence, 1.0)
    if weight is not None:
        changes["weight"] = between("weight", weight, max_weight)
    if not changes:
        raise InvalidInput(template="nothing to change", hint="name at least one field")
    return lambda memory: {**changes, **_of_a_hand(memory, changes)}


def _of_a_hand(memory: Memory, changes: Fields) -> Fields:
    """Return what a person words anew lives on that person's word. What waits is accepted, or not, whoever worded
    it."""
    if memory.state in (State.CANDIDATE, State.REJECTED):
        return {}
    held = MEMORIES.plain(memory, ITS_WORD)
    return BY_HAND if any(changes.get(name, held[name]) != held[name] for name in ITS_WORD) else {}


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


def between(name: str, value: float, most: float) -> float:
    """The figure to six digits. Raises InvalidInput where it lies not between 0 and `most`."""
    if not math.isfinite(value) or not 0 <= value <= most:
        raise InvalidInput(
            template="{name} must lie between 0 and {most:g}, not {found:g}", name=name, most=most, found=value
        )
    return round(float(value), 6)


def _must_be_candidate(memory: Memory, what: str) -> None:
    if memory.state is not State.CANDIDATE:
        raise InvalidInput(
            template="memory {id} is no candidate, it can not be {what}",
            hint="orca memory inbox lists the candidates",
            id=memory.id,
            what=what,
        )


def _must_be_live(memory: Memory, what: str) -> None:
    if memory.state is not State.LIVE:
        raise InvalidInput(
            template="memory {id} is {state}, it can not be {what}",
            hint="orca memory restore {id} brings it back",
            id=memory.id,
            state=memory.state.value,
            what=what,
        )


LIVE = "live"
ALL = "all"

_WITHOUT_WEIGHT = {
    State.CANDIDATE: Status.CANDIDATE,
    State.REJECTED: Status.REJECTED,
    State.ARCHIVED: Status.ARCHIVED,
}


def status_of(memory: Memory, core_threshold: float) -> Status:
    """The status of a memory. It is the stored state, except that a live memory above the threshold is core."""
    return status_by(memory.state, memory.weight, core_threshold)


def status_by(state: State, weight: float, core_threshold: float) -> Status:
    """The status of a memory in this state that weighs so much."""
    if state is not State.LIVE:
        return _WITHOUT_WEIGHT[state]
    return Status.CORE if weight > core_threshold else Status.ACTIVE


def status_of_work(state: State) -> Status:
    """The status of an episode or of knowledge, which have no weight."""
    return _WITHOUT_WEIGHT.get(state, Status.ACTIVE)


def criteria(status_word: str, core_threshold: float) -> StatusCriteria:
    """Return what a store looks for: a status, `live` (active and core) or `all`. Raises InvalidInput."""
    if status_word == ALL:
        return StatusCriteria(tuple(State))
    if status_word in (LIVE, Status.CORE, Status.ACTIVE):
        return StatusCriteria(
            (State.LIVE,),
            weight_above=core_threshold if status_word == Status.CORE else None,
            weight_at_most=core_threshold if status_word == Status.ACTIVE else None,
        )
    for state, status in _WITHOUT_WEIGHT.items():
        if status_word == status:
            return StatusCriteria((state,))
    raise InvalidInput(
        template="no such status: {found}",
        hint="one of {known}",
        found=status_word,
        known=", ".join([LIVE, ALL, *Status]),
    )
