"""Compares the memories that an import brought with what is known, slice by slice, each in a reading and then in a
short transaction: the same rules find the pairs of which a person is to decide as where a memory is added by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from msgspec import Struct

from orca_core.model.import_export import AMONG_THEMSELVES, COMPARED_TO
from orca_core.model.memories import MEMORIES, State
from orca_core.operations.beside import Found, find
from orca_core.operations.pairs import list_found
from orca_core.operations.records import memories_there
from orca_core.store.ports import Condition, Rows, above, below, is_

_BEHIND = COMPARED_TO[:-1] + chr(ord(COMPARED_TO[-1]) + 1)


def waiting_to_be_compared(rows: Rows) -> int:
    """How many memories, of all imports."""
    return sum(rows.count("memory_history", *_after(each.operation, each.last)) for each in _imports(rows))


class _Import(Struct, frozen=True):
    """One of this scope whose memories were not all compared, and up to which they were."""

    operation: int
    last: int
    marks: tuple[str, ...]


class Looked(Struct, frozen=True):
    """What the next memories of an import come to beside the others; no numbers where all of it is compared."""

    by: _Import
    numbers: Sequence[int]
    found: Sequence[Found]


def look(rows: Rows, most: int, is_over: Callable[[], bool]) -> Looked | None:
    """Compare the next ones, in a reading: at least one, so many at most, until it `is_over`. None where none waits."""
    for each in _imports(rows):
        waiting = rows.select(
            "memory_history", ("memory_id",), *_after(each.operation, each.last), order=("memory_id",), limit=most
        )
        there = {memory.id: memory for memory in memories_there(rows, [row[0] for row in waiting])}
        numbers: list[int] = []
        found: list[Found] = []
        for (number,) in waiting:
            memory = there.get(number)
            if memory is not None and memory.state is State.LIVE:
                found += find(rows, memory, is_compared=partial(_is_compared, rows, each))
            numbers.append(number)
            if is_over():
                break
        return Looked(each, numbers, found)
    return None


def note(rows: Rows, looked: Looked, at: datetime) -> None:
    """List what was found, unless it has changed since; pairs that came with an import stay as they are. Where another
    Orca compares the same, the farther one counts."""
    list_found(rows, looked.found, at)
    by = next((each for each in _imports(rows) if each.operation == looked.by.operation), None)
    key = is_("key", f"{COMPARED_TO}{looked.by.operation}")
    if not looked.numbers:
        rows.delete("meta", key)
    elif by is not None and by.last < looked.numbers[-1]:
        rows.update("meta", {"value": " ".join([str(looked.numbers[-1]), *by.marks])}, key)


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
