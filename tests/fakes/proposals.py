"""Facts on their way into a store, and the memories that they meet there."""

from __future__ import annotations

from collections.abc import Sequence

from fakes.memories import AT, memory

from orca_core.model.learning import Proposal
from orca_core.model.memories import Memory, MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor, Change
from orca_core.model.record_types import memory_ref


def learnt(id: int, content: str, rounds: Sequence[int] = (1,), session: str = "old", **fields: object) -> Memory:
    """A live memory that was learnt from typed words."""
    origin = Origin(OriginKind.EXTRACTION, session, tuple(rounds), fields.pop("quote", None))  # type: ignore[arg-type]
    return memory(**{"id": id, "content": content, "origin": origin, **fields})


def fact(
    content: str,
    quote: str | None = None,
    *,
    same: int | None = None,
    replaces: int | None = None,
    held: str | None = None,
    rounds: Sequence[int] = (5,),
    session: str = "s",
    type: str = "fact",
    tags: tuple[str, ...] = (),
) -> Proposal:
    state = State.CANDIDATE if held else State.LIVE
    origin = Origin(OriginKind.EXTRACTION, session, tuple(rounds), quote)
    new = NewMemory(content, MemoryType(type), tags, 0.9, origin=origin, state=state, held_because=held)
    return Proposal(new, same=same, replaces=replaces)


def edited(memory_id: int, action: str = "edit", **after: object) -> Change:
    return Change(1, memory_ref(memory_id), AT, Actor.USER, action, {}, after)
