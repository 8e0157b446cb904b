"""What of a database outlives the restoring of an older one: what was deleted, and which numbers were given."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import apsw

from orca_core.model.backups import NamedDeleted
from orca_core.model.episodes import EPISODES
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.records import EPISODE, RecordType
from orca_core.operations.tombstones import statements_of
from orca_core.rules.memory import deleting
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.index import text_keys
from orca_core.store.sqlite.memories.known_deleted import KnownDeleted

Laid = dict[tuple[str, bytes], str]
"""When each was laid, by its scope and digest."""
_UID = "uid"


def laid(connection: apsw.Connection) -> Laid:
    """The tombstones of every profile; none where the schema knows none."""
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'tombstones'").fetchone() is None:
        return {}
    rows = connection.execute("SELECT scope, digest, at FROM tombstones")
    return {(str(scope), bytes(digest)): str(at) for scope, digest, at in rows}


def deleted_since(now: apsw.Connection, then: apsw.Connection) -> dict[str, NamedDeleted]:
    """What the older database holds and a person deleted in the newer one after that, by profile. What was deleted
    before, and stands in the older one all the same, was said again."""
    before = laid(then)
    since: dict[str, set[bytes]] = {}
    for (scope, digest), at in laid(now).items():
        if before.get((scope, digest), "") < at:
            since.setdefault(scope, set()).add(digest)
    found = {}
    for scope, digests in since.items():
        known = KnownDeleted(now, scope, digests)
        named = _named(now, then, scope, known)
        if named.counts:
            found[scope] = named
    return found


def _named(now: apsw.Connection, then: apsw.Connection, scope: str, known: KnownDeleted) -> NamedDeleted:
    rounds = then.execute("SELECT session_id, number, started_at FROM rounds WHERE scope = ?", (scope,))
    sessions = then.execute("SELECT id, created_at FROM sessions WHERE scope = ?", (scope,))
    tools = then.execute("SELECT DISTINCT folded FROM tool_calls WHERE scope = ?", (scope,))
    gone = tuple(str(each) for each, created_at in sessions if known.session(str(each), str(created_at)))
    of_rounds = {
        (str(session_id), int(str(number)))
        for session_id, number, started_at in rounds
        if session_id not in gone and known.round(str(session_id), int(str(number)), str(started_at))
    }
    records = {
        each.kind: ids
        for each in RECORD_TYPES
        if _UID in each.names and (ids := tuple(_records(now, then, scope, each, known)))
    }
    of_tools = tuple(str(each) for (each,) in tools if known.calls(str(each)))
    faded = tuple(each.id for each in _all(then, scope, EPISODES) if known.faded(EPISODE.name, each.uid))
    return NamedDeleted(records, gone, tuple(sorted(of_rounds)), of_tools, faded)


def _records(
    now: apsw.Connection,
    then: apsw.Connection,
    scope: str,
    record_type: RecordType[Any],
    known: KnownDeleted,
) -> Iterator[int]:
    """By what they say, or each by itself, unless what it said lives here again."""
    by_name: list[Any] = []
    for record in _all(then, scope, record_type):
        if known.states(record):
            yield record.id
        elif known.names(record_type.kind.name, record.uid):
            by_name.append(record)
    if by_name:
        lives = {each for record in _living(now, scope, record_type) for each in _statements(record)}
        yield from (each.id for each in by_name if lives.isdisjoint(_statements(each)))


def _all(connection: apsw.Connection, scope: str, record_type: RecordType[Any]) -> Iterator[Any]:
    names = ", ".join(f'"{name}"' for name in record_type.names)
    for row in connection.execute(f"SELECT {names} FROM {record_type.table} WHERE scope = ?", (scope,)):
        yield record_type.from_row(row)


def _living(connection: apsw.Connection, scope: str, record_type: RecordType[Any]) -> Iterator[Any]:
    column, values = record_type.live or ("", ())
    return (each for each in _all(connection, scope, record_type) if column and str(getattr(each, column)) in values)


def _statements(record: Any) -> tuple[str, ...]:
    stated = deleting.stated_by(record)
    return tuple(statements_of(stated)[:1]) if stated else ()


def carry_over(now: apsw.Connection, into: apsw.Connection) -> None:
    """Keep in a restored database what was deleted in the one whose place it takes, and give no number again that was
    given there; inside the caller's transaction."""
    into.executemany(
        "INSERT INTO tombstones (scope, digest, at) VALUES (?, ?, ?)"
        " ON CONFLICT (scope, digest) DO UPDATE SET at = max(at, excluded.at)",
        [(scope, digest, at) for (scope, digest), at in laid(now).items()],
    )
    _carry_secrets(now, into)
    before = _given(into)
    for table, given in _given(now).items():
        if given > before.get(table, -1):
            into.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            into.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, given))


def _carry_secrets(now: apsw.Connection, into: apsw.Connection) -> None:
    """Tombstones of another home are known by that one's secret."""
    own, theirs = _secrets(into), _secrets(now)
    if further := [each for each in theirs if each not in own]:
        kept = to_json([*own[1:], *further])
        into.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (text_keys.FURTHER_SECRETS, kept))


def _secrets(connection: apsw.Connection) -> list[str]:
    """Its own first."""
    names: Iterable[str] = (text_keys.SECRET, text_keys.FURTHER_SECRETS)
    found = [connection.execute("SELECT value FROM meta WHERE key = ?", (name,)).fetchone() for name in names]
    own, further = (None if row is None else str(row[0]) for row in found)
    return [*([own] if own else []), *(json.loads(further) if further else [])]


def _given(connection: apsw.Connection) -> dict[str, int]:
    there = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").fetchone()
    rows = connection.execute("SELECT name, seq FROM sqlite_sequence") if there else ()
    return {str(name): int(str(seq)) for name, seq in rows}
