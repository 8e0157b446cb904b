"""A memory that a person brings, read beside the others before the transaction that makes it: comparing takes longer
than all that is written."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.memories import Addition, NewMemory
from orca_core.operations.beside import Found, find_for_coming, in_other_spelling
from orca_core.operations.operations import Drafted, OpenOperation
from orca_core.operations.pairs import found_as, judge_pairs
from orca_core.store.ports import Rows


class Seen(Struct, frozen=True):
    """The memory that is to be made, and the pairs that it will come to."""

    drafted: Drafted
    found: Sequence[Found]


def look_beside(rows: Rows, operation: OpenOperation, new: NewMemory) -> Seen | None:
    """In a reading; None where the statement is stored already: what comes of that takes no long comparing."""
    drafted = operation.draft(new)
    if drafted is None or in_other_spelling(rows, drafted.memory, drafted.kept) is not None:
        return None
    return Seen(drafted, find_for_coming(rows, drafted.memory, drafted.kept))


def as_stored(rows: Rows, operation: OpenOperation, new: NewMemory) -> NewMemory:
    """A statement in the spelling in which a memory says it already, whatever the type of that."""
    drafted = operation.draft(new)
    stored = None if drafted is None else in_other_spelling(rows, drafted.memory, drafted.kept)
    return new if stored is None else replace(new, content=stored)


def add_beside(rows: Rows, operation: OpenOperation, new: NewMemory, seen: Seen | None) -> Addition:
    """Add it and list its pairs: those that were `seen`, where nothing was written since."""
    addition = operation.add(new, seen.drafted) if seen else operation.add(as_stored(rows, operation, new))
    ahead = found_as(addition.memory, seen.found) if seen else None
    judge_pairs(rows, operation.memories, operation.at, ahead=ahead)
    return addition
