"""Compares the memories that an import brought with what is known, a slice a transaction: the same rules find the pairs
of which a person is to decide as where a memory is added by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from orca_core.domain.exchange import COMPARED_TO
from orca_core.domain.memories import MEMORIES, State
from orca_core.domain.stores.rows import Condition, Rows, above, below, is_
from orca_core.journal.pairs import judge_pairs
from orca_core.journal.records import JournalRules, memories_there

AT_ONCE = 10
"""So many a transaction compares. Chosen by hand."""
_BEHIND = COMPARED_TO[:-1] + chr(ord(COMPARED_TO[-1]) + 1)


def waiting_to_be_compared(rows: Rows) -> int:
    """How many memories, of all imports."""
    return sum(rows.count("memory_history", *_after(operation, last)) for operation, last in _imports(rows))


def compare_slice(rows: Rows, rules: JournalRules, at: datetime) -> int:
    """Compare the next ones; returns how many these were, 0 where none waits."""
    for operation, last in _imports(rows):
        found = rows.select(
            "memory_history", ("memory_id",), *_after(operation, last), order=("memory_id",), limit=AT_ONCE
        )
        key = is_("key", f"{COMPARED_TO}{operation}")
        if not found:
            rows.delete("meta", key)
            continue
        numbers = [row[0] for row in found]
        there = memories_there(rows, numbers)
        judge_pairs(rows, rules, [(None, each) for each in there if each.state is State.LIVE], at)
        rows.update("meta", {"value": str(numbers[-1])}, key)
        return len(numbers)
    return 0


def _imports(rows: Rows) -> Sequence[tuple[int, int]]:
    """The imports of this scope whose memories were not all compared, and up to which they were."""
    notes = rows.select("meta", ("key", "value"), above("key", COMPARED_TO), below("key", _BEHIND), order=("key",))
    each = [(int(key.removeprefix(COMPARED_TO)), int(last)) for key, last in notes]
    return [(operation, last) for operation, last in each if rows.count("operations", is_("id", operation))]


def _after(operation: int, last: int) -> tuple[Condition, ...]:
    return is_("operation", operation), is_("kind", MEMORIES.kind.name), above("memory_id", last)
