"""Everything of a scope that travels, as of one moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from orca_core.model.import_export import (
    IMPORT,
    LEFT_BEHIND,
    TRAVELLING,
    ExportedChange,
    ExportedOperation,
    ExportedPair,
    ExportedRecord,
)
from orca_core.model.memories import Fields
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE, MEMORY, RecordType, parse_timestamp
from orca_core.operations.columns import fields_from_json
from orca_core.operations.memory_pairs import PAIRS
from orca_core.operations.record_links import links_of, names_of, with_links
from orca_core.store.ports import Rows, Transactions, above, any_of, is_, is_not

PAGE = 200
"""So many records are read at once. Chosen by hand."""
BOTH = "both"
"""What a person decided of a pair who keeps both."""
_OPERATION = ("id", "actor", "action", "at", "session_id", "round", "undoes", "undone_by")

Exported = ExportedRecord | ExportedOperation


class ExportStore:
    """Reads one scope."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def counts(self) -> dict[str, int]:
        """How many records each list has, by the names of `TRAVELLING`."""
        return await self._transactions.read(
            lambda rows: {name: rows.count(each.table) for name, each in TRAVELLING.items()}, own=True
        )

    async def read(self, take: Callable[[str, Iterator[Exported]], None]) -> None:
        """Hand over each list by its name, as all of them are at one moment: the records in the order in which they
        were made, at last the operations of which something travels, numbered from 1."""

        def read(rows: Rows) -> None:
            numbers = _numbered(rows)
            for name, record_type in TRAVELLING.items():
                take(name, _records(rows, record_type, numbers))
            take("operations", _operations(rows, numbers))

        await self._transactions.read(read, own=True)


def _numbered(rows: Rows) -> dict[int, int]:
    """The operations that did something to a record that is here, each with its number in the document. An import
    tells of the home that it came into."""
    told: set[int] = set()
    for each in TRAVELLING.values():
        same = is_("kind", each.kind.name)
        for numbers in _pages(rows, each):
            found = rows.select("memory_history", ("operation",), same, any_of("memory_id", numbers))
            told.update(operation for (operation,) in found)
    there = rows.select("operations", ("id",), is_not("action", IMPORT), order=("id",))
    return {number: place for place, number in enumerate((each for (each,) in there if each in told), start=1)}


def _pages(rows: Rows, record_type: RecordType[Any]) -> Iterator[list[int]]:
    last = 0
    while found := rows.select(record_type.table, ("id",), above("id", last), order=("id",), limit=PAGE):
        yield [number for (number,) in found]
        last = found[-1][0]


def _records(rows: Rows, record_type: RecordType[Any], numbers: dict[int, int]) -> Iterator[ExportedRecord]:
    for page in _pages(rows, record_type):
        found = rows.select(record_type.table, record_type.names, any_of("id", page), order=("id",))
        yield from _exported(rows, record_type, [record_type.from_row(row) for row in found], numbers)


def _exported(
    rows: Rows, record_type: RecordType[Any], records: Sequence[Any], numbers: dict[int, int]
) -> Iterator[ExportedRecord]:
    kind, ids = record_type.kind, [each.id for each in records]
    plain = [record_type.plain(each, record_type.names) for each in records]
    changes = _changes(rows, record_type, ids, numbers)
    sides = [side for each in changes.values() for change in each for side in (change.before, change.after)]
    names = names_of(rows, links_of(kind, [*plain, *(side for side in sides if side is not None)]))
    left = LEFT_BEHIND.get(kind, frozenset()) | {"id"}

    def travelling(fields: Fields) -> Fields:
        linked = with_links(kind, fields, lambda other, number: names.get((other, number)))
        return {column: value for column, value in linked.items() if column not in left}

    read = _read_as_they_stand(rows, record_type, ids) if kind == EPISODE else frozenset[int]()
    pairs = _pairs(rows, ids) if kind == MEMORY else {}
    for number, fields in zip(ids, plain, strict=True):
        history = tuple(
            ExportedChange(each.operation, each.before and travelling(each.before), travelling(each.after))
            for each in changes.get(number, ())
        )
        told = ExportedRecord(kind, travelling(fields), history, is_read=number in read)
        yield told if kind != MEMORY else ExportedRecord(kind, told.fields, history, pairs=pairs.get(number, ()))


def _changes(
    rows: Rows, record_type: RecordType[Any], ids: list[int], numbers: dict[int, int]
) -> dict[int, list[ExportedChange]]:
    found: dict[int, list[ExportedChange]] = {}
    which = (is_("kind", record_type.kind.name), any_of("memory_id", ids))
    columns = ("memory_id", "operation", "before", "after")
    for number, operation, before, after in rows.select("memory_history", columns, *which, order=("id",)):
        if operation in numbers:
            was = None if before is None else fields_from_json(before)
            change = ExportedChange(numbers[operation], was, fields_from_json(after))
            found.setdefault(number, []).append(change)
    return found


def _read_as_they_stand(rows: Rows, record_type: RecordType[Any], ids: list[int]) -> frozenset[int]:
    found = rows.select(record_type.table, ("id", "says", "read_as"), any_of("id", ids))
    return frozenset(number for number, says, read_as in found if says == read_as)


def _pairs(rows: Rows, ids: list[int]) -> dict[int, tuple[ExportedPair, ...]]:
    """The pairs of each memory that is the newer one of some."""
    columns = ("newer", "older", "why", "at", "settled")
    listed = rows.select(PAIRS, columns, any_of("newer", ids), order=("newer", "older"))
    names = names_of(rows, {(MEMORY, older) for _, older, *_ in listed})
    found: dict[int, tuple[ExportedPair, ...]] = {}
    for newer, older, why, at, is_settled in listed:
        if (MEMORY, older) in names:
            pair = ExportedPair(names[MEMORY, older], why, parse_timestamp(at), BOTH if is_settled else None)
            found[newer] = (*found.get(newer, ()), pair)
    return found


def _operations(rows: Rows, numbers: dict[int, int]) -> Iterator[ExportedOperation]:
    last = 0
    while found := rows.select("operations", _OPERATION, above("id", last), order=("id",), limit=PAGE):
        for number, actor, action, at, session_id, number_of_round, undoes, undone_by in found:
            if number in numbers:
                header = OperationHeader(Actor(actor), action, parse_timestamp(at), session_id, number_of_round)
                yield ExportedOperation(numbers[number], header, numbers.get(undoes), numbers.get(undone_by))
        last = found[-1][0]
