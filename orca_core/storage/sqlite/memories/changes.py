"""The one way a memory is made or changed: row, words, index and history in step, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import apsw

from orca_core.domain.errors import InvalidInput, NotFound
from orca_core.domain.memories import (
    MEMORIES,
    Added,
    Addition,
    Fields,
    Memory,
    NewMemory,
    OperationHeader,
    SaidAgain,
    State,
)
from orca_core.domain.stores import Again
from orca_core.domain.times import timestamp
from orca_core.rules.keeping.status import superseded_by
from orca_core.rules.text.terms import index_terms
from orca_core.storage.sqlite.engine.rows import MEMORY_COLUMNS, fields_from_json, memory_from_row, to_json
from orca_core.storage.sqlite.engine.scope import among
from orca_core.storage.sqlite.index import vector_table, words

# A statement for each field: identifiers are never put together from what comes from outside.
_SET_FIELD = {field: f"UPDATE long_term_memories SET {field} = ? WHERE id = ?" for field in MEMORIES.changeable}

_INSERT = "INSERT INTO long_term_memories ({}) VALUES ({})"


def memory_of(connection: apsw.Connection, scope: str, memory_id: int) -> Memory:
    """Raises NotFound where this scope has no such memory."""
    row = connection.execute(
        f"SELECT {MEMORY_COLUMNS} FROM long_term_memories WHERE scope = ? AND id = ?", (scope, memory_id)
    ).fetchone()
    if row is None:
        raise NotFound(what="memory", id=memory_id)
    return memory_from_row(row)


def memories_there(connection: apsw.Connection, scope: str, ids: Sequence[int]) -> list[Memory]:
    """Those of the memories that exist in this scope, in the order asked."""
    return memories_among(connection, (scope,), ids)


def memories_among(connection: apsw.Connection, scopes: tuple[str, ...], ids: Sequence[int]) -> list[Memory]:
    """Those of the memories that exist in any of the scopes, in the order asked."""
    rows = connection.execute(
        f"SELECT {MEMORY_COLUMNS} FROM long_term_memories"
        f" WHERE {among('scope', scopes)} AND id IN (SELECT value FROM json_each(?))",
        (*scopes, to_json(list(ids))),
    )
    by_id = {row[0]: memory_from_row(row) for row in rows}
    return [by_id[memory_id] for memory_id in ids if memory_id in by_id]


def check_there(connection: apsw.Connection, scope: str, ids: Sequence[int]) -> None:
    """Raises NotFound for the first of the memories that this scope does not have."""
    there = {memory.id for memory in memories_there(connection, scope, ids)}
    for memory_id in ids:
        if memory_id not in there:
            raise NotFound(what="memory", id=memory_id)


def new_operation(
    connection: apsw.Connection,
    scope: str,
    header: OperationHeader,
    *,
    round_id: int | None = None,
    undoes: int | None = None,
) -> int:
    connection.execute(
        "INSERT INTO operations (scope, actor, action, at, session_id, round, round_id, undoes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            scope, header.actor.value, header.action, timestamp(header.at),
            header.session_id, header.round, round_id, undoes,
        ),
    )  # fmt: skip
    return connection.last_insert_rowid()


class OpenOperation:
    """An operation under way. It is written down with its first change: what changes nothing leaves no trace."""

    def __init__(
        self,
        connection: apsw.Connection,
        scope: str,
        header: OperationHeader,
        *,
        round_id: int | None = None,
        undoes: int | None = None,
    ) -> None:
        self.number: int | None = None
        self._connection = connection
        self._scope = scope
        self._header = header
        self._round_id = round_id
        self._undoes = undoes

    def written(self) -> int:
        """Its number, also where nothing is changed by it."""
        if self.number is None:
            self.number = new_operation(
                self._connection, self._scope, self._header, round_id=self._round_id, undoes=self._undoes
            )
        return self.number

    def change(self, memory_id: int, wanted: Fields) -> Memory:
        """The memory as it is then. Raises NotFound."""
        before = memory_of(self._connection, self._scope, memory_id)
        held = MEMORIES.changeable_fields(before)
        different = {field: value for field, value in wanted.items() if held[field] != value}
        if not different:
            return before
        _write(self._connection, self._scope, before, different, self._header)
        _note(self._connection, self.written(), memory_id, {field: held[field] for field in different}, different)
        return replace(MEMORIES.changed(before, different), updated_at=self._header.at)

    def add(self, new: NewMemory, again: Again) -> Addition:
        """Store a memory, or do what the rule says where its content is stored already."""
        row = self._connection.execute(
            f"SELECT {MEMORY_COLUMNS} FROM long_term_memories WHERE scope = ? AND content = ?",
            (self._scope, new.content),
        ).fetchone()
        if row is not None:
            known = memory_from_row(row)
            return self.say_again(known, again(known, new))
        memory = _insert(self._connection, self._scope, new, self._header)
        _note(self._connection, self.written(), memory.id, None, MEMORIES.changeable_fields(memory))
        return Addition(Added.CREATED, memory, self.number)

    def say_again(self, known: Memory, decided: SaidAgain) -> Addition:
        """What the rule decided of a memory that says it already."""
        memory = self.change(known.id, decided.changes)
        self.supersede(decided.archives, by=memory.id)
        return Addition(decided.outcome, memory, self.number, decided.reason)

    def supersede(self, ids: Sequence[int], *, by: int) -> list[int]:
        """Archive those of the memories that live and are not pinned, as replaced by another; which they were."""
        archived = []
        for memory in memories_there(self._connection, self._scope, ids):
            if memory.state is State.LIVE and not memory.pinned and memory.id != by:
                self.change(memory.id, superseded_by(by))
                archived.append(memory.id)
        return archived


def apply_changes(
    connection: apsw.Connection,
    scope: str,
    header: OperationHeader,
    changes: Mapping[int, Fields],
    *,
    round_id: int | None = None,
    undoes: int | None = None,
) -> tuple[int | None, list[Memory]]:
    """Carry out one operation: its number (None where nothing changes) and the memories as they are now."""
    operation = OpenOperation(connection, scope, header, round_id=round_id, undoes=undoes)
    memories = [operation.change(memory_id, wanted) for memory_id, wanted in changes.items()]
    return operation.number, memories


def add_memory(
    connection: apsw.Connection, scope: str, new: NewMemory, header: OperationHeader, again: Again
) -> Addition:
    """Store a memory as an operation of its own."""
    return OpenOperation(connection, scope, header).add(new, again)


def _insert(connection: apsw.Connection, scope: str, new: NewMemory, header: OperationHeader) -> Memory:
    memory = new.born(uuid4().hex, header.at)
    tokens = " ".join(index_terms(memory.content, header.at))
    row = MEMORIES.to_row(memory) | {"scope": scope, "tokens": tokens}
    del row["id"]
    connection.execute(_INSERT.format(", ".join(row), ", ".join("?" * len(row))), tuple(row.values()))
    memory_id = connection.last_insert_rowid()
    words.put(connection, scope, memory_id, tokens)
    return replace(memory, id=memory_id)


def _write(connection: apsw.Connection, scope: str, before: Memory, fields: Fields, header: OperationHeader) -> None:
    if "content" in fields:
        _check_content_is_free(connection, scope, before.id, fields["content"])
    for field, value in MEMORIES.columns_from_plain(fields).items():
        connection.execute(_SET_FIELD[field], (value, before.id))
    connection.execute("UPDATE long_term_memories SET updated_at = ? WHERE id = ?", (timestamp(header.at), before.id))
    if "content" in fields:
        _index_again(connection, scope, before, fields["content"])
    elif "state" in fields:
        vector_table.set_live(connection, before.id, fields["state"] == State.LIVE)


def _check_content_is_free(connection: apsw.Connection, scope: str, memory_id: int, content: str) -> None:
    other = connection.execute(
        "SELECT id FROM long_term_memories WHERE scope = ? AND content = ? AND id <> ?", (scope, content, memory_id)
    ).fetchone()
    if other is not None:
        raise InvalidInput(
            template="memory {other} says just that already", hint="delete or edit one of the two", other=other[0]
        )


def _index_again(connection: apsw.Connection, scope: str, before: Memory, content: str) -> None:
    tokens = " ".join(index_terms(content, before.created_at))
    words.drop(connection, before.id)
    connection.execute("UPDATE long_term_memories SET tokens = ? WHERE id = ?", (tokens, before.id))
    words.put(connection, scope, before.id, tokens)
    vector_table.drop_vectors(connection, [before.id])


def _note(
    connection: apsw.Connection, operation: int, memory_id: int, before: Mapping[str, Any] | None, after: Fields
) -> None:
    """What the operation did to a memory: one row, however often it touched it."""
    row = connection.execute(
        "SELECT before, after FROM memory_history WHERE operation = ? AND memory_id = ?", (operation, memory_id)
    ).fetchone()
    if row is not None:
        before = None if row[0] is None else {**(before or {}), **fields_from_json(row[0])}
        after = {**fields_from_json(row[1]), **after}
    connection.execute(
        "INSERT OR REPLACE INTO memory_history (operation, memory_id, before, after) VALUES (?, ?, ?, ?)",
        (operation, memory_id, None if before is None else to_json(before), to_json(dict(after))),
    )
