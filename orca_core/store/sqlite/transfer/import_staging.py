"""Where what a document brings is put down until all of it was read: tables of a temporary database of SQLite's own,
which nobody else sees, and of which nothing is left however the process ends."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

import apsw

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import SUPPORTS
from orca_core.model.import_export import HELD_BACK, TRAVELLING, Arriving, Coming, Packed, PackedOperation, PackedPair
from orca_core.model.memories import Fields
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
from orca_core.store.sqlite.transfer.travelling_records import TABLES, RowMaker, speaks_of_others

TYPES: Mapping[Kind, RecordType[Any]] = {each.kind: each for each in TRAVELLING.values()}
_LABEL_CHARS = 200
_LABELS: dict[Kind, str] = {
    MEMORY: "content",
    SUPPORT: "source",
    TASK: "request",
    STEP: "description",
    EPISODE: "trigger_summary",
    KNOWLEDGE: "topic",
    GUIDE: "target",
    ACTION: "type",
    CALL: "tool",
}
"""By what a person knows one of a kind."""
_PRAGMAS = ("temp_store=FILE", "staging.cache_size=-8192", "staging.journal_mode=OFF", "staging.synchronous=OFF")
_TABLES = (
    # `body` is there of what speaks of others by their names: these columns of its row wait for their numbers.
    """CREATE TABLE staging.arriving (
        n INTEGER PRIMARY KEY, kind TEXT NOT NULL, uid TEXT NOT NULL, sole TEXT, place TEXT NOT NULL,
        line INTEGER NOT NULL, label TEXT NOT NULL, body TEXT, made TEXT, may TEXT NOT NULL,
        is_compared INTEGER NOT NULL, arrival TEXT, number INTEGER, UNIQUE (kind, uid), UNIQUE (kind, sole))""",
    "CREATE TABLE staging.past (n INTEGER PRIMARY KEY, owner INTEGER NOT NULL, operation INTEGER NOT NULL, before TEXT,"
    " after TEXT NOT NULL, is_linked INTEGER NOT NULL)",
    "CREATE TABLE staging.pairs (owner INTEGER NOT NULL, older TEXT NOT NULL, why TEXT NOT NULL, at TEXT NOT NULL,"
    " settled INTEGER NOT NULL, PRIMARY KEY (owner, older)) WITHOUT ROWID",
    "CREATE TABLE staging.operations (number INTEGER PRIMARY KEY, actor TEXT, action TEXT, at TEXT, session_id TEXT,"
    " round INTEGER, undoes INTEGER, undone_by INTEGER, id INTEGER)",
    "CREATE TABLE staging.lifted (digest TEXT PRIMARY KEY)",
    # The rows as they will be, but for their numbers; each stands here under the `n` of its record.
    *(
        f"CREATE TABLE staging.{table} AS SELECT * FROM main.{table} WHERE 0"
        for table in dict.fromkeys(TABLES.values())
    ),
)
_INDEXES = (
    "CREATE INDEX staging.past_of ON past (owner)",
    "CREATE INDEX staging.coming ON arriving (kind, arrival)",
)
_PUT = """
    INSERT INTO staging.arriving (kind, uid, sole, place, line, label, body, made, may, is_compared)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_NO_OPERATION = """
    SELECT a.place, a.line, p.operation FROM staging.past p JOIN staging.arriving a ON a.n = p.owner
    WHERE p.operation NOT IN (SELECT number FROM staging.operations) ORDER BY p.n LIMIT 1
"""
_BOTH_WAYS = """
    SELECT a.place, a.line, b.place FROM staging.pairs p JOIN staging.arriving a ON a.n = p.owner
    JOIN staging.arriving b ON b.kind = a.kind AND b.uid = p.older
    JOIN staging.pairs q ON q.owner = b.n AND q.older = a.uid WHERE a.n > b.n ORDER BY a.n LIMIT 1
"""
_FIND = "SELECT place FROM staging.arriving WHERE kind = ? AND {column} = ?"


def open_staging(connection: apsw.Connection) -> None:
    """Attach it, empty, to a connection that nobody else uses."""
    connection.execute(f"PRAGMA {_PRAGMAS[0]}").fetchall()
    connection.execute("ATTACH '' AS staging").fetchall()
    for pragma in _PRAGMAS[1:]:
        connection.execute(f"PRAGMA {pragma}").fetchall()
    for statement in _TABLES:
        connection.execute(statement)


@contextmanager
def changing(connection: apsw.Connection) -> Iterator[None]:
    """One transaction that takes no lock on the database."""
    connection.execute("BEGIN")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def put_down(connection: apsw.Connection, maker: RowMaker, batch: Sequence[Coming]) -> None:
    """Add records and operations. Raises InvalidInput for one that stands twice in the document."""
    with changing(connection):
        for each in batch:
            if isinstance(each.arriving.packed, PackedOperation):
                _put_operation(connection, each.arriving, each.arriving.packed)
            else:
                _put_record(connection, maker, each, each.arriving.packed)


def all_is_put_down(connection: apsw.Connection) -> None:
    """Raises InvalidInput where a record tells of an operation that the document does not have, or two memories tell of
    their pair."""
    for statement in _INDEXES:
        connection.execute(statement)
    if row := connection.execute(_NO_OPERATION).fetchone():
        raise InvalidInput(
            template="{place}, line {line}: there is no operation {number} in this document",
            place=f"{row[0]}.history",
            line=row[1],
            number=row[2],
        )
    if row := connection.execute(_BOTH_WAYS).fetchone():
        raise _pair_stands_twice(f"{row[0]}.pairs", int(str(row[1])), f"{row[2]}.pairs")


def hold_back(connection: apsw.Connection, kind: Kind, n: int) -> None:
    """A record that would come as it was waits for a person instead."""
    set_columns(connection, kind, n, TYPES[kind].columns_from_plain(HELD_BACK))
    texts = connection.execute("SELECT body, made FROM staging.arriving WHERE n = ?", (n,)).fetchone() or (None, None)
    held = [None if text is None else to_json({**json.loads(str(text)), **HELD_BACK}) for text in texts]
    connection.execute("UPDATE staging.arriving SET body = ?, made = ? WHERE n = ?", (*held, n))


def set_columns(connection: apsw.Connection, kind: Kind, n: int, columns: Fields) -> None:
    """Change the row of a record."""
    connection.execute(
        f"UPDATE staging.{TABLES[kind]} SET {', '.join(f'{name} = ?' for name in columns)} WHERE rowid = ?",
        (*columns.values(), n),
    )


def made_json(kind: Kind, fields: Fields) -> str | None:
    """What the history of this home keeps of a record that came. Calls have none."""
    changeable = TYPES[kind].changeable
    return None if kind == CALL else to_json({name: fields[name] for name in changeable if name in fields})


def _put_operation(connection: apsw.Connection, arriving: Arriving, operation: PackedOperation) -> None:
    header = operation.header
    try:
        connection.execute(
            "INSERT INTO staging.operations (number, actor, action, at, session_id, round, undoes, undone_by)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(operation.number, header.actor.value, header.action, timestamp(header.at), header.session_id),
                *(header.round, operation.undoes, operation.undone_by),
            ),
        )
    except apsw.ConstraintError as error:
        raise InvalidInput(
            template="{place}, line {line}: operation {number} stands here twice",
            place=f"{arriving.place}.number",
            line=arriving.line,
            number=operation.number,
        ) from error


def _put_record(connection: apsw.Connection, maker: RowMaker, coming: Coming, packed: Packed) -> None:
    arriving, kind, fields = coming.arriving, packed.kind, packed.fields
    uid, sole = _uid(connection, packed), _sole(packed)
    is_linked = speaks_of_others(kind, fields)
    values = (
        *(kind.name, uid, sole, arriving.place, arriving.line, str(fields[_LABELS[kind]])[:_LABEL_CHARS]),
        *(to_json(fields) if is_linked else None, made_json(kind, fields)),
        *(coming.may.value, int(packed.pairs is not None)),
    )
    try:
        connection.execute(_PUT, values)
    except apsw.ConstraintError as error:
        raise _stands_twice(connection, arriving, kind, uid, sole) from error
    n = connection.last_insert_rowid()
    row = {"rowid": n, **maker.row(TYPES[kind], fields, uid, is_read=packed.is_read)}
    connection.execute(
        f"INSERT INTO staging.{TABLES[kind]} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
        tuple(row.values()),
    )
    connection.executemany(
        "INSERT INTO staging.past (owner, operation, before, after, is_linked) VALUES (?, ?, ?, ?, ?)",
        [
            (
                *(n, each.operation, None if each.before is None else to_json(each.before), to_json(each.after)),
                speaks_of_others(kind, each.after) or speaks_of_others(kind, each.before or {}),
            )
            for each in packed.history
        ],
    )
    _put_pairs(connection, arriving, n, packed.pairs or ())


def _put_pairs(connection: apsw.Connection, arriving: Arriving, number: int, pairs: Sequence[PackedPair]) -> None:
    for place, pair in enumerate(pairs):
        values = (number, pair.older, pair.why, timestamp(pair.at), int(pair.settled is not None))
        try:
            connection.execute("INSERT INTO staging.pairs VALUES (?, ?, ?, ?, ?)", values)
        except apsw.ConstraintError as error:
            first = next(at for at, each in enumerate(pairs) if each.older == pair.older)
            other = f"{arriving.place}.pairs[{first}]"
            raise _pair_stands_twice(f"{arriving.place}.pairs[{place}]", arriving.line, other) from error


def _pair_stands_twice(place: str, line: int, other: str) -> InvalidInput:
    return InvalidInput(
        template="{place}, line {line}: the same pair as {other}",
        hint="one of them must go",
        place=place,
        line=line,
        other=other,
    )


def _stands_twice(
    connection: apsw.Connection, arriving: Arriving, kind: Kind, uid: str, sole: str | None
) -> InvalidInput:
    for column, value in (("uid", uid), ("sole", sole)):
        if row := connection.execute(_FIND.format(column=column), (kind.name, value)).fetchone():
            return InvalidInput(
                template="{place}, line {line}: the same as {other}",
                hint="one of them must go",
                place=arriving.place,
                line=arriving.line,
                other=row[0],
            )
    raise AssertionError(arriving)


def _uid(connection: apsw.Connection, packed: Packed) -> str:
    """What a record is known by, in every home."""
    fields = packed.fields
    if packed.kind == STEP:
        return f"{fields['task']}/{fields['number']}"
    if packed.kind == SUPPORT:
        return digest([fields[each] for each in ("memory", "kind", "source", "act")])
    if packed.kind != CALL:
        return str(fields["uid"])
    same = digest([fields[each] for each in ("tool", "at", "session_id", "call_id")])
    # A call that nobody named may have been made twice: the second is the second, also when it comes again.
    [before] = connection.execute(
        "SELECT count(*) FROM staging.arriving WHERE kind = ? AND uid >= ? || '/' AND uid < ? || '0'",
        (CALL.name, same, same),
    ).fetchone() or (0,)
    return f"{same}/{before}"


def _sole(packed: Packed) -> str | None:
    """What no two records of a kind may share beside that."""
    if packed.kind == MEMORY:
        return str(packed.fields["content"])
    if packed.kind == EPISODE and packed.fields["task"] is not None:
        return str(packed.fields["task"])
    return None


def digest(values: Sequence[Any]) -> str:
    return blake2b(to_json(values).encode(), digest_size=16).hexdigest()


assert SUPPORTS.kind in _LABELS
