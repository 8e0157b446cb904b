"""Which of the records that come were deleted here for good: by their names, and by what they say."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import apsw

from orca_core.domain.exchange import LINKS, TRAVELLING
from orca_core.domain.memories import Fields
from orca_core.domain.records import NO_DEFAULT, RecordType
from orca_core.domain.refs import CALL, Kind
from orca_core.journal.records import JournalRules
from orca_core.journal.tombstones import of_calls, of_record
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.index import text_keys

_TYPES = {each.kind: each for each in TRAVELLING.values()}
_LAID = "SELECT lower(hex(digest)), at FROM main.tombstones WHERE scope = ?"


class DeletedHere:
    """Asks the tombstones of one scope, of which there are few beside what comes."""

    def __init__(self, connection: apsw.Connection, scope: str, rules: JournalRules) -> None:
        self._rules = rules
        self._laid = {str(digest): str(at) for digest, at in connection.execute(_LAID, (scope,))}
        self._hashers: list[Callable[[str], bytes]] = text_keys.hashers(connection) if self._laid else []

    def found(self, kind: Kind, body: str) -> list[str]:
        """The digests by which a record is known as deleted; none where it is not."""
        if not self._laid:
            return []
        fields: dict[str, Any] = json.loads(body)
        digests = [hasher(mark).hex() for mark in self._marks(_TYPES[kind], fields) for hasher in self._hashers]
        if kind == CALL:  # those that were made before all of the tool were deleted
            return [each for each in digests if self._laid.get(each, "") >= fields["at"]]
        return [each for each in digests if each in self._laid]

    def _marks(self, record_type: RecordType[Any], fields: Fields) -> Sequence[str]:
        if record_type.kind == CALL:
            return [of_calls(self._rules.tooling.fold(fields["tool"]))]
        marks = [of_record(record_type.kind.name, fields["uid"])] if "uid" in fields else []
        stated = self._rules.deleting.stated_by(_record_of(record_type, fields))
        return [*marks, *(self._rules.deleting.statements_of(stated) if stated else ())]


def _record_of(record_type: RecordType[Any], fields: Fields) -> Any:
    """The record that speaks of no other one."""
    unlinked: dict[str, Any] = dict.fromkeys(LINKS.get(record_type.kind, ()))
    columns = record_type.columns_from_plain({**fields, **unlinked, "id": 0})
    return record_type.from_row(
        [columns.get(each.name, None if each.default is NO_DEFAULT else each.default) for each in record_type.columns]
    )


def lifted_table(connection: apsw.Connection) -> None:
    """Where it is noted what is no longer deleted, for a person brings it again."""
    connection.execute("CREATE TABLE IF NOT EXISTS spool.lifted (digest TEXT PRIMARY KEY)")
    connection.execute("DELETE FROM spool.lifted")


def note_lifted(connection: apsw.Connection, digests: Sequence[str]) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO spool.lifted (digest) SELECT value FROM json_each(?)", (to_json(list(digests)),)
    )


def lift(connection: apsw.Connection, scope: str) -> None:
    """Inside the transaction in which it comes."""
    connection.execute(
        "DELETE FROM main.tombstones WHERE scope = ? AND lower(hex(digest)) IN (SELECT digest FROM spool.lifted)",
        (scope,),
    )
