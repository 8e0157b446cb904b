"""The row of a record that comes: its columns, and everything that a search finds it by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from orca_core.model.import_export import LEFT_BEHIND, LINKS
from orca_core.model.memories import Fields, Memory
from orca_core.model.records import ACTION, CALL, SUPPORT, Kind, RecordType, parse_timestamp
from orca_core.model.tools import NewCall
from orca_core.operations.said import said_at
from orca_core.rules.tooling import names
from orca_core.rules.tooling.calls import identity
from orca_core.store.sqlite.engine.scope import SQLiteRows

TokensOf = Callable[[str, Any], Iterable[str]]
"""The rule by which the words are chosen that a record is found by."""


class RowMaker:
    """Makes rows for one scope, whose rows it reads."""

    def __init__(self, rows: SQLiteRows, scope: str, tokens_of: TokensOf) -> None:
        self._rows = rows
        self._scope = scope
        self._record_tokens = tokens_of

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
            row |= {"folded": names.folded(fields["tool"]), "identity": self._identity(alone, uid)}
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
        return " ".join(self._record_tokens(record_type.text(record), made_at))

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
        return self._rows.index.key_of(said)


_LINKED_WITHIN: Mapping[Kind, tuple[str, ...]] = {SUPPORT: ("source",), ACTION: ("data",)}
"""Columns that may name another record within what else they say."""


def _unlinked(record_type: RecordType[Any], fields: Fields) -> Mapping[str, Any]:
    return {name: [] if isinstance(fields[name], list) else None for name in LINKS.get(record_type.kind, ())}


def _left_behind(record_type: RecordType[Any]) -> Mapping[str, Any]:
    """What the columns hold that do not travel."""
    left = LEFT_BEHIND.get(record_type.kind, frozenset())
    return {column.name: column.default for column in record_type.columns if column.name in left}
