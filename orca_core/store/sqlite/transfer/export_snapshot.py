"""Everything of a scope that travels, as of one moment, read a page at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import Any

import apsw

from orca_core.model.import_export import (
    COMPARED_TO,
    IMPORT,
    LEFT_BEHIND,
    TRAVELLING,
    Packed,
    PackedChange,
    PackedOperation,
    PackedPair,
    Settled,
)
from orca_core.model.memories import Fields
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import ACTION, CALL, EPISODE, MEMORY, Kind, RecordType, parse_timestamp
from orca_core.model.tasks import STEP
from orca_core.operations.columns import fields_from_json, to_json
from orca_core.store.ports import Row
from orca_core.store.sqlite.engine.connection import SideConnection
from orca_core.store.sqlite.engine.meta import count_of
from orca_core.store.sqlite.transfer.travelling_records import linked, names_of, spoken_of

PAGE = 500
PAGES = {STEP: 20, CALL: 20, ACTION: 50}
"""Records that may be large are read fewer at a time. Chosen by hand."""

_TABLES = {each.kind: each.table for each in TRAVELLING.values()}
_IS_THERE = " OR ".join(
    f"h.kind = '{kind.name}' AND EXISTS (SELECT 1 FROM {table} t WHERE t.id = h.memory_id AND t.scope = o.scope)"
    for kind, table in _TABLES.items()
)
_NUMBER_OPERATIONS = f"""
    CREATE TEMP TABLE leaving_operations AS
    SELECT o.id AS id, row_number() OVER (ORDER BY o.id) AS number FROM operations o
    WHERE o.scope = ? AND o.action <> ? AND EXISTS (
        SELECT 1 FROM memory_history h WHERE h.operation = o.id AND ({_IS_THERE})
    )
"""
_OPERATIONS = """
    SELECT n.number, o.actor, o.action, o.at, o.session_id, o.round,
           (SELECT u.number FROM leaving_operations u WHERE u.id = o.undoes),
           (SELECT u.number FROM leaving_operations u WHERE u.id = o.undone_by)
    FROM leaving_operations n JOIN operations o ON o.id = n.id
    WHERE n.number > ? ORDER BY n.number LIMIT ?
"""
_CHANGES = """
    SELECT h.memory_id, n.number, h.before, h.after
    FROM memory_history h JOIN leaving_operations n ON n.id = h.operation
    WHERE h.kind = ? AND h.memory_id IN (SELECT value FROM json_each(?)) ORDER BY h.id
"""
_PAIRS = """
    SELECT p.newer, m.uid, p.why, p.at, p.settled FROM undecided_pairs p JOIN long_term_memories m ON m.id = p.older
    WHERE p.scope = ? AND p.newer IN (SELECT value FROM json_each(?)) ORDER BY p.newer, p.older
"""
_UNCOMPARED = f"""
    SELECT h.memory_id FROM meta n JOIN memory_history h
    ON h.operation = CAST(substr(n.key, {len(COMPARED_TO) + 1}) AS INTEGER) AND h.memory_id > CAST(n.value AS INTEGER)
    WHERE n.key GLOB '{COMPARED_TO}*' AND h.kind = '{MEMORY.name}' AND h.memory_id IN (SELECT value FROM json_each(?))
"""
_READ_AS_IT_STANDS = "SELECT id FROM episodes WHERE read_as = says AND id IN (SELECT value FROM json_each(?))"


class SQLiteExportSnapshot:
    """One snapshot of a scope. Close it."""

    def __init__(self, side: SideConnection, scope: str) -> None:
        self.counts: dict[str, int] = {}
        self._side = side
        self._scope = scope

    async def begin(self) -> None:
        """Take the snapshot."""

        def take(connection: apsw.Connection) -> dict[str, int]:
            connection.execute("BEGIN")
            counts = {
                name: count_of(connection, f"{each.table} WHERE scope = ?", self._scope)
                for name, each in TRAVELLING.items()
            }
            connection.execute(_NUMBER_OPERATIONS, (self._scope, IMPORT))
            connection.execute("CREATE UNIQUE INDEX temp.leaving_by_id ON leaving_operations (id)")
            return counts

        self.counts = await self._side.run(take)

    async def records(self, record_type: RecordType[Any]) -> AsyncIterator[Packed]:
        """The records of a kind, in the order in which they were made."""
        last = 0
        while True:
            numbers, page = await self._side.run(partial(self._page, record_type, last))
            for packed in page:
                yield packed
            if not numbers:
                return
            last = numbers[-1]

    async def operations(self) -> AsyncIterator[PackedOperation]:
        """The operations of which something travels, in their order."""
        last = 0
        while page := await self._side.run(partial(_operations, after=last)):
            for operation in page:
                yield operation
            last = page[-1].number

    async def aclose(self) -> None:
        await self._side.aclose()

    def _page(
        self, record_type: RecordType[Any], after: int, connection: apsw.Connection
    ) -> tuple[list[int], list[Packed]]:
        kind = record_type.kind
        rows = connection.execute(
            f"SELECT {', '.join(record_type.names)} FROM {record_type.table}"
            " WHERE scope = ? AND id > ? ORDER BY id LIMIT ?",
            (self._scope, after, PAGES.get(kind, PAGE)),
        ).fetchall()
        records = [record_type.from_row(row) for row in rows]
        numbers = [record_type.ref(each).id for each in records]
        plain = [record_type.plain(each, record_type.names) for each in records]
        history = _changes_of(connection, kind, numbers)
        every = [*plain, *(fields for each in history.values() for change in each for fields in _sides(change))]
        names = names_of(connection, self._scope, spoken_of(kind, every))

        def travelling(fields: Fields) -> Fields:
            named = linked(kind, fields, lambda other, number: names.get((other, number)))
            left = LEFT_BEHIND.get(kind, frozenset())
            return {column: value for column, value in named.items() if column != "id" and column not in left}

        read = _read_as_they_stand(connection, numbers) if kind == EPISODE else set[int]()
        pairs = _pairs_of(connection, self._scope, numbers) if kind == MEMORY else {}
        return numbers, [
            Packed(
                kind,
                travelling(fields),
                _packed(history.get(number, ()), travelling),
                is_read=number in read,
                pairs=pairs.get(number),
            )
            for number, fields in zip(numbers, plain, strict=True)
        ]


def _packed(changes: Iterable[PackedChange], travelling: Any) -> tuple[PackedChange, ...]:
    return tuple(
        PackedChange(each.operation, None if each.before is None else travelling(each.before), travelling(each.after))
        for each in changes
    )


def _sides(change: PackedChange) -> list[Fields]:
    return [change.after] if change.before is None else [change.before, change.after]


def _changes_of(connection: apsw.Connection, kind: Kind, numbers: list[int]) -> dict[int, list[PackedChange]]:
    found: dict[int, list[PackedChange]] = {}
    for number, operation, before, after in connection.execute(_CHANGES, (kind.name, to_json(numbers))):
        was = None if before is None else fields_from_json(str(before))
        change = PackedChange(int(str(operation)), was, fields_from_json(str(after)))
        found.setdefault(int(str(number)), []).append(change)
    return found


def _pairs_of(connection: apsw.Connection, scope: str, numbers: list[int]) -> dict[int, tuple[PackedPair, ...]]:
    """Those of each memory that is compared with others, or has some all the same."""
    found: dict[int, tuple[PackedPair, ...]] = dict.fromkeys(numbers, ())
    for (number,) in connection.execute(_UNCOMPARED, (to_json(numbers),)):
        found.pop(int(str(number)), None)
    for newer, older, why, at, is_settled in connection.execute(_PAIRS, (scope, to_json(numbers))):
        settled = Settled.BOTH if is_settled else None
        pair = PackedPair(str(older), str(why), parse_timestamp(str(at)), settled)
        number = int(str(newer))
        found[number] = (*found.get(number, ()), pair)
    return found


def _read_as_they_stand(connection: apsw.Connection, numbers: list[int]) -> set[int]:
    return {int(str(number)) for (number,) in connection.execute(_READ_AS_IT_STANDS, (to_json(numbers),))}


def _operations(connection: apsw.Connection, after: int) -> list[PackedOperation]:
    rows: list[Row] = list(connection.execute(_OPERATIONS, (after, PAGE)))
    return [_operation_from(row) for row in rows]


def _operation_from(row: Row) -> PackedOperation:
    number, actor, action, at, session_id, number_of_round, undoes, undone_by = row
    return PackedOperation(
        number,
        OperationHeader(Actor(actor), action, parse_timestamp(at), session_id, number_of_round),
        undoes,
        undone_by,
    )
