"""Everything of a scope as one JSON document, a record a line, made piece by piece; and what an import came to, of
Orca's own document or of another program's file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from orca_core.model.import_export import (
    LEFT_BEHIND,
    TRAVELLING,
    Arrival,
    Arrived,
    Brought,
    ForeignBrought,
    LeftOut,
    Packed,
    PackedOperation,
    PackedPair,
    Repeated,
)
from orca_core.model.record_types import CALL, EPISODE, RecordType, plain_ref, timestamp
from orca_core.serialize.values import Json, pick, plain

VERSION = 1
OPERATIONS = "operations"


class ExportedList(Struct, frozen=True):
    """The records of one kind, under the name that they have in the document."""

    name: str
    records: AsyncIterator[Any]
    to_json: Callable[[Any], Json]


async def export_document(lists: Sequence[ExportedList]) -> AsyncIterator[str]:
    """The document in pieces, a record each."""
    yield f'{{"orca_export": {VERSION}'
    for each in lists:
        yield f', "{each.name}": ['
        separator = "\n"
        async for record in each.records:
            yield separator + _line(each.to_json(record))
            separator = ",\n"
        yield "]"
    yield "}\n"


def export_pieces(
    records: Callable[[RecordType[Any]], AsyncIterator[Packed]], operations: AsyncIterator[PackedOperation]
) -> AsyncIterator[str]:
    """The document of all that travels, a record a piece."""
    lists = [
        ExportedList(name, records(record_type), partial(packed_json, record_type))
        for name, record_type in TRAVELLING.items()
    ]
    return export_document([*lists, ExportedList(OPERATIONS, operations, operation_json)])


def _line(value: Json) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def fields_json(record_type: RecordType[Any], record: Any) -> Json:
    """A record as its fields say, by the names of its columns."""
    return record_type.plain(record, record_type.names)


def packed_json(record_type: RecordType[Any], packed: Packed) -> Json:
    """A record: its fields by their own names, those of its origin within it; then what was done to it."""
    left = {"id", *LEFT_BEHIND.get(packed.kind, ())}
    told: Json = {}
    for column in record_type.columns:
        if column.name in left:
            continue
        *within, name = column.path
        place = told
        for step in within:
            place = place.setdefault(step, {})
        place[name] = packed.fields[column.name]
    if packed.status is not None:
        told = {"status" if name == "state" else name: value for name, value in told.items()}
        told["status"] = packed.status.value
    if packed.kind == EPISODE:
        told["is_read"] = packed.is_read
    if packed.pairs is not None:
        told["pairs"] = [pair_json(each) for each in packed.pairs]
    if packed.kind == CALL:
        return told
    told["history"] = [
        {
            "operation": each.operation,
            "before": None if each.before is None else dict(each.before),
            "after": dict(each.after),
        }
        for each in packed.history
    ]
    return told


def pair_json(pair: PackedPair) -> Json:
    return {
        "with": pair.older,
        "why": pair.why,
        "settled": None if pair.settled is None else pair.settled.value,
        "at": timestamp(pair.at),
    }


def operation_json(operation: PackedOperation) -> Json:
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


def arrived_json(arrived: Arrived) -> Json:
    """What became of one record of a document. Where it came `status` says as what, else `reason` why not."""
    said = "status" if arrived.arrival in (Arrival.NEW, Arrival.CANDIDATE) else "reason"
    return {
        "id": None if arrived.ref is None else plain_ref(arrived.ref),
        "kind": arrived.name,
        "uid": arrived.uid,
        "place": arrived.place,
        said: arrived.arrival.value,
    }


def brought_json(brought: Brought, *, looks_only: bool) -> Json:
    """What an import came to, but for its records."""
    return {
        "operation": brought.operation,
        "operations": [] if brought.operation is None else [brought.operation],
        "counts": {
            name: {arrival.value: count for arrival, count in counts.items()} for name, counts in brought.counts.items()
        },
        "trusted": brought.is_trusted,
        "dry_run": looks_only,
    }


def is_coming(heard: Arrived | LeftOut | Repeated) -> bool:
    """Whether it came, or would."""
    return isinstance(heard, Arrived) and heard.arrival in (Arrival.NEW, Arrival.CANDIDATE)


def heard_json(heard: Arrived | LeftOut | Repeated) -> Json:
    """What became of one entry: as of a document of Orca's own, or why there is nothing to bring in."""
    match heard:
        case LeftOut():
            return {"id": None, "place": heard.place, "reason": heard.why.value, "text": heard.text}
        case Repeated():
            return {"id": None, "place": heard.place, "reason": "repeated", "first": heard.first}
    near = heard.near
    beside = near and {"id": near.id, "content": near.content, **plain(near.nearness)}
    return {**arrived_json(heard), **pick(heard, "label:text held_because? quote said_at"), "near": beside}


def foreign_brought_json(brought: ForeignBrought, *, looks_only: bool) -> Json:
    """What it came to, but for its entries."""
    told = brought_json(brought.brought, looks_only=looks_only)
    return {**told, "left_out": dict(brought.left), "repeated": brought.repeated}
