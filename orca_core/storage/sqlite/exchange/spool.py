"""Where what a document brings is put down until all of it was read: a file of its own, which has lost its name as soon
as it is open, so that nothing is left of it however the process ends."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw

from orca_core.domain.errors import InvalidInput
from orca_core.domain.exchange import Arriving, Coming, Packed, PackedOperation, PackedPair
from orca_core.domain.growth.supports import SUPPORTS
from orca_core.domain.refs import ACTION, CALL, EPISODE, GUIDE, KNOWLEDGE, MEMORY, SUPPORT, TASK, Kind
from orca_core.domain.times import timestamp
from orca_core.domain.work.tasks import STEP
from orca_core.storage.sqlite.engine.rows import to_json

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
_TABLES = (
    """CREATE TABLE spool.arriving (
        n INTEGER PRIMARY KEY, kind TEXT NOT NULL, uid TEXT NOT NULL, sole TEXT, place TEXT NOT NULL,
        line INTEGER NOT NULL, label TEXT NOT NULL, body TEXT NOT NULL, is_read INTEGER NOT NULL, may TEXT NOT NULL,
        is_compared INTEGER NOT NULL, arrival TEXT, number INTEGER, UNIQUE (kind, uid), UNIQUE (kind, sole))""",
    "CREATE TABLE spool.past (n INTEGER PRIMARY KEY, owner INTEGER NOT NULL, operation INTEGER NOT NULL, before TEXT,"
    " after TEXT NOT NULL)",
    "CREATE TABLE spool.pairs (owner INTEGER NOT NULL, older TEXT NOT NULL, why TEXT NOT NULL, at TEXT NOT NULL,"
    " settled INTEGER NOT NULL, PRIMARY KEY (owner, older)) WITHOUT ROWID",
    "CREATE TABLE spool.operations (number INTEGER PRIMARY KEY, actor TEXT, action TEXT, at TEXT, session_id TEXT,"
    " round INTEGER, undoes INTEGER, undone_by INTEGER, id INTEGER)",
)
_INDEXES = ("CREATE INDEX spool.past_of ON past (owner)", "CREATE INDEX spool.coming ON arriving (kind, arrival)")
_NO_OPERATION = """
    SELECT a.place, a.line, p.operation FROM spool.past p JOIN spool.arriving a ON a.n = p.owner
    WHERE p.operation NOT IN (SELECT number FROM spool.operations) ORDER BY p.n LIMIT 1
"""
_BOTH_WAYS = """
    SELECT a.place, a.line, b.place FROM spool.pairs p JOIN spool.arriving a ON a.n = p.owner
    JOIN spool.arriving b ON b.kind = a.kind AND b.uid = p.older
    JOIN spool.pairs q ON q.owner = b.n AND q.older = a.uid WHERE a.n > b.n ORDER BY a.n LIMIT 1
"""
_FIND = "SELECT place FROM spool.arriving WHERE kind = ? AND {column} = ?"


def open_spool(connection: apsw.Connection, database: Path) -> None:
    """Attach an empty spool beside the database."""
    path = database.with_name(f".{database.name}.{os.getpid()}-{os.urandom(4).hex()}.spool")
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        connection.execute("ATTACH ? AS spool", (str(path),)).fetchall()
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-8192"):
            connection.execute(f"PRAGMA spool.{pragma}").fetchall()
        for statement in _TABLES:
            connection.execute(statement)
    finally:
        path.unlink()


def put_down(connection: apsw.Connection, batch: Sequence[Coming]) -> None:
    """Add records and operations. Raises InvalidInput for one that stands twice in the document."""
    connection.execute("BEGIN")
    try:
        for each in batch:
            if isinstance(each.arriving.packed, PackedOperation):
                _put_operation(connection, each.arriving, each.arriving.packed)
            else:
                _put_record(connection, each, each.arriving.packed)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


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


def _put_operation(connection: apsw.Connection, arriving: Arriving, operation: PackedOperation) -> None:
    header = operation.header
    try:
        connection.execute(
            "INSERT INTO spool.operations (number, actor, action, at, session_id, round, undoes, undone_by)"
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


def _put_record(connection: apsw.Connection, coming: Coming, packed: Packed) -> None:
    arriving, kind = coming.arriving, packed.kind
    uid, sole = _uid(connection, packed), _sole(packed)
    values = (
        *(kind.name, uid, sole, arriving.place, arriving.line, str(packed.fields[_LABELS[kind]])[:_LABEL_CHARS]),
        *(to_json(packed.fields), int(packed.is_read), coming.may.value, int(packed.pairs is not None)),
    )
    try:
        connection.execute(
            "INSERT INTO spool.arriving (kind, uid, sole, place, line, label, body, is_read, may, is_compared)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
    except apsw.ConstraintError as error:
        raise _stands_twice(connection, arriving, kind, uid, sole) from error
    number = connection.last_insert_rowid()
    connection.executemany(
        "INSERT INTO spool.past (owner, operation, before, after) VALUES (?, ?, ?, ?)",
        [
            (number, each.operation, None if each.before is None else to_json(each.before), to_json(each.after))
            for each in packed.history
        ],
    )
    _put_pairs(connection, arriving, number, packed.pairs or ())


def _put_pairs(connection: apsw.Connection, arriving: Arriving, number: int, pairs: Sequence[PackedPair]) -> None:
    for place, pair in enumerate(pairs):
        values = (number, pair.older, pair.why, timestamp(pair.at), int(pair.settled is not None))
        try:
            connection.execute("INSERT INTO spool.pairs VALUES (?, ?, ?, ?, ?)", values)
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
        "SELECT count(*) FROM spool.arriving WHERE kind = ? AND uid >= ? || '/' AND uid < ? || '0'",
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
