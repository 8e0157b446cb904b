"""What becomes of each staged record, beside what is here and what was deleted here; and the one transaction in which
all of it moves into the database."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import apsw

from orca_core.model.import_export import AMONG_THEMSELVES, COMPARED_TO, TRAVELLING, Arrival
from orca_core.model.memories import MEMORIES, State
from orca_core.model.operations import OperationHeader
from orca_core.model.record_types import (
    ACTION,
    CALL,
    EPISODE,
    GUIDE,
    KNOWLEDGE,
    MEMORY,
    SUPPORT,
    TASK,
    Kind,
    RecordType,
    timestamp,
)
from orca_core.model.tasks import STEP
from orca_core.operations.columns import to_json
from orca_core.operations.tombstones import of_calls, of_record, statements_of
from orca_core.rules.memory import same_statements
from orca_core.rules.work import consolidation_rules, reported_calls
from orca_core.store.ports import Row
from orca_core.store.sqlite.engine.scope import hashers
from orca_core.store.sqlite.index import word_index
from orca_core.store.sqlite.index.index_tables import IndexTables, tables_of
from orca_core.store.sqlite.transfer.import_staging import TYPES, hold_back, made_json, set_columns
from orca_core.store.sqlite.transfer.travelling_records import TABLES, RowMaker, linked, numbers_of, spoken_of

SLICE = 500
OWNERS = {STEP: (TASK, "task"), SUPPORT: (MEMORY, "memory")}
"""Kinds of which a record comes with another one or not at all, and the column that names that."""
_NAMED = [each.kind for each in TRAVELLING.values() if "uid" in each.names]
_ORDER = (*_NAMED, STEP, SUPPORT, CALL)
_SET = "UPDATE staging.arriving SET arrival = ?, number = ? WHERE n = ?"
_LAID = "SELECT lower(hex(digest)), at FROM main.tombstones WHERE scope = ?"
_CALLS_HERE = """
    CREATE TABLE staging.calls_here AS SELECT tool, at, session_id, call_id, count(*) AS times FROM main.tool_calls
    WHERE scope = ? GROUP BY tool, at, session_id, call_id
"""
_LIFT = "DELETE FROM main.tombstones WHERE scope = ? AND lower(hex(digest)) IN (SELECT digest FROM staging.lifted)"

Decided = tuple[Arrival, int | None]
"""What becomes of one record, and its number where it is here."""


class Deciding:
    """Looks at a home as it is now, inside a transaction."""

    def __init__(self, connection: apsw.Connection, scope: str, *, again: bool) -> None:
        self._connection = connection
        self._scope = scope
        self._again = again
        self._laid = {str(digest): str(at) for digest, at in connection.execute(_LAID, (scope,))}
        self._hashers: list[Callable[[str], bytes]] = hashers(connection) if self._laid else []
        self._living = {
            KNOWLEDGE: self._targets_that_live(KNOWLEDGE, consolidation_rules.fold_target),
            GUIDE: self._targets_that_live(GUIDE, reported_calls.fold_tool),
        }

    def all(self) -> None:
        """Note of every record what becomes of it."""
        self._connection.execute("DROP TABLE IF EXISTS staging.calls_here")
        self._connection.execute(_CALLS_HERE, (self._scope,))
        self._connection.execute("CREATE INDEX staging.calls_here_at ON calls_here (at)")
        self._connection.execute("UPDATE staging.arriving SET arrival = NULL, number = NULL")
        self._connection.execute("DELETE FROM staging.lifted")
        for kind in _ORDER:
            columns = ", ".join(f"t.{name}" for name in TYPES[kind].names)
            query = (
                f"SELECT a.n, a.uid, a.sole, a.body, a.may, {columns} FROM staging.arriving a"
                f" JOIN staging.{TABLES[kind]} t ON t.rowid = a.n WHERE a.kind = ? AND a.n > ? ORDER BY a.n LIMIT ?"
            )
            last = 0
            while rows := self._connection.execute(query, (kind.name, last, SLICE)).fetchall():
                decided = [
                    (arrival.value, number, rows[at][0]) for at, (arrival, number) in enumerate(self._of(kind, rows))
                ]
                self._connection.executemany(_SET, decided)
                last = int(str(rows[-1][0]))

    def _of(self, kind: Kind, rows: Sequence[Row]) -> list[Decided]:
        if kind in OWNERS:
            return [self._as_its_owner(kind, json.loads(row[3])) for row in rows]
        if kind == CALL:
            return [self._of_call(row) for row in rows]
        here = self._here(kind, "uid", [row[1] for row in rows])
        same = self._same_here([row[2] for row in rows if row[1] not in here]) if kind == MEMORY else {}
        return [self._of_named(kind, row, here, same) for row in rows]

    def _same_here(self, contents: list[str]) -> dict[str, int]:
        """The memory here that says each of these already, in whichever spelling."""
        keys = ((each, same_statements.keys_of(each)) for each in contents) if contents and self._by_key else ()
        spelled_anew = {each: self._by_key[key] for each, known in keys for key in known if key in self._by_key}
        return {**spelled_anew, **self._here(MEMORY, "content", contents)}

    @cached_property
    def _by_key(self) -> dict[str, int]:
        """The memories here: those that a person refused by each key of what they say, all others by their letters."""
        query = f"SELECT {', '.join(MEMORIES.names)} FROM main.{MEMORIES.table} WHERE scope = ?"
        found: dict[str, int] = {}
        for known in map(MEMORIES.from_row, self._connection.execute(query, (self._scope,))):
            keys = same_statements.keys_of(known.content)
            found |= dict.fromkeys(keys if same_statements.refusal_of(known) else keys[1:], known.id)
        return found

    def _of_named(self, kind: Kind, row: Row, here: dict[str, int], same: dict[str, int]) -> Decided:
        n, uid, content, _body, may, *columns = row
        if uid in here:
            return Arrival.KNOWN, here[uid]
        if content in same:
            return Arrival.SAME_WORDS, same[content]
        if self._is_deleted(kind, columns, may):
            return Arrival.DELETED_HERE, None
        if may == Arrival.NEW and kind in self._living and self._lives_beside(kind, columns):
            hold_back(self._connection, kind, n)
            return Arrival.CANDIDATE, None
        return Arrival(may), None

    def _lives_beside(self, kind: Kind, columns: Sequence[Any]) -> bool:
        """On one target one of a kind lives: another one waits for a person."""
        fold, living = self._living[kind]
        fields = dict(zip(TYPES[kind].names, columns, strict=True))
        return fields["state"] == State.LIVE and fold(fields["target"]) in living

    def _as_its_owner(self, kind: Kind, fields: dict[str, Any]) -> Decided:
        owner, column = OWNERS[kind]
        arrival = self._arrival_of(owner, fields[column])
        if arrival is Arrival.NEW and fields.get("act") is not None:
            act = self._arrival_of(ACTION, fields["act"])
            return (arrival if act in (Arrival.NEW, Arrival.KNOWN) else Arrival.LEFT_OUT), None
        return (arrival if arrival in (Arrival.NEW, Arrival.KNOWN) else Arrival.LEFT_OUT), None

    def _of_call(self, row: Row) -> Decided:
        _n, uid, _sole, _body, may, *columns = row
        fields = dict(zip(TYPES[CALL].names, columns, strict=True))
        found = self._connection.execute(
            "SELECT times FROM staging.calls_here WHERE at = ? AND tool = ? AND session_id = ? AND call_id = ?",
            tuple(fields[each] for each in ("at", "tool", "session_id", "call_id")),
        ).fetchone()
        if found is not None and int(str(found[0])) > int(uid.rpartition("/")[2]):
            return Arrival.KNOWN, None
        return (Arrival.DELETED_HERE if self._is_deleted(CALL, columns, may) else Arrival(may)), None

    def _is_deleted(self, kind: Kind, columns: Sequence[Any], may: str) -> bool:
        """Not so where a person brings it again: that is noted."""
        digests = self._tombstones_of(kind, columns) if self._laid else []
        if digests and self._again and may != Arrival.LEFT_OUT:
            self._connection.execute(
                "INSERT OR IGNORE INTO staging.lifted (digest) SELECT value FROM json_each(?)", (to_json(digests),)
            )
        return bool(digests) and not self._again

    def _tombstones_of(self, kind: Kind, columns: Sequence[Any]) -> list[str]:
        """The digests by which a record is known as deleted; none where it is not."""
        record = TYPES[kind].from_row(columns)
        if kind == CALL:  # those that were made before all of the tool were deleted
            found, at = self._digests([of_calls(reported_calls.fold_tool(record.tool))]), timestamp(record.at)
            return [each for each in found if self._laid.get(each, "") >= at]
        stated = same_statements.stated_by(record)
        marks = [of_record(kind.name, record.uid)] if hasattr(record, "uid") else []
        found = self._digests([*marks, *(statements_of(stated) if stated else ())])
        return [each for each in found if each in self._laid]

    def _digests(self, marks: Sequence[str]) -> list[str]:
        return [hasher(mark).hex() for mark in marks for hasher in self._hashers]

    def _arrival_of(self, kind: Kind, uid: str) -> Arrival | None:
        row = self._connection.execute(
            "SELECT arrival FROM staging.arriving WHERE kind = ? AND uid = ?", (kind.name, uid)
        ).fetchone()
        return None if row is None else Arrival(str(row[0]))

    def _here(self, kind: Kind, column: str, values: list[Any]) -> dict[str, int]:
        rows = self._connection.execute(
            f"SELECT {column}, id FROM main.{TABLES[kind]} WHERE scope = ?"
            f" AND {column} IN (SELECT value FROM json_each(?))",
            (self._scope, to_json(values)),
        )
        return {str(value): int(str(number)) for value, number in rows}

    def _targets_that_live(self, kind: Kind, fold: Callable[[str], str]) -> tuple[Callable[[str], str], frozenset[str]]:
        rows = self._connection.execute(
            f"SELECT DISTINCT target FROM main.{TABLES[kind]} WHERE scope = ? AND state = ?",
            (self._scope, State.LIVE.value),
        )
        return fold, frozenset(fold(str(target)) for (target,) in rows)


def lift(connection: apsw.Connection, scope: str) -> None:
    """What a person brings again is no longer deleted: in the transaction in which it comes."""
    connection.execute(_LIFT, (scope,))


def is_empty(connection: apsw.Connection, scope: str) -> bool:
    """Whether a home has no record that could travel."""
    return not any(
        connection.execute(f"SELECT 1 FROM main.{each.table} WHERE scope = ? LIMIT 1", (scope,)).fetchone()
        for each in TRAVELLING.values()
    )


def last_operation(connection: apsw.Connection, scope: str) -> int:
    """By which it is seen that a home has changed since."""
    [[number]] = connection.execute("SELECT coalesce(max(id), 0) FROM main.operations WHERE scope = ?", (scope,))
    return int(str(number))


COMES = (Arrival.NEW.value, Arrival.CANDIDATE.value)
_AMONG = f"arrival IN ('{COMES[0]}', '{COMES[1]}')"
_LAST = "SELECT coalesce(max(seq), 0) FROM main.sqlite_sequence WHERE name = ?"
# Numbers that were given are not given again, whatever became of their records.
_NUMBER = f"""
    UPDATE staging.arriving AS a SET number = ? + x.place FROM (
        SELECT n, row_number() OVER (ORDER BY n) AS place FROM staging.arriving WHERE kind = ? AND {_AMONG}
    ) AS x WHERE x.n = a.n
"""
_NUMBER_OPERATIONS = f"""
    UPDATE staging.operations AS o SET id = ? + x.place FROM (
        SELECT number, row_number() OVER (ORDER BY number) AS place FROM staging.operations WHERE number IN (
            SELECT p.operation FROM staging.past p JOIN staging.arriving a ON a.n = p.owner
            WHERE a.arrival = '{COMES[0]}'
        )
    ) AS x WHERE x.number = o.number
"""
_OPERATIONS = """
    INSERT INTO main.operations (id, scope, actor, action, at, session_id, round, undoes, undone_by)
    SELECT o.id, ?, o.actor, o.action, o.at, o.session_id, o.round,
        (SELECT u.id FROM staging.operations u WHERE u.number = o.undoes),
        (SELECT u.id FROM staging.operations u WHERE u.number = o.undone_by)
    FROM staging.operations o WHERE o.id IS NOT NULL ORDER BY o.id
"""
_IMPORT = "INSERT INTO main.operations (scope, actor, action, at) VALUES (?, ?, ?, ?)"
_LINKED = f"""
    SELECT n, uid, number, body FROM staging.arriving WHERE kind = ? AND {_AMONG} AND body IS NOT NULL AND n > ?
    ORDER BY n LIMIT ?
"""
_LINKED_PAST = """
    SELECT p.n, p.before, p.after FROM staging.past p JOIN staging.arriving a ON a.n = p.owner
    WHERE p.is_linked AND a.kind = ? AND a.arrival = 'new' AND p.n > ? ORDER BY p.n LIMIT ?
"""
_PAST = f"""
    INSERT INTO main.memory_history (operation, kind, memory_id, before, after)
    SELECT o.id, a.kind, a.number, p.before, p.after FROM staging.past p JOIN staging.arriving a ON a.n = p.owner
    JOIN staging.operations o ON o.number = p.operation WHERE a.arrival = '{COMES[0]}' ORDER BY p.n
"""
_MADE = f"""
    INSERT INTO main.memory_history (operation, kind, memory_id, before, after)
    SELECT ?, kind, number, NULL, made FROM staging.arriving WHERE {_AMONG} AND made IS NOT NULL ORDER BY n
"""
# What waits for a person says nothing of what is here.
_PAIRS = f"""
    INSERT OR IGNORE INTO main.undecided_pairs (scope, newer, older, why, at, settled)
    SELECT ?, a.number, b.number, p.why, p.at, p.settled FROM staging.pairs p JOIN staging.arriving a ON a.n = p.owner
    JOIN staging.arriving b ON b.kind = a.kind AND b.uid = p.older
    WHERE a.number IS NOT NULL AND b.number IS NOT NULL
    AND ('{COMES[0]}' IN (a.arrival, b.arrival) OR a.arrival = '{COMES[1]}' AND b.arrival = a.arrival)
"""
_TO_COMPARE = "INSERT OR REPLACE INTO main.meta (key, value) VALUES (?, ?)"
_ANY_LIVES = f"SELECT 1 FROM main.{MEMORIES.table} WHERE scope = ? AND state = 'live' LIMIT 1"
_ANY_UNCOMPARED = f"""
    SELECT 1 FROM staging.arriving
    WHERE kind = '{MEMORY.name}' AND arrival = '{COMES[0]}' AND NOT is_compared LIMIT 1
"""


def bring(connection: apsw.Connection, scope: str, maker: RowMaker, header: OperationHeader) -> int:
    """Inside the caller's transaction, when it is decided what comes. Returns the import's operation."""
    to_compare = _to_compare(connection, scope)
    for kind, table in TABLES.items():
        connection.execute(_NUMBER, (_last(connection, table), kind.name))
    connection.execute("UPDATE staging.operations SET id = NULL")
    connection.execute(_NUMBER_OPERATIONS, (_last(connection, "operations"),))
    connection.execute(_OPERATIONS, (scope,))
    connection.execute(_IMPORT, (scope, header.actor.value, header.action, timestamp(header.at)))
    operation = connection.last_insert_rowid()
    for record_type in TRAVELLING.values():
        _link(connection, scope, maker, record_type)
        _insert(connection, scope, record_type)
    connection.execute(_PAST)
    connection.execute(_MADE, (operation,))
    connection.execute(_PAIRS, (scope,))
    lift(connection, scope)
    if to_compare is not None:
        connection.execute(_TO_COMPARE, (f"{COMPARED_TO}{operation}", to_compare))
    return operation


def _to_compare(connection: apsw.Connection, scope: str) -> str | None:
    """What is noted of comparing what comes with what lives here; None where there is nothing to compare."""
    if connection.execute(_ANY_UNCOMPARED).fetchone():
        return "0"
    return f"0 {AMONG_THEMSELVES}" if connection.execute(_ANY_LIVES, (scope,)).fetchone() else None


def _last(connection: apsw.Connection, table: str) -> int:
    [number] = connection.execute(_LAST, (table,)).fetchone() or (0,)
    return int(str(number))


def _link(connection: apsw.Connection, scope: str, maker: RowMaker, record_type: RecordType[Any]) -> None:
    """Give what speaks of other records their numbers."""
    kind, last = record_type.kind, 0
    while rows := connection.execute(_LINKED, (kind.name, last, SLICE)).fetchall():
        bodies = [json.loads(str(row[3])) for row in rows]
        for (n, uid, number, _body), fields in zip(rows, _at_home(connection, scope, kind, bodies), strict=True):
            if kind == EPISODE:
                fields["task"] = _task_without_episode(connection, fields["task"])
            columns = maker.links(record_type, {**fields, "id": number}, str(uid))
            set_columns(connection, kind, int(str(n)), columns)
            connection.execute("UPDATE staging.arriving SET made = ? WHERE n = ?", (made_json(kind, fields), n))
        last = int(str(rows[-1][0]))
    last = 0
    while rows := connection.execute(_LINKED_PAST, (kind.name, last, SLICE)).fetchall():
        told = [None if text is None else json.loads(str(text)) for row in rows for text in row[1:]]
        here = iter(_at_home(connection, scope, kind, [each for each in told if each is not None]))
        sides = [None if each is None else to_json(next(here)) for each in told]
        connection.executemany(
            "UPDATE staging.past SET before = ?, after = ? WHERE n = ?",
            [(sides[2 * place], sides[2 * place + 1], row[0]) for place, row in enumerate(rows)],
        )
        last = int(str(rows[-1][0]))


def _at_home(
    connection: apsw.Connection, scope: str, kind: Kind, every: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Fields with numbers in place of the names of other records."""
    numbers = numbers_of(connection, scope, spoken_of(kind, every))
    return [linked(kind, fields, lambda other, name: numbers.get((other, name))) for fields in every]


def _task_without_episode(connection: apsw.Connection, task: int | None) -> int | None:
    """A task has one episode: another one that comes stands for itself."""
    taken = connection.execute("SELECT 1 FROM main.episodes WHERE task = ?", (task,)).fetchone()
    return None if taken else task


def _insert(connection: apsw.Connection, scope: str, record_type: RecordType[Any]) -> None:
    """A call that a program reported meanwhile is here already: it is left."""
    table, first = record_type.table, _last(connection, record_type.table)
    columns = connection.execute("SELECT name FROM pragma_table_info(?, 'main') WHERE name <> 'id'", (table,))
    names = ", ".join(f'"{name}"' for (name,) in columns)
    connection.execute(
        f"INSERT{' OR IGNORE' if table == 'tool_calls' else ''} INTO main.{table} (id, {names})"
        f" SELECT a.number, {', '.join(f't.{name}' for name in names.split(', '))} FROM staging.arriving a"
        f" JOIN staging.{table} t ON t.rowid = a.n WHERE a.kind = ? AND a.{_AMONG} ORDER BY a.n",
        (record_type.kind.name,),
    )
    if record_type.is_indexed:
        _index(connection, scope, tables_of(record_type), first)


def _index(connection: apsw.Connection, scope: str, tables: IndexTables, after: int) -> None:
    came = connection.execute(f"SELECT id, tokens FROM main.{tables.rows} WHERE id > ? ORDER BY id", (after,))
    word_index.put_many(connection, scope, tables, ((int(str(number)), str(tokens)) for number, tokens in came))
