"""Looks for what is left of a record in every table, every file beside the database, and every backup."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw
from msgspec.structs import replace

from orca_core.domain.proofs import SESSION, Place, Proof, SearchedBackup, SearchedFile, Traces
from orca_core.domain.records import RecordType
from orca_core.domain.refs import MEMORY
from orca_core.storage.sqlite.engine.connection import load_vectors
from orca_core.storage.sqlite.engine.failures import SIDES, translate
from orca_core.storage.sqlite.engine.rows import fields_from_json, to_json
from orca_core.storage.sqlite.index import text_keys
from orca_core.storage.sqlite.index.tables import CUE_TABLES, IndexTables, tables_of
from orca_core.storage.sqlite.index.vector_table import has_vector_index
from orca_core.storage.sqlite.upkeep.backups import SQLiteBackups
from orca_core.storage.sqlite.upkeep.copying import begun_read
from orca_core.storage.sqlite.upkeep.traced import (
    AMONG,
    NAMED,
    OF_ROUNDS,
    ROUNDS,
    ROUNDS_OF_SESSION,
    RUNS,
    RUNS_OF_RECORDS,
    texts_beside,
)

LOG_NAME = "orca.log"
PIECE = 1 << 22
_OF_SHADOWS = ("_data", "_idx", "_docsize", "_config", "_content", "_chunks", "_rowids", "_info")
_SESSIONS = f"SELECT rowid FROM sessions WHERE id {AMONG} AND scope = ?2"


def look(path: Path, record_type: RecordType[Any], ids: Sequence[int]) -> Traces:
    """What there is of the records. Raises StorageError."""
    return _look(path, record_type, lambda _connection: ids)


def look_for_sessions(path: Path, scope: str, session_ids: Sequence[str]) -> Traces:
    """What there is of the chats. Raises StorageError."""
    return _look(path, None, lambda connection: _numbers(connection, _SESSIONS, to_json(list(session_ids)), scope))


def _look(
    path: Path, record_type: RecordType[Any] | None, ids_in: Callable[[apsw.Connection], Sequence[int]]
) -> Traces:
    try:
        connection = _reading(path)
        try:
            kind = SESSION if record_type is None else record_type.kind
            with_ids = Traces(kind, tuple(ids_in(connection)), ())
            return _counted(connection, _known(connection, record_type, with_ids), record_type)
        finally:
            connection.close()
    except apsw.Error as error:
        raise translate(error, path) from error


def prove(path: Path, record_type: RecordType[Any] | None, before: Traces) -> Proof:
    """What was found of the records, and what is left. Nobody in this process may have the database open: its files are
    read as files at the end. Raises StorageError."""
    try:
        connection = _reading(path)
        try:
            after = _counted(connection, before, record_type)
        finally:
            connection.close()
    except apsw.Error as error:
        raise translate(error, path) from error
    places = tuple(Place(name, before.places[name], after.places.get(name, 0)) for name in before.places)
    names = [*before.columns, *(name for name in after.columns if name not in before.columns)]
    columns = tuple(Place(name, before.columns.get(name, 0), after.columns.get(name, 0)) for name in names)
    return Proof(places, columns, tuple(_files(path, before.texts)), tuple(_backups(path, before.texts)))


def _reading(path: Path) -> apsw.Connection:
    connection = begun_read(path)
    load_vectors(connection)
    return connection


def _known(connection: apsw.Connection, record_type: RecordType[Any] | None, traces: Traces) -> Traces:
    """With all that the records say or said, and with the numbers of what hangs on them."""
    those, kind = to_json(list(traces.ids)), traces.kind
    texts = dict.fromkeys(() if record_type is None else _texts(connection, record_type, those))
    texts |= dict.fromkeys(texts_beside(connection, kind, those))
    cues: list[int] = []
    if kind == MEMORY:
        of_memory = connection.execute(f"SELECT id, cue FROM memory_cues WHERE memory_id {AMONG}", (those,)).fetchall()
        cues = [int(str(number)) for number, _cue in of_memory]
        texts |= dict.fromkeys(str(cue) for _number, cue in of_memory)
    runs = _numbers(connection, RUNS[kind], those) if kind in RUNS else []
    runs += _numbers(connection, RUNS_OF_RECORDS, those, kind.name)
    rounds: list[int] = []
    if record_type is None:
        rounds = _numbers(connection, ROUNDS_OF_SESSION, those)
    elif "origin_rounds" in record_type.names:
        rounds = _numbers(connection, ROUNDS.format(table=record_type.table), those)
    said = tuple(each for each in texts if each.strip())
    return replace(traces, texts=said, cues=tuple(cues), runs=tuple(runs), rounds=tuple(rounds))


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


def _counted(connection: apsw.Connection, traces: Traces, record_type: RecordType[Any] | None) -> Traces:
    return replace(traces, places=_places(connection, traces, record_type), columns=_columns(connection, traces.texts))


def _places(connection: apsw.Connection, traces: Traces, record_type: RecordType[Any] | None) -> dict[str, int]:
    kind, those, runs = traces.kind, to_json(list(traces.ids)), to_json(list(traces.runs))
    rounds = to_json(list(traces.rounds))
    of_rounds = {name: _count(connection, where, rounds) for name, where in OF_ROUNDS.items()}
    if record_type is None:
        return {
            "record": _count(connection, f"sessions WHERE rowid {AMONG}", those),
            "receipts": _count(connection, f"turn_receipts WHERE round_id {AMONG}", rounds),
            "exchanges": _count(connection, f"subagent_messages WHERE run {AMONG}", runs),
            "cached_vectors": _cached(connection, traces.texts),
        } | of_rounds
    found = {
        "record": _count(connection, f"{record_type.table} WHERE id {AMONG}", those),
        "history": _count(connection, f"memory_history WHERE kind = ?2 AND memory_id {AMONG}", those, kind.name),
        "uses": _count(connection, f"memory_usage_log WHERE kind = ?2 AND memory_id {AMONG}", those, kind.name),
        "receipts": _count(connection, f"texts_of_records WHERE kind = ?2 AND record {AMONG}", those, kind.name),
        "exchanges": _count(connection, f"subagent_messages WHERE run {AMONG}", runs),
        "named": sum(_count(connection, each, those) for each in NAMED.get(kind, ())),
    }
    if record_type.is_indexed:
        found |= _index(connection, tables_of(record_type), those, "")
    if kind == MEMORY:
        found["cues"] = _count(connection, f"memory_cues WHERE memory_id {AMONG}", those)
        found |= _index(connection, CUE_TABLES, to_json(list(traces.cues)), "cue_")
        found["supports"] = _count(connection, f"supports WHERE memory {AMONG}", those)
    return found | {"cached_vectors": _cached(connection, traces.texts)} | of_rounds


def _cached(connection: apsw.Connection, texts: Sequence[str]) -> int:
    key_of = text_keys.hasher(connection)
    cached = "SELECT count(*) FROM embedding_cache WHERE key = ?"
    return sum(int(connection.execute(cached, (key_of(each),)).get) for each in texts)


def _index(connection: apsw.Connection, tables: IndexTables, those: str, prefix: str) -> dict[str, int]:
    found = {
        f"{prefix}words": _count(connection, f"{tables.words}_docsize WHERE id {AMONG}", those),
        f"{prefix}vectors": _count(connection, f"vectors WHERE kind = ?2 AND id {AMONG}", those, tables.kind.name),
    }
    if has_vector_index(connection, tables):
        found[f"{prefix}vector_index"] = _count(connection, f"{tables.vectors} WHERE id {AMONG}", those)
    return found


def _columns(connection: apsw.Connection, texts: Sequence[str]) -> dict[str, int]:
    """In which columns, of tables of any kind, one of the texts stands word for word, as it is or inside JSON."""
    written = list(_written(texts))
    found = {}
    for table, column in _text_columns(connection):
        where = f'"{table}" x WHERE EXISTS (SELECT 1 FROM json_each(?1) t WHERE instr(x."{column}", t.value))'
        if count := _count(connection, where, to_json(written)):
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


def _files(path: Path, texts: Sequence[str]) -> Iterator[SearchedFile]:
    wanted = [each.encode("utf-8", "replace") for each in _written(texts)]
    for each in (path, *(path.with_name(path.name + side) for side in SIDES), path.with_name(LOG_NAME)):
        if each.is_file():
            yield SearchedFile(each, each.stat().st_size, _times_in(each, wanted))


def _times_in(path: Path, wanted: Sequence[bytes]) -> int:
    """How often one of them begins in the file, read in pieces that overlap."""
    overlap = max(map(len, wanted), default=1) - 1
    found, kept = 0, b""
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            held = kept + piece
            ends = max(0, len(held) - overlap)
            found += sum(_begin_in(held, each, ends) for each in wanted)
            kept = held[ends:]
    return found + sum(_begin_in(kept, each, len(kept)) for each in wanted)


def _begin_in(held: bytes, wanted: bytes, ends: int) -> int:
    """How often it begins before the place where the next piece takes over."""
    count, at = 0, held.find(wanted)
    while 0 <= at < ends:
        count += 1
        at = held.find(wanted, at + 1)
    return count


def _backups(path: Path, texts: Sequence[str]) -> Iterator[SearchedBackup]:
    for backup in SQLiteBackups(path).listed():
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


def _count(connection: apsw.Connection, what: str, *bindings: str) -> int:
    [found] = connection.execute(f"SELECT count(*) FROM {what}", bindings).fetchone() or (0,)
    return int(str(found))
