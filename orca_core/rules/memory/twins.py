"""Memories that say just the same: in the same letters, whatever their width, case, blanks and last full stop."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from msgspec import Struct

from orca_core.model.memories import ConfirmedBy, Memory, MemoryType, State

_FULL_STOPS = ".。!！"
_INVISIBLE = frozenset({"Cf", "Cc"})


class Twins(Struct, frozen=True):
    """The memory that stays, and those that say just the same."""

    kept: Memory
    others: tuple[Memory, ...]


def same_letters(content: str, memory_type: MemoryType) -> tuple[str, MemoryType]:
    """What is the same of memories that say just the same. Signs count: C, C# and C++ are three things."""
    plain = "".join(content.split()).lower() if content.isascii() else _letters(content)
    return plain.rstrip(_FULL_STOPS), memory_type


def twins(memories: Iterable[Memory]) -> Sequence[Twins]:
    """Those of the memories that live and say just the same. What a person pinned stays; of the rest what stands on a
    person's word, what weighs most, what is oldest."""
    alike: dict[tuple[str, MemoryType], list[Memory]] = {}
    for memory in memories:
        if memory.state is State.LIVE:
            alike.setdefault(same_letters(memory.content, memory.type), []).append(memory)
    found = []
    for group in alike.values():
        kept, *rest = sorted(group, key=_by_right_to_stay)
        if others := tuple(each for each in rest if not each.pinned):
            found.append(Twins(kept, others))
    return found


def _letters(content: str) -> str:
    """A text folded in width and case, without blanks and invisible characters: all at once, for all memories are."""
    plain = unicodedata.normalize("NFKC", content).casefold()
    return "".join(each for each in plain if not each.isspace() and unicodedata.category(each) not in _INVISIBLE)


def _by_right_to_stay(memory: Memory) -> tuple[bool, bool, float, int]:
    return (not memory.pinned, memory.confirmed_by is not ConfirmedBy.HAND, -memory.weight, memory.id)
