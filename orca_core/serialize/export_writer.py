"""Everything of a scope as one JSON document, a record a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import LEFT_BEHIND, TRAVELLING, ExportedOperation, ExportedPair, ExportedRecord
from orca_core.model.memories import MEMORIES, State
from orca_core.model.record_types import CALL, EPISODE, GUIDE, KNOWLEDGE, MEMORY, RecordType, timestamp
from orca_core.rules.memory.memory_curation import status_by, status_of_work
from orca_core.serialize.documents import MOST_BYTES
from orca_core.serialize.values import Json

VERSION = 1
OPERATIONS = "operations"
_OF_WORK = (EPISODE, KNOWLEDGE, GUIDE)


class ExportWriter:
    """Takes the lists of a document, one after the other. Raises InvalidInput where it is larger than any that is
    read."""

    def __init__(self, core_threshold: float, tell: Callable[[int], None]) -> None:
        self.pieces = [f'{{"orca_export": {VERSION}'.encode()]
        self._core_threshold = core_threshold
        self._tell = tell
        self._bytes = self._count = 0

    def take(self, name: str, records: Iterator[ExportedRecord | ExportedOperation]) -> None:
        self.pieces.append(f', "{name}": ['.encode())
        separator = b"\n"
        for record in records:
            self._put(separator + msgspec.json.format(msgspec.json.encode(self._json(name, record)), indent=0))
            separator = b",\n"
        self.pieces.append(b"]")

    def close(self) -> list[bytes]:
        """The document."""
        return [*self.pieces, b"}\n"]

    def _put(self, line: bytes) -> None:
        self.pieces.append(line)
        self._count += 1
        self._bytes += len(line)
        if self._bytes > MOST_BYTES:
            raise InvalidInput(
                template="the export would be larger than {most} MB, more than an import reads",
                hint="orca backup and orca restore take a home along that is larger",
                most=MOST_BYTES // 1_000_000,
            )
        self._tell(self._count)

    def _json(self, name: str, record: ExportedRecord | ExportedOperation) -> Json:
        if isinstance(record, ExportedOperation):
            return exported_operation_json(record)
        return exported_record_json(TRAVELLING[name], record, self._core_threshold)


def exported_record_json(record_type: RecordType[Any], record: ExportedRecord, core_threshold: float) -> Json:
    """A record: its fields by their own names, those of its origin within it; then what was done to it."""
    kind, fields = record.kind, record.fields
    left = {"id", *LEFT_BEHIND.get(kind, ())}
    told: Json = {}
    for column in record_type.columns:
        if column.name in left:
            continue
        *within, name = column.path
        place = told
        for step in within:
            place = place.setdefault(step, {})
        place[name] = fields[column.name]
    if kind == MEMORIES.kind or kind in _OF_WORK:
        state = State(fields["state"])
        status = status_by(state, fields["weight"], core_threshold) if kind == MEMORY else status_of_work(state)
        told = {"status" if name == "state" else name: value for name, value in told.items()}
        told["status"] = status.value
    if kind == EPISODE:
        told["is_read"] = record.is_read
    if record.pairs is not None:
        told["pairs"] = [_pair_json(each) for each in record.pairs]
    if kind != CALL:
        told["history"] = [
            {"operation": each.operation, "before": each.before, "after": each.after} for each in record.history
        ]
    return told


def _pair_json(pair: ExportedPair) -> Json:
    return {"with": pair.older, "why": pair.why, "settled": pair.settled, "at": timestamp(pair.at)}


def exported_operation_json(operation: ExportedOperation) -> Json:
    """An operation, by its number in the document."""
    header = operation.header
    return {
        "number": operation.number,
        "actor": header.actor.value,
        "action": header.action,
        "at": timestamp(header.at),
        "session_id": header.session_id,
        "round": header.round,
        "undoes": operation.undoes,
        "undone_by": operation.undone_by,
    }
