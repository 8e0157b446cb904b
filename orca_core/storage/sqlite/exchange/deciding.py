"""What becomes of each record that was put down: beside what is here, and what was deleted here."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import apsw
from msgspec import Struct

from orca_core.domain.exchange import HELD_BACK, TRAVELLING, Arrival
from orca_core.domain.memories import MEMORIES, State
from orca_core.domain.refs import ACTION, CALL, GUIDE, KNOWLEDGE, MEMORY, SUPPORT, TASK, Kind
from orca_core.domain.work.tasks import STEP
from orca_core.journal.records import JournalRules
from orca_core.storage.sqlite.engine.rows import Row, to_json
from orca_core.storage.sqlite.exchange.deleted_here import DeletedHere, lifted_table, note_lifted
from orca_core.storage.sqlite.exchange.names import TABLES

SLICE = 500
OWNERS = {STEP: (TASK, "task"), SUPPORT: (MEMORY, "memory")}
"""Kinds of which a record comes with another one or not at all, and the column that names that."""
_NAMED = [each.kind for each in TRAVELLING.values() if "uid" in each.names]
_ORDER = (*_NAMED, STEP, SUPPORT, CALL)
_COMES = (Arrival.NEW.value, Arrival.CANDIDATE.value)
_SLICE = "SELECT n, uid, sole, body, may FROM spool.arriving WHERE kind = ? AND n > ? ORDER BY n LIMIT ?"
_SET = "UPDATE spool.arriving SET arrival = ?, number = ?, body = coalesce(?, body) WHERE n = ?"
_CALLS_HERE = """
    CREATE TABLE spool.calls_here AS SELECT tool, at, session_id, call_id, count(*) AS times FROM main.tool_calls
    WHERE scope = ? GROUP BY tool, at, session_id, call_id
"""


class Decided(Struct, frozen=True):
    """What becomes of one record: its number here where it is here, and what it says where it comes otherwise."""

    arrival: Arrival
    number: int | None = None
    body: str | None = None


class Deciding:
    """Looks at a home as it is now."""

    def __init__(self, connection: apsw.Connection, scope: str, rules: JournalRules, *, again: bool) -> None:
        self._connection = connection
        self._scope = scope
        self._rules = rules
        self._again = again
        self._deleted_here = DeletedHere(connection, scope, rules)
        self._living = {
            KNOWLEDGE: self._targets_that_live(KNOWLEDGE, rules.consolidation.fold),
            GUIDE: self._targets_that_live(GUIDE, rules.tooling.fold),
        }

    def all(self) -> None:
        """Note of every record what becomes of it."""
        self._connection.execute("DROP TABLE IF EXISTS spool.calls_here")
        self._connection.execute(_CALLS_HERE, (self._scope,))
        self._connection.execute("CREATE INDEX spool.calls_here_at ON calls_here (at)")
        self._connection.execute("UPDATE spool.arriving SET arrival = NULL, number = NULL")
        lifted_table(self._connection)
        for kind in _ORDER:
            last = 0
            while rows := self._connection.execute(_SLICE, (kind.name, last, SLICE)).fetchall():
                self._decide(kind, rows)
                last = int(str(rows[-1][0]))

    def _decide(self, kind: Kind, rows: Sequence[Row]) -> None:
        self._connection.execute("BEGIN")
        try:
            for row, each in zip(rows, self._of(kind, rows), strict=True):
                self._connection.execute(_SET, (each.arrival.value, each.number, each.body, row[0]))
        finally:
            self._connection.execute("COMMIT")

    def _of(self, kind: Kind, rows: Sequence[Row]) -> list[Decided]:
        if kind in OWNERS:
            return [self._as_its_owner(kind, row) for row in rows]
        if kind == CALL:
            return [self._of_call(row) for row in rows]
        here = self._here(kind, "uid", [row[1] for row in rows])
        same = self._here(kind, "content", [row[2] for row in rows]) if kind == MEMORY else {}
        if kind == MEMORY and self._refused:
            same = {**self._refused_here([row[2] for row in rows]), **same}
        return [self._of_named(kind, row, here, same) for row in rows]

    @cached_property
    def _refused(self) -> dict[str, int]:
        """What persons refused here, by each key of what it says."""
        known = self._connection.execute(
            f"SELECT {', '.join(MEMORIES.names)} FROM main.{MEMORIES.table} WHERE scope = ? AND state IN (?, ?)",
            (self._scope, State.REJECTED.value, State.ARCHIVED.value),
        )
        rules = self._rules.deleting
        refused = [each for each in map(MEMORIES.from_row, known) if rules.refusal_of(each)]
        return {key: each.id for each in refused for key in rules.keys_of(each.content)}

    def _refused_here(self, contents: Sequence[str]) -> dict[str, int]:
        keys = ((each, self._rules.deleting.keys_of(each)) for each in contents)
        return {each: self._refused[key] for each, known in keys for key in known if key in self._refused}

    def _of_named(self, kind: Kind, row: Row, here: dict[str, int], same: dict[str, int]) -> Decided:
        _n, uid, content, body, may = row
        if uid in here:
            return Decided(Arrival.KNOWN, here[uid])
        if content in same:
            return Decided(Arrival.SAME_WORDS, same[content])
        if self._is_deleted(kind, body, may):
            return Decided(Arrival.DELETED_HERE)
        if may == Arrival.NEW and kind in self._living:
            return self._beside_what_lives(kind, body)
        return Decided(Arrival(may))

    def _is_deleted(self, kind: Kind, body: str, may: str) -> bool:
        """Not so where a person brings it again: that is noted."""
        digests = self._deleted_here.found(kind, body)
        if digests and self._again and may != Arrival.LEFT_OUT:
            note_lifted(self._connection, digests)
        return bool(digests) and not self._again

    def _beside_what_lives(self, kind: Kind, body: str) -> Decided:
        """On one target one of a kind lives: another one waits for a person."""
        fields: dict[str, Any] = json.loads(body)
        fold, living = self._living[kind]
        if fields["state"] != State.LIVE or fold(fields["target"]) not in living:
            return Decided(Arrival.NEW)
        return Decided(Arrival.CANDIDATE, body=to_json({**fields, **HELD_BACK}))

    def _as_its_owner(self, kind: Kind, row: Row) -> Decided:
        owner, column = OWNERS[kind]
        fields = json.loads(row[3])
        arrival = self._arrival_of(owner, fields[column])
        if arrival is Arrival.NEW and fields.get("act") is not None:
            act = self._arrival_of(ACTION, fields["act"])
            return Decided(arrival if act in (Arrival.NEW, Arrival.KNOWN) else Arrival.LEFT_OUT)
        return Decided(arrival if arrival in (Arrival.NEW, Arrival.KNOWN) else Arrival.LEFT_OUT)

    def _of_call(self, row: Row) -> Decided:
        fields = json.loads(row[3])
        which = int(row[1].rpartition("/")[2])
        found = self._connection.execute(
            "SELECT times FROM spool.calls_here WHERE at = ? AND tool = ? AND session_id = ? AND call_id = ?",
            tuple(fields[each] for each in ("at", "tool", "session_id", "call_id")),
        ).fetchone()
        if found is not None and int(str(found[0])) > which:
            return Decided(Arrival.KNOWN)
        return Decided(Arrival.DELETED_HERE if self._is_deleted(CALL, row[3], row[4]) else Arrival(row[4]))

    def _arrival_of(self, kind: Kind, uid: str) -> Arrival | None:
        row = self._connection.execute(
            "SELECT arrival FROM spool.arriving WHERE kind = ? AND uid = ?", (kind.name, uid)
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
