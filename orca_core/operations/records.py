"""Reads records of any kind by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from orca_core.model.errors import NotFound
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.memories import MEMORIES, Fields, Memory, State
from orca_core.model.record_types import MEMORY, SUMMARY, Kind, Kinds, R, RecordType, Ref
from orca_core.store.ports import Rows, any_of, is_

STANDS = (is_("undoes", None), is_("undone_by", None))
"""The condition that an operation is no undo and was not undone."""


class RecordTypes:
    """The kinds of records that operations change, by name."""

    def __init__(self, types: Iterable[RecordType[Any]] = RECORD_TYPES) -> None:
        self._by_kind: Mapping[Kind, RecordType[Any]] = {each.kind: each for each in types}
        self.kinds = Kinds(dict.fromkeys((MEMORY, SUMMARY, *self._by_kind)))

    def named(self, name: str) -> Kind:
        """The kind of this name; a kind that is no longer registered keeps its name."""
        return self.kinds.named(name)

    def of(self, kind: Kind) -> RecordType[Any]:
        return self._by_kind[kind]

    @property
    def unmade(self) -> Mapping[Kind, Fields]:
        """What a record of each kind is when its making is taken back; a kind where it can't be is not named."""
        return {kind: each.unmade for kind, each in self._by_kind.items() if each.unmade is not None}

    def whole(self, record_type: RecordType[Any], record: Any) -> Ref:
        """What a record is spoken of as: itself, or what it is a part of."""
        if record_type.part_of is None:
            return record_type.ref(record)
        column, table = record_type.part_of
        [of] = [each for each in self if each.table == table]
        return Ref(of.kind, getattr(record, column))

    def __iter__(self) -> Iterator[RecordType[Any]]:
        return iter(self._by_kind.values())

    def __contains__(self, kind: object) -> bool:
        return kind in self._by_kind


def record_of(rows: Rows, record_type: RecordType[R], record_id: int) -> R:
    """Raises NotFound where the scope has no such record."""
    found = rows.select(record_type.table, record_type.names, is_("id", record_id))
    if not found:
        raise NotFound(what=record_type.kind.name, id=record_id)
    return record_type.from_row(found[0])


def records_there(rows: Rows, record_type: RecordType[R], ids: Sequence[int]) -> list[R]:
    """The records that exist, in the order asked."""
    if not ids:
        return []
    found = rows.select(record_type.table, record_type.names, any_of("id", ids))
    by_id = {row[0]: record_type.from_row(row) for row in found}
    return [by_id[each] for each in ids if each in by_id]


def records_of(rows: Rows, record_type: RecordType[R], ids: Sequence[int]) -> list[R]:
    """The records, in the order asked. Raises NotFound for the first that the scope does not have."""
    found = records_there(rows, record_type, ids)
    if len(found) < len(ids):
        check_there(rows, record_type, ids)
    return found


def check_there(rows: Rows, record_type: RecordType[Any], ids: Sequence[int]) -> None:
    """Raises NotFound for the first of the records that the scope does not have."""
    there = {row[0] for row in rows.select(record_type.table, ("id",), any_of("id", ids))}
    for each in ids:
        if each not in there:
            raise NotFound(what=record_type.kind.name, id=each)


def memory_of(rows: Rows, memory_id: int) -> Memory:
    """Raises NotFound."""
    return record_of(rows, MEMORIES, memory_id)


def memories_there(rows: Rows, ids: Sequence[int]) -> list[Memory]:
    return records_there(rows, MEMORIES, ids)


def living_end(rows: Rows, memory_id: int) -> int:
    """The memory that stands in the place of this one today: the end of the chain of those that superseded it."""
    passed: list[int] = []
    while memory_id not in passed:
        passed.append(memory_id)
        for memory in memories_there(rows, [memory_id]):
            if memory.state is State.ARCHIVED and memory.superseded_by is not None:
                memory_id = memory.superseded_by
    return memory_id
