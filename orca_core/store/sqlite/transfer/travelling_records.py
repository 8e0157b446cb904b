"""Records on their way between homes: names in place of numbers, and the rows that they become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import apsw

from orca_core.model.import_export import LEFT_BEHIND, LINKS, TRAVELLING
from orca_core.model.memories import Fields, Memory
from orca_core.model.record_types import ACTION, CALL, SUPPORT, TASK, Kind, RecordType, parse_timestamp
from orca_core.model.tasks import STEP, TASKS
from orca_core.model.tools import NewCall
from orca_core.operations.columns import to_json
from orca_core.operations.rounds import said_at
from orca_core.rules.text.search_terms import index_terms
from orca_core.rules.work.reported_calls import fold_tool, identity
from orca_core.store.sqlite.engine.scope import SQLiteRows

Named = Callable[[Kind, Any], Any]
"""From what stands for a record of a kind on one side to what does so on the other; None where there is none."""

_OF_TASK = "task "
"""How the source of a support begins that rests on a task."""
_STEP_NAME = f"(SELECT t.uid FROM {TASKS.table} t WHERE t.id = m.task) || '/' || m.number"
_HERE = "SELECT uid, id FROM main.{table} WHERE scope = ? AND uid IN (SELECT value FROM json_each(?))"
_COMING = (
    "SELECT uid, number FROM staging.arriving WHERE kind = ? AND number IS NOT NULL"
    " AND uid IN (SELECT value FROM json_each(?))"
)
_BY_NAME = {each.kind.name: each.kind for each in TRAVELLING.values()}
TABLES = {each.kind: each.table for each in TRAVELLING.values()}


def linked(kind: Kind, fields: Fields, named: Named) -> dict[str, Any]:
    """The fields with other names for the records that they speak of. Of several those remain that have one."""
    changed = dict(fields)
    for column, other in LINKS.get(kind, {}).items():
        value = changed.get(column)
        if isinstance(value, list):
            changed[column] = [name for each in value if (name := named(other, each)) is not None]
        elif value is not None:
            changed[column] = named(other, value)
    if kind == SUPPORT and str(changed.get("source", "")).startswith(_OF_TASK):
        task = str(changed["source"]).removeprefix(_OF_TASK)
        changed["source"] = f"{_OF_TASK}{named(TASK, int(task) if task.isdecimal() else task) or ''}".rstrip()
    if (judged := _judged(kind, fields)) is not None:
        other, name = judged
        changed["data"] = {**changed["data"], "record": {"kind": other.name, "id": named(other, name)}}
    return changed


def _judged(kind: Kind, fields: Fields) -> tuple[Kind, Any] | None:
    """The record that an act is about, and what stands for it; None where it names none that travels."""
    if kind != ACTION or not isinstance(data := fields.get("data"), dict):
        return None
    match data.get("record"):
        case {"kind": str(word), "id": int() | str() as name} if word in _BY_NAME:
            return _BY_NAME[word], name
    return None


def speaks_of_others(kind: Kind, fields: Fields) -> bool:
    """Whether some of the fields speak of other records. It is asked of every change: most do not."""
    if kind == SUPPORT or _judged(kind, fields) is not None:
        return True
    return any(fields.get(column) for column in LINKS.get(kind, ()))


def spoken_of(kind: Kind, every: Iterable[Fields]) -> dict[Kind, set[Any]]:
    """The records that the fields of several of a kind speak of."""
    found: dict[Kind, set[Any]] = {}

    def note(other: Kind, value: Any) -> None:
        found.setdefault(other, set()).add(value)

    for fields in every:
        linked(kind, fields, note)
    return found


def names_of(connection: apsw.Connection, scope: str, wanted: Mapping[Kind, set[Any]]) -> dict[tuple[Kind, Any], str]:
    """The names of records of a scope by their numbers, as far as they are there."""
    names: dict[tuple[Kind, Any], str] = {}
    for kind, numbers in wanted.items():
        name = _STEP_NAME if kind == STEP else "m.uid"
        rows = connection.execute(
            f"SELECT m.id, {name} FROM {TABLES[kind]} m"
            " WHERE +m.scope = ? AND m.id IN (SELECT value FROM json_each(?))",
            (scope, to_json(sorted(each for each in numbers if isinstance(each, int)))),
        )
        names.update(((kind, int(str(number))), str(found)) for number, found in rows)
    return names


def numbers_of(connection: apsw.Connection, scope: str, wanted: Mapping[Kind, set[Any]]) -> dict[tuple[Kind, Any], int]:
    """The numbers of records by their names: of those that come, and of those of the scope that are there."""
    numbers: dict[tuple[Kind, Any], int] = {}
    for kind, names in wanted.items():
        listed = to_json(sorted(each for each in names if isinstance(each, str)))
        if kind != STEP:
            numbers |= _found(kind, connection.execute(_HERE.format(table=TABLES[kind]), (scope, listed)))
        numbers |= _found(kind, connection.execute(_COMING, (kind.name, listed)))
    return numbers


def _found(kind: Kind, rows: apsw.Cursor) -> dict[tuple[Kind, Any], int]:
    return {(kind, str(name)): int(str(number)) for name, number in rows}


class RowMaker:
    """Makes rows for one scope, whose rows it reads."""

    def __init__(self, rows: SQLiteRows, scope: str) -> None:
        self._rows = rows
        self._scope = scope

    def row(self, record_type: RecordType[Any], fields: Fields, uid: str, *, is_read: bool) -> dict[str, Any]:
        """All columns of a record but its number; those that speak of other records are empty (`links`)."""
        alone: Fields = {**fields, "id": 0, **_unlinked(record_type, fields)}
        row = {**record_type.columns_from_plain(alone), **_left_behind(record_type), "scope": self._scope}
        if record_type.is_indexed:
            record = record_type.from_row([row[name] for name in record_type.names])
            row["tokens"] = self._tokens_of(record_type, record)
            if record_type.says:
                row["says"] = record_type.fingerprint(record)
                row["read_as"] = row["says"] if is_read else None
        if record_type.kind == CALL:
            row |= {"folded": fold_tool(fields["tool"]), "identity": self._identity(alone, uid)}
        del row["id"]
        return row

    def links(self, record_type: RecordType[Any], fields: Fields, uid: str) -> dict[str, Any]:
        """The columns that speak of other records; `fields` have their numbers."""
        names = [*LINKS[record_type.kind], *_LINKED_WITHIN.get(record_type.kind, ())]
        columns = record_type.columns_from_plain({name: fields[name] for name in names})
        if record_type.kind == CALL:
            columns["identity"] = self._identity(fields, uid)
        return columns

    def _tokens_of(self, record_type: RecordType[Any], record: Any) -> str:
        made_at = record_type.made_at(record)
        assert made_at is not None
        if isinstance(record, Memory):
            made_at = said_at(self._rows, record.origin, made_at)
        return " ".join(index_terms(record_type.text(record), made_at))

    def _identity(self, fields: Fields, uid: str) -> str:
        """By which a program's report of the same call is known. Of a slim one too little is left for that."""
        call = NewCall(
            tool=fields["tool"],
            input=fields["input"],
            output=fields["output"],
            success=fields["success"],
            at=parse_timestamp(fields["at"]),
            call_id=fields["call_id"],
            session_id=fields["session_id"],
            step=fields["step"],
        )
        is_named = fields["step"] is not None or (fields["session_id"] and fields["call_id"])
        said = identity(call) if is_named or not fields["is_slim"] else f"slim {uid}"
        return self._rows.key_of(said)


_LINKED_WITHIN: Mapping[Kind, tuple[str, ...]] = {SUPPORT: ("source",), ACTION: ("data",)}
"""Columns that may name another record within what else they say."""


def _unlinked(record_type: RecordType[Any], fields: Fields) -> Mapping[str, Any]:
    return {name: [] if isinstance(fields[name], list) else None for name in LINKS.get(record_type.kind, ())}


def _left_behind(record_type: RecordType[Any]) -> Mapping[str, Any]:
    """What the columns hold that do not travel."""
    left = LEFT_BEHIND.get(record_type.kind, frozenset())
    return {column.name: column.default for column in record_type.columns if column.name in left}
