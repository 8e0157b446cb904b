"""Looks for what is left of records in every table and every backup: rows that are theirs by number, and rows in which
one of their texts stands word for word. No file holds a byte of them: `secure_delete` sees to it, and a test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw
from msgspec.structs import replace

from orca_core.model.operations import SESSION, DeletionProof, DeletionTraces, ProofPlace, SearchedBackup
from orca_core.model.record_types import CALL, EPISODE, KNOWLEDGE, MEMORY, TASK, Kind, RecordType
from orca_core.operations.columns import fields_from_json, to_json
from orca_core.store.sqlite.engine.connection import load_vectors
from orca_core.store.sqlite.engine.failures import translate
from orca_core.store.sqlite.engine.meta import count_of
from orca_core.store.sqlite.engine.scope import hasher
from orca_core.store.sqlite.index.index_tables import IndexTables, tables_of
from orca_core.store.sqlite.index.vector_index import has_vector_index
from orca_core.store.sqlite.upkeep.backups import BackupFolder, begun_read

AMONG = "IN (SELECT value FROM json_each(?1))"
LEAST_BYTES = 16
"""A text beside the one of a record is looked for word for word from here on: "ok" stands everywhere."""
MOST_TEXTS = 50
"""So many of these are, the longest: each is looked for in every row. Chosen by hand."""
RUNS = {
    MEMORY: f"SELECT DISTINCT run FROM run_memories WHERE memory_id {AMONG}",
    SESSION: "SELECT x.id FROM extraction_runs x JOIN sessions s ON s.scope = x.scope AND s.id = x.session_id"
    f" WHERE s.rowid {AMONG}",
}
RUNS_OF_RECORDS = f"SELECT DISTINCT run FROM run_records WHERE kind = ?2 AND record_id {AMONG}"
ROUNDS_OF_SESSION = (
    f"SELECT r.id FROM rounds r JOIN sessions s ON s.scope = r.scope AND s.id = r.session_id WHERE s.rowid {AMONG}"
)
ROUNDS = """
    SELECT DISTINCT r.id FROM {table} m, json_each(m.origin_rounds) n
    JOIN rounds r ON r.scope = m.scope AND r.number = n.value
        AND (r.session_id = m.origin_session OR r.said_in = m.origin_session)
    WHERE m.id IN (SELECT value FROM json_each(?1))
"""
OF_ROUNDS = {
    "queue": f"dialogue_buffer WHERE state <> 'done' AND round_id {AMONG}",
    "messages": f"main_messages WHERE round_id {AMONG}",
    "summaries": f"short_term_memories WHERE round_id {AMONG}",
    "acts": f"actions WHERE round_id {AMONG}",
}
NAMED = {
    MEMORY: (
        f"long_term_memories WHERE superseded_by {AMONG}",
        f"long_term_memories WHERE would_replace {AMONG}",
        f"undecided_pairs WHERE newer {AMONG} OR older {AMONG}",
    ),
    EPISODE: (f"knowledge WHERE EXISTS (SELECT 1 FROM json_each(source_episodes) WHERE value {AMONG})",),
    KNOWLEDGE: (f"episodes WHERE consolidated_into {AMONG}",),
    TASK: (f"task_steps WHERE task {AMONG}",),
}
_FIRST_SAID = "SELECT r.scope, coalesce(r.said_in, r.session_id) FROM rounds r"
# The same words that another chat, task or call has of its own are no trace; a fork has them of this one.
_TEXTS = {
    TASK: f"""
        SELECT request FROM tasks WHERE id {AMONG} UNION SELECT summary FROM tasks WHERE id {AMONG}
        UNION SELECT description FROM task_steps WHERE task {AMONG}
        UNION SELECT result FROM task_steps WHERE task {AMONG}
        EXCEPT SELECT request FROM tasks WHERE NOT id {AMONG} EXCEPT SELECT summary FROM tasks WHERE NOT id {AMONG}
        EXCEPT SELECT description FROM task_steps WHERE NOT task {AMONG}
        EXCEPT SELECT result FROM task_steps WHERE NOT task {AMONG}
    """,
    CALL: f"""
        SELECT input FROM tool_calls WHERE id {AMONG} UNION SELECT output FROM tool_calls WHERE id {AMONG}
        EXCEPT SELECT input FROM tool_calls WHERE NOT id {AMONG}
        EXCEPT SELECT output FROM tool_calls WHERE NOT id {AMONG}
    """,
    SESSION: f"""
        SELECT summary FROM sessions WHERE rowid {AMONG} AND summary IS NOT NULL
        UNION SELECT content FROM main_messages WHERE round_id IN ({ROUNDS_OF_SESSION})
        EXCEPT SELECT m.content FROM main_messages m JOIN rounds o ON o.id = m.round_id
        WHERE (o.scope, coalesce(o.said_in, o.session_id)) NOT IN
              ({_FIRST_SAID} WHERE r.id IN ({ROUNDS_OF_SESSION}))
    """,
}
_OF_SHADOWS = ("_data", "_idx", "_docsize", "_config", "_content", "_chunks", "_rowids", "_info")
_SESSIONS = f"SELECT rowid FROM sessions WHERE id {AMONG} AND scope = ?2"


def look(path: Path, record_type: RecordType[Any], ids: Sequence[int]) -> DeletionTraces:
    """What there is of the records. Raises StorageError."""
    return _look(path, record_type, lambda _connection: ids)


def look_for_sessions(path: Path, scope: str, session_ids: Sequence[str]) -> DeletionTraces:
    """What there is of the chats. Raises StorageError."""
    return _look(path, None, lambda connection: _numbers(connection, _SESSIONS, to_json(list(session_ids)), scope))


def _look(
    path: Path, record_type: RecordType[Any] | None, ids_in: Callable[[apsw.Connection], Sequence[int]]
) -> DeletionTraces:
    try:
        connection = _reading(path)
        try:
            kind = SESSION if record_type is None else record_type.kind
            with_ids = DeletionTraces(kind, tuple(ids_in(connection)), ())
            return _counted(connection, _known(connection, record_type, with_ids), record_type)
        finally:
            connection.close()
    except apsw.Error as error:
        raise translate(error, path) from error


def prove(path: Path, record_type: RecordType[Any] | None, before: DeletionTraces) -> DeletionProof:
    """What was found of the records, and what is left. Raises StorageError."""
    try:
        connection = _reading(path)
        try:
            after = _counted(connection, before, record_type)
        finally:
            connection.close()
    except apsw.Error as error:
        raise translate(error, path) from error
    places = tuple(ProofPlace(name, before.places[name], after.places.get(name, 0)) for name in before.places)
    names = [*before.columns, *(name for name in after.columns if name not in before.columns)]
    columns = tuple(ProofPlace(name, before.columns.get(name, 0), after.columns.get(name, 0)) for name in names)
    return DeletionProof(places, columns, tuple(_backups(path, before.texts)))


def _reading(path: Path) -> apsw.Connection:
    connection = begun_read(path)
    load_vectors(connection)
    return connection


def _known(connection: apsw.Connection, record_type: RecordType[Any] | None, traces: DeletionTraces) -> DeletionTraces:
    """With all that the records say or said, and with the numbers of what hangs on them."""
    those, kind = to_json(list(traces.ids)), traces.kind
    texts = dict.fromkeys(() if record_type is None else _texts(connection, record_type, those))
    texts |= dict.fromkeys(_texts_beside(connection, kind, those))
    runs = _numbers(connection, RUNS[kind], those) if kind in RUNS else []
    runs += _numbers(connection, RUNS_OF_RECORDS, those, kind.name)
    rounds: list[int] = []
    if record_type is None:
        rounds = _numbers(connection, ROUNDS_OF_SESSION, those)
    elif "origin_rounds" in record_type.names:
        rounds = _numbers(connection, ROUNDS.format(table=record_type.table), those)
    said = tuple(each for each in texts if each.strip())
    return replace(traces, texts=said, runs=tuple(runs), rounds=tuple(rounds))


def _texts(connection: apsw.Connection, record_type: RecordType[Any], those: str) -> Iterator[str]:
    column = record_type.text_column
    if not column:
        return
    for (text,) in connection.execute(f"SELECT {column} FROM {record_type.table} WHERE id {AMONG}", (those,)):
        yield str(text)
    history = f"SELECT before, after FROM memory_history WHERE kind = ?2 AND memory_id {AMONG}"
    for both in connection.execute(history, (those, record_type.kind.name)):
        for fields in both:
            if fields is not None and (text := fields_from_json(str(fields)).get(column)):
                yield str(text)


def _texts_beside(connection: apsw.Connection, kind: Kind, those: str) -> Iterator[str]:
    """What is said in what has no one text of its own: a chat, a task, a call of a tool."""
    if kind in _TEXTS:
        said = {str(text) for (text,) in connection.execute(_TEXTS[kind], (those,))}
        telling = (each for each in said if len(each.encode("utf-8", "replace")) >= LEAST_BYTES)
        yield from sorted(telling, key=len, reverse=True)[:MOST_TEXTS]


def _counted(
    connection: apsw.Connection, traces: DeletionTraces, record_type: RecordType[Any] | None
) -> DeletionTraces:
    return replace(traces, places=_places(connection, traces, record_type), columns=_columns(connection, traces.texts))


def _places(connection: apsw.Connection, traces: DeletionTraces, record_type: RecordType[Any] | None) -> dict[str, int]:
    kind, those, runs = traces.kind, to_json(list(traces.ids)), to_json(list(traces.runs))
    rounds = to_json(list(traces.rounds))
    of_rounds = {name: count_of(connection, where, rounds) for name, where in OF_ROUNDS.items()}
    if record_type is None:
        return {
            "record": count_of(connection, f"sessions WHERE rowid {AMONG}", those),
            "receipts": count_of(connection, f"turn_receipts WHERE round_id {AMONG}", rounds),
            "exchanges": count_of(connection, f"subagent_messages WHERE run {AMONG}", runs),
            "cached_vectors": _cached(connection, traces.texts),
        } | of_rounds
    found = {
        "record": count_of(connection, f"{record_type.table} WHERE id {AMONG}", those),
        "history": count_of(connection, f"memory_history WHERE kind = ?2 AND memory_id {AMONG}", those, kind.name),
        "uses": count_of(connection, f"memory_usage_log WHERE kind = ?2 AND memory_id {AMONG}", those, kind.name),
        "receipts": count_of(connection, f"texts_of_records WHERE kind = ?2 AND record {AMONG}", those, kind.name),
        "exchanges": count_of(connection, f"subagent_messages WHERE run {AMONG}", runs),
        "named": sum(count_of(connection, each, those) for each in NAMED.get(kind, ())),
    }
    if record_type.is_indexed:
        found |= _index(connection, tables_of(record_type), those)
    if kind == MEMORY:
        found["supports"] = count_of(connection, f"supports WHERE memory {AMONG}", those)
    return found | {"cached_vectors": _cached(connection, traces.texts)} | of_rounds


def _cached(connection: apsw.Connection, texts: Sequence[str]) -> int:
    key_of = hasher(connection)
    cached = "SELECT count(*) FROM embedding_cache WHERE key = ?"
    return sum(int(connection.execute(cached, (key_of(each),)).get) for each in texts)


def _index(connection: apsw.Connection, tables: IndexTables, those: str) -> dict[str, int]:
    found = {
        "words": count_of(connection, f"{tables.words}_docsize WHERE id {AMONG}", those),
        "vectors": count_of(connection, f"vectors WHERE kind = ?2 AND id {AMONG}", those, tables.kind.name),
    }
    if has_vector_index(connection, tables):
        found["vector_index"] = count_of(connection, f"{tables.vectors} WHERE id {AMONG}", those)
    return found


def _columns(connection: apsw.Connection, texts: Sequence[str]) -> dict[str, int]:
    """In which columns, of tables of any kind, one of the texts stands word for word, as it is or inside JSON."""
    written = list(_written(texts))
    found = {}
    for table, column in _text_columns(connection):
        where = f'"{table}" x WHERE EXISTS (SELECT 1 FROM json_each(?1) t WHERE instr(x."{column}", t.value))'
        if count := count_of(connection, where, to_json(written)):
            found[f"{table}.{column}"] = count
    return found


def _text_columns(connection: apsw.Connection) -> list[tuple[str, str]]:
    rows = connection.execute(
        "SELECT s.name, c.name FROM sqlite_schema s, pragma_table_info(s.name) c"
        " WHERE s.type = 'table' AND s.rootpage > 0 AND c.type IN ('TEXT', '') ORDER BY s.name, c.cid"
    )
    return [(str(table), str(name)) for table, name in rows if not str(table).endswith(_OF_SHADOWS)]


def _written(texts: Sequence[str]) -> Iterator[str]:
    """The texts, and how they stand in JSON where that is otherwise."""
    for text in texts:
        yield text
        for each in (to_json(text)[1:-1], json.dumps(text)[1:-1]):
            if each != text:
                yield each


def _backups(path: Path, texts: Sequence[str]) -> Iterator[SearchedBackup]:
    for backup in BackupFolder(path).listed():
        try:
            yield SearchedBackup(backup.path, None if backup.failure else _rows_in(backup.path, texts))
        except apsw.Error:
            yield SearchedBackup(backup.path, None)


def _rows_in(path: Path, texts: Sequence[str]) -> int:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"file:{quote(str(path))}?mode=ro&immutable=1", flags=flags)
    try:
        return sum(_columns(connection, texts).values())
    finally:
        connection.close()


def _numbers(connection: apsw.Connection, query: str, *bindings: str) -> list[int]:
    return [int(str(number)) for (number,) in connection.execute(query, bindings)]
