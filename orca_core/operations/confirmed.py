"""Whose word a memory lives on after an operation was taken back or done again, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from orca_core.model.memories import MEMORIES, ConfirmedBy, Fields, Memory, State
from orca_core.model.records import MEMORY, Ref
from orca_core.operations.columns import fields_from_json
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import STANDS, memories_there
from orca_core.rules.memory import said_again, undo_rules
from orca_core.store.ports import Rows, any_of, is_, is_not

_FIELD = "confirmed_by"
_HAND = ConfirmedBy.HAND.value


def agree(rows: Rows, operation: OpenOperation, touched: Sequence[Ref]) -> None:
    """A memory to which a person gave their word several times lives on it until the last of these is taken back."""
    for memory in memories_there(rows, [ref.id for ref in touched if ref.kind == MEMORY]):
        if memory.state is State.LIVE and (wanted := _wanted(rows, memory)):
            operation.change(MEMORIES.ref(memory), wanted, memory)


def _wanted(rows: Rows, memory: Memory) -> Fields:
    """What it lives on by what stands, from the last time on that a person gave it their word; nothing where nobody
    did since it was made."""
    changes = _changes(rows, memory)
    given = [at for at, (_, before, after) in enumerate(changes) if _gives(before, after)]
    if not given:
        return {}
    (first, before, _), *later = changes[given[-1] :]
    spoken = [first, *(number for number, _, after in later if said_again.speaks_by_hand(after, before[_FIELD]))]
    by_hand = any_of("actor", [each.value for each in undo_rules.OWN_ACTORS])
    stands = bool(rows.count("operations", any_of("id", spoken), by_hand, *STANDS))
    is_hand = memory.confirmed_by is ConfirmedBy.HAND
    if stands == is_hand:
        return {}
    return {_FIELD: _HAND if stands else before[_FIELD]}


def _gives(before: Fields, after: Fields) -> bool:
    return after.get(_FIELD) == _HAND and before.get(_FIELD) != _HAND


def _changes(rows: Rows, memory: Memory) -> list[tuple[int, dict[str, Any], dict[str, Any]]]:
    """What changed of it since it was made, oldest first, without what only undid or did again."""
    same = (is_("kind", MEMORY.name), is_("memory_id", memory.id), is_not("before", None))
    found = rows.select("memory_history", ("operation", "before", "after"), *same, order=("operation",))
    numbers = [number for number, _, _ in found]
    own = {number for (number,) in rows.select("operations", ("id",), any_of("id", numbers), is_("undoes", None))}
    return [
        (number, dict(fields_from_json(before)), dict(fields_from_json(after)))
        for number, before, after in found
        if number in own
    ]
