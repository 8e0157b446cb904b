"""The one moment in which an import happens: what was put down moves into the database in one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from orca_core.model.import_export import AMONG_THEMSELVES, COMPARED_TO, TRAVELLING, Arrival
from orca_core.model.memories import MEMORIES
from orca_core.model.operations import OperationHeader
from orca_core.model.records import EPISODE, MEMORY, Kind, RecordType, timestamp
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.exchange.deciding import lift
from orca_core.store.sqlite.exchange.names import TABLES, linked, numbers_of, spoken_of
from orca_core.store.sqlite.exchange.rows import RowMaker
from orca_core.store.sqlite.exchange.staging import made_json, set_columns
from orca_core.store.sqlite.index import words
from orca_core.store.sqlite.index.tables import IndexTables, tables_of

COMES = (Arrival.NEW.value, Arrival.CANDIDATE.value)
SLICE = 500
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
    words.put_many(connection, scope, tables, ((int(str(number)), str(tokens)) for number, tokens in came))
