"""The rows of what comes, made beside the database: with the numbers that they will have, and everything that a search
finds them by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from orca_core.domain.exchange import TRAVELLING, Arrival
from orca_core.domain.memories import MEMORIES, Fields
from orca_core.domain.records import RecordType
from orca_core.domain.refs import CALL, EPISODE
from orca_core.storage.sqlite.engine.rows import Row, to_json
from orca_core.storage.sqlite.engine.writing import writing
from orca_core.storage.sqlite.exchange.names import TABLES, is_linked, linked, numbers_of, spoken_of
from orca_core.storage.sqlite.exchange.rows import RowMaker
from orca_core.storage.sqlite.memories.ahead import Numbers, note

SLICE = 500
COMES = (Arrival.NEW.value, Arrival.CANDIDATE.value)
_AMONG = f"arrival IN ('{COMES[0]}', '{COMES[1]}')"
CUES, HISTORY, IMPORTED = "memory_cues", "memory_history", "imported"
COUNTED = (*dict.fromkeys(each.table for each in TRAVELLING.values()), CUES, "operations")
"""Tables whose rows have numbers that are never used again."""

_NUMBER = f"""
    UPDATE spool.arriving AS a SET number = ? + x.place FROM (
        SELECT n, row_number() OVER (ORDER BY n) AS place FROM spool.arriving WHERE kind = ? AND {_AMONG}
    ) AS x WHERE x.n = a.n
"""
_USED = f"""
    SELECT DISTINCT p.operation FROM spool.past p JOIN spool.arriving a ON a.n = p.owner WHERE a.arrival = '{COMES[0]}'
"""
_NUMBER_OPERATIONS = f"""
    UPDATE spool.operations AS o SET id = ? + x.place FROM (
        SELECT number, row_number() OVER (ORDER BY number) AS place FROM spool.operations WHERE number IN ({_USED})
    ) AS x WHERE x.number = o.number
"""
_SLICE = f"""
    SELECT n, number, body, is_read, arrival FROM spool.arriving
    WHERE kind = ? AND {_AMONG} AND n > ? ORDER BY n LIMIT ?
"""
_COUNT = f"SELECT count(*) FROM spool.arriving WHERE kind = ? AND {_AMONG}"
_COUNT_CUES = f"""
    SELECT coalesce(sum(json_array_length(body, '$.cues')), 0) FROM spool.arriving WHERE kind = ? AND {_AMONG}
"""
_PAST = """
    SELECT p.owner, o.id, p.before, p.after FROM spool.past p JOIN spool.operations o ON o.number = p.operation
    WHERE p.owner IN (SELECT value FROM json_each(?)) ORDER BY p.n
"""
_SEQUENCE = "SELECT seq FROM main.sqlite_sequence WHERE name = ?"


class Building:
    """The rows of one import."""

    def __init__(self, connection: apsw.Connection, scope: str, maker: RowMaker) -> None:
        self._connection = connection
        self._scope = scope
        self._maker = maker
        self._next_cue = 0
        self.coming = 0
        """How many records there are."""
        self.operations = Numbers(0, 0)

    def reserve(self) -> None:
        """Take the numbers of the new rows and of the import, in a transaction of its own: nobody else gets them."""
        counts = self._counts()
        self.coming = sum(counts[table] for table in TABLES.values())
        counts["operations"] += 1
        with writing(self._connection):
            base = {table: self._reserved(table, count) for table, count in counts.items()}
            self.operations = Numbers(base["operations"] + 1, base["operations"] + counts["operations"])
            note(self._connection, self.operations)
        for kind, table in TABLES.items():
            self._connection.execute(_NUMBER, (base[table], kind.name))
        self._connection.execute("UPDATE spool.operations SET id = NULL")
        self._connection.execute(_NUMBER_OPERATIONS, (base["operations"],))
        self._next_cue = base[CUES] + 1

    def make_tables(self) -> None:
        """Empty tables for the rows."""
        for table in (*COUNTED[:-1], HISTORY):
            self._connection.execute(f"DROP TABLE IF EXISTS spool.new_{table}")
            self._connection.execute(f"CREATE TABLE spool.new_{table} AS SELECT * FROM main.{table} WHERE 0")
        self._connection.execute(f"DROP TABLE IF EXISTS spool.new_{IMPORTED}")
        self._connection.execute(f"CREATE TABLE spool.new_{IMPORTED} (kind TEXT, memory_id INTEGER, after TEXT)")

    def build(self, record_type: RecordType[Any], after: int) -> tuple[int, int] | None:
        """The rows of a slice of one kind; returns where to go on and how many there were, None at the end."""
        found = self._connection.execute(_SLICE, (record_type.kind.name, after, SLICE)).fetchall()
        if not found:
            return None
        self._connection.execute("SAVEPOINT slice")
        try:
            self._build(record_type, found)
        finally:
            self._connection.execute("RELEASE slice")
        return int(str(found[-1][0])), len(found)

    def _build(self, record_type: RecordType[Any], found: Sequence[Row]) -> None:
        kind = record_type.kind
        bodies = [json.loads(str(row[2])) for row in found]
        past = self._past([int(str(row[0])) for row in found if row[4] == Arrival.NEW])
        told = [json.loads(text) for _n, _operation, *sides in past for text in sides if text and is_linked(kind, text)]
        numbers = numbers_of(self._connection, self._scope, spoken_of(kind, [*bodies, *told]))

        def at_home(fields: Fields) -> dict[str, Any]:
            return linked(kind, fields, lambda other, name: numbers.get((other, name)))

        def as_told(text: str | None) -> str | None:
            return text if text is None or not is_linked(kind, text) else to_json(at_home(json.loads(text)))

        records, number_of = [], {}
        for (n, number, text, is_read, _arrival), body in zip(found, bodies, strict=True):
            fields = {**(at_home(body) if is_linked(kind, str(text)) else body), "id": number}
            if kind == EPISODE:
                fields["task"] = self._task_without_episode(fields["task"])
            records.append((fields, bool(is_read)))
            number_of[n] = number
        self._insert(record_type.table, [self._maker.row(record_type, each, is_read=read) for each, read in records])
        self._insert(HISTORY, [
            {"operation": operation, "kind": kind.name, "memory_id": number_of[n], "before": as_told(before),
             "after": as_told(after)}
            for n, operation, before, after in past
        ])  # fmt: skip
        if kind != CALL:
            self._insert(IMPORTED, [
                {"kind": kind.name, "memory_id": each["id"],
                 "after": to_json({name: each[name] for name in record_type.changeable if name in each})}
                for each, _read in records
            ])  # fmt: skip
        if record_type.cues:
            self._insert_cues([row for each, _read in records for row in self._maker.cue_rows(each)])

    def _insert_cues(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._insert(CUES, [{"id": self._next_cue + place, **row} for place, row in enumerate(rows)])
        self._next_cue += len(rows)

    def _task_without_episode(self, task: int | None) -> int | None:
        """A task has one episode: another one that comes stands for itself."""
        taken = self._connection.execute("SELECT 1 FROM main.episodes WHERE task = ?", (task,)).fetchone()
        return None if taken else task

    def _past(self, owners: Sequence[int]) -> list[tuple[int, int, str | None, str]]:
        """The changes of some records, in the order in which these come."""
        rows: list[Row] = list(self._connection.execute(_PAST, (to_json(list(owners)),)))
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def _insert(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            names = tuple(rows[0])
            self._connection.executemany(
                f"INSERT INTO spool.new_{table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                [tuple(row[name] for name in names) for row in rows],
            )

    def _counts(self) -> dict[str, int]:
        """How many rows each table gets."""
        counts = {table: self._one(_COUNT, kind.name) for kind, table in TABLES.items()}
        counts[CUES] = self._one(_COUNT_CUES, MEMORIES.kind.name)
        counts["operations"] = self._one(f"SELECT count(*) FROM ({_USED})")
        return counts

    def _reserved(self, table: str, count: int) -> int:
        """The number after which those of the new rows begin."""
        row = self._connection.execute(_SEQUENCE, (table,)).fetchone()
        last = 0 if row is None else int(str(row[0]))
        if row is None:
            self._connection.execute("INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)", (table, count))
        else:
            self._connection.execute("UPDATE main.sqlite_sequence SET seq = ? WHERE name = ?", (last + count, table))
        return last

    def _one(self, query: str, *values: object) -> int:
        [found] = self._connection.execute(query, values).fetchone() or (0,)
        return int(str(found))
