"""Compares the memories that an import brought with what is known, a slice a transaction: the same rules find the pairs
of which a person is to decide as where a memory is added by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from orca_core.domain.dataclass import dataclass
from orca_core.domain.exchange import AMONG_THEMSELVES, COMPARED_TO
from orca_core.domain.memories import MEMORIES, State
from orca_core.domain.stores.rows import Condition, Rows, above, below, is_
from orca_core.journal.pairs import compare_arrived
from orca_core.journal.records import JournalRules, memories_there

_BEHIND = COMPARED_TO[:-1] + chr(ord(COMPARED_TO[-1]) + 1)


def waiting_to_be_compared(rows: Rows) -> int:
    """How many memories, of all imports."""
    return sum(rows.count("memory_history", *_after(each.operation, each.last)) for each in _imports(rows))


def compare_slice(rows: Rows, rules: JournalRules, at: datetime, most: int) -> int:
    """Compare the next so many; returns how many these were, 0 where none waits."""
    for each in _imports(rows):
        found = rows.select(
            "memory_history", ("memory_id",), *_after(each.operation, each.last), order=("memory_id",), limit=most
        )
        key = is_("key", f"{COMPARED_TO}{each.operation}")
        if not found:
            rows.delete("meta", key)
            continue
        numbers = [row[0] for row in found]
        for memory in memories_there(rows, numbers):
            if memory.state is State.LIVE:
                compare_arrived(rows, rules, memory, partial(_is_compared, rows, each), at)
        rows.update("meta", {"value": " ".join([str(numbers[-1]), *each.marks])}, key)
        return len(numbers)
    return 0


@dataclass(frozen=True, slots=True)
class _Import:
    """One of this scope whose memories were not all compared, and up to which they were."""

    operation: int
    last: int
    marks: tuple[str, ...]


def _is_compared(rows: Rows, by: _Import, other: int) -> bool:
    """Whether a memory that this import brought was compared with the other one before."""
    return AMONG_THEMSELVES in by.marks and bool(
        rows.count("memory_history", *_brought(by.operation), is_("memory_id", other))
    )


def _imports(rows: Rows) -> Sequence[_Import]:
    found = rows.select("meta", ("key", "value"), above("key", COMPARED_TO), below("key", _BEHIND), order=("key",))
    noted = ((int(key.removeprefix(COMPARED_TO)), *value.split()) for key, value in found)
    imports = [_Import(operation, int(last), tuple(marks)) for operation, last, *marks in noted]
    return [each for each in imports if rows.count("operations", is_("id", each.operation))]


def _after(operation: int, last: int) -> tuple[Condition, ...]:
    return *_brought(operation), above("memory_id", last)


def _brought(operation: int) -> tuple[Condition, ...]:
    return is_("operation", operation), is_("kind", MEMORIES.kind.name)
