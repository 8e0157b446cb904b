"""A memory that a person brings, read beside the others before the transaction that makes it: comparing takes longer
than all that is written."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from orca_core.domain.memories import Addition, NewMemory
from orca_core.domain.stores.rows import Rows
from orca_core.journal.beside import Found, find_for_coming
from orca_core.journal.operations import Drafted, OpenOperation
from orca_core.journal.pairs import found_as, judge_pairs
from orca_core.journal.records import JournalRules


class Seen(Struct, frozen=True):
    """The memory that is to be made, and the pairs that it will come to."""

    drafted: Drafted
    found: Sequence[Found]


def look_beside(rows: Rows, rules: JournalRules, operation: OpenOperation, new: NewMemory) -> Seen | None:
    """In a reading; None where the content is stored already: what comes of that takes no long comparing."""
    drafted = operation.draft(new)
    return None if drafted is None else Seen(drafted, find_for_coming(rows, rules, drafted.memory, drafted.kept))


def add_beside(
    rows: Rows, rules: JournalRules, operation: OpenOperation, new: NewMemory, seen: Seen | None
) -> Addition:
    """Add it and list its pairs: those that were `seen`, where nothing was written since."""
    addition = operation.add(new, seen.drafted if seen else None)
    ahead = found_as(addition.memory, seen.found) if seen else None
    judge_pairs(rows, rules, operation.memories, operation.at, ahead=ahead)
    return addition
