"""Lists of records of any kind: which, in which order, how many."""

from __future__ import annotations

import json
from typing import Any

import apsw

from orca_core.model.memories import State
from orca_core.model.records import R, RecordType
from orca_core.model.views import RecordPage, RecordQuery
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.memories.patterns import patterns_of

_WAITS = {"state": (State.CANDIDATE.value,)}


def page(
    connection: apsw.Connection, scopes: tuple[str, ...], record_type: RecordType[R], query: RecordQuery
) -> RecordPage[R]:
    where, bindings = _conditions(scopes, record_type, query)
    total = 0
    if query.counted:
        [total] = connection.execute(f"SELECT count(*) FROM {record_type.table}{where}", bindings).fetchone() or (0,)
    if query.limit == 0:
        return RecordPage((), total)
    columns = ", ".join(f'"{name}"' for name in record_type.names)
    order = ", ".join(_sorted_by(record_type, each) for each in query.order)
    if query.place is not None:
        marks = [f":place{number}" for number in range(len(query.place))]
        where += f" AND ({order}) > ({', '.join(marks)})"
        bindings |= {mark[1:]: value for mark, value in zip(marks, query.place, strict=True)}
    rows = connection.execute(
        f"SELECT {columns} FROM {record_type.table}{where} ORDER BY {order} LIMIT :limit OFFSET :offset",
        {**bindings, "limit": -1 if query.limit is None else query.limit, "offset": query.offset},
    )
    records = tuple(record_type.from_row(row) for row in rows)
    return RecordPage(records, total if query.counted else len(records))


def _conditions(
    scopes: tuple[str, ...], record_type: RecordType[Any], query: RecordQuery
) -> tuple[str, dict[str, Any]]:
    bindings: dict[str, Any] = {f"scope{number}": scope for number, scope in enumerate(scopes)}
    where = " WHERE " + among("scope", scopes, "scope")
    for column, values in query.where.items():
        name = _named(record_type, column)
        if values == _WAITS.get(name):  # written out, SQLite knows the index of such rows
            where += f" AND \"{name}\" = '{values[0]}'"
            continue
        marks = [f":{name}{number}" for number in range(len(values))]
        where += f' AND "{name}" IN ({", ".join(marks)})'
        bindings |= {mark[1:]: value for mark, value in zip(marks, values, strict=True)}
    if query.tags:
        tags = _named(record_type, "tags")
        where += (
            " AND NOT EXISTS (SELECT 1 FROM json_each(:wanted_tags) wanted"
            f" WHERE wanted.value NOT IN (SELECT value FROM json_each({record_type.table}.{tags})))"
        )
        bindings["wanted_tags"] = json.dumps(list(query.tags), ensure_ascii=False)
    for number, pattern in enumerate(patterns_of(query.text)):
        where += f" AND \"{record_type.text_column}\" LIKE :word{number} ESCAPE '!'"
        bindings[f"word{number}"] = pattern
    return where, bindings


def _sorted_by(record_type: RecordType[Any], column: str) -> str:
    return f'"{_named(record_type, column.removeprefix("-"))}"' + " DESC" * column.startswith("-")


def _named(record_type: RecordType[Any], column: str) -> str:
    assert column in record_type.names, f"a {record_type.kind.name} has no {column}"
    return column
