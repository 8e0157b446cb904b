"""An export as it is read: record by record, each checked against its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from orca_core.domain.errors import InvalidInput
from orca_core.domain.exchange import LEFT_BEHIND, TRAVELLING, Arriving, Packed, PackedChange, PackedOperation
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.memories import BIRTH_WEIGHT, ConfirmedBy, Fields, MemoryType, State, Status
from orca_core.domain.records import NO_DEFAULT, RecordType
from orca_core.domain.refs import EPISODE, MEMORY
from orca_core.domain.times import parse_timestamp
from orca_core.wire.export import VERSION
from orca_core.wire.json_stream import JsonStream, Limits
from orca_core.wire.json_tokens import step_text
from orca_core.wire.packing import OPERATIONS
from orca_core.wire.pairs import pairs_of
from orca_core.wire.shapes import (
    MISSING,
    NO_FIELD,
    Check,
    Misfit,
    a_list,
    groups_of,
    mapping,
    moment,
    one_of,
    optional,
    shapes_of,
    text,
    whole_number,
)

MARK = "orca_export"
LIMITS = Limits(value=8_000_000)
"""No record of a home is longer, with all that was done to it. Chosen by hand."""
_STATES = {status.value: State(status) for status in (Status.CANDIDATE, Status.REJECTED, Status.ARCHIVED)}
_STATES |= {status.value: State.LIVE for status in (Status.ACTIVE, Status.CORE)}
STATE, STATUS, CONFIRMED = "state", "status", "confirmed_by"
_status = one_of(Status)
UNSAID: Mapping[str, Any] = {
    "uid": "",
    "type": MemoryType.FACT.value,
    "tags": [],
    "confidence": 1.0,
    "weight": BIRTH_WEIGHT,
    "state": State.LIVE.value,
    "created_at": "",
    "updated_at": "",
}
"""What a memory is that a document says no more of than its content. Name and times are then the import's."""
_OPERATION: Mapping[str, Check] = {
    "number": whole_number,
    "actor": one_of(Actor),
    "action": text,
    "at": moment,
    "session_id": optional(text),
    "round": optional(whole_number),
    "undoes": optional(whole_number),
    "undone_by": optional(whole_number),
}


def arriving(stream: JsonStream) -> Iterator[Arriving]:
    """Everything that an export brings, in its order. Raises InvalidInput, which names the place."""
    if stream.kind() != "object":
        raise _no_export(stream)
    is_export = False
    for name in stream.members():
        if name == MARK:
            is_export = _is_of_our_version(stream)
        elif name in TRAVELLING:
            for _number in stream.items():
                yield _record(stream, TRAVELLING[name])
        elif name == OPERATIONS:
            for _number in stream.items():
                yield _operation(stream)
        elif not is_export:
            raise _no_export(stream)
        else:
            raise stream.wrong(
                template="{place}, line {line}: an export has no such list", hint="a newer Orca may have written it"
            )
    stream.finish()
    if not is_export:
        raise _no_export(stream)


def _is_of_our_version(stream: JsonStream) -> bool:
    version = stream.value()
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise _no_export(stream)
    if version > VERSION:
        raise stream.wrong(
            template="written by a newer Orca: export version {found}, this one knows {known}",
            hint="update Orca; nothing was changed",
            found=version,
            known=VERSION,
        )
    return True


def _no_export(stream: JsonStream) -> InvalidInput:
    return stream.wrong(
        template="this is no export of Orca: it has no {mark}",
        hint="orca memory export writes one",
        mark=f'"{MARK}": {VERSION}',
    )


def _record(stream: JsonStream, record_type: RecordType[Any]) -> Arriving:
    try:
        packed = _packed(record_type, mapping(stream.value()))
    except Misfit as misfit:
        raise _refused(stream, misfit) from None
    place, line, _column = stream.place()
    return Arriving(packed, place, line)


def _packed(record_type: RecordType[Any], told: dict[str, Any]) -> Packed:
    """A record of what was read; what is taken from it is gone from there."""
    history = _history(record_type, told.pop("history", []))
    is_read = _is_read(told) if record_type.kind == EPISODE else False
    pairs = pairs_of(told) if record_type.kind == MEMORY else None
    fields: dict[str, Any] = {}
    step = ""
    try:
        if STATUS in told and record_type.live is not None:
            step = f".{STATUS}"
            fields[STATE] = _STATES[_status(told.pop(STATUS))].value
        for name, shape in shapes_of(record_type).items():
            if name not in fields:
                step = shape.within
                *steps, key = shape.column.path
                holder = _holder(told, steps) if steps else told
                is_said = key in holder
                fields[name] = (
                    shape.check(holder.pop(key)) if is_said else _unsaid(record_type, name, shape.default, fields)
                )
    except Misfit as misfit:
        raise misfit.at(step) from None
    _refuse_the_rest(record_type, told)
    return Packed(record_type.kind, fields, history, is_read=is_read, pairs=pairs)


def _holder(told: dict[str, Any], steps: Sequence[str]) -> dict[str, Any]:
    """Where a field stands: in the record, or in an object of it."""
    for step in steps:
        told = mapping(told.setdefault(step, {}))
    return told


def _is_read(told: dict[str, Any]) -> bool:
    is_read = told.pop("is_read", False)
    if not isinstance(is_read, bool):
        raise Misfit(expected="true or false", found=is_read, within=".is_read")
    return is_read


def _unsaid(record_type: RecordType[Any], name: str, default: Any, fields: Fields) -> Any:
    """What a field is of which a document says nothing, after those that it says."""
    if record_type.kind == MEMORY and name == CONFIRMED and fields[STATE] == State.LIVE:
        return ConfirmedBy.HAND.value  # nothing speaks for it but the person who brings it
    if record_type.kind == MEMORY and name in UNSAID:
        return UNSAID[name]
    if default is NO_DEFAULT:
        raise Misfit(expected=MISSING, found=None)
    return default


def _refuse_the_rest(record_type: RecordType[Any], told: dict[str, Any]) -> None:
    """Raises Misfit for what is left of a record when all its fields were taken."""
    groups = groups_of(record_type)
    for name, value in told.items():
        if name not in groups:
            raise Misfit(expected=NO_FIELD, found=name, within=step_text(name))
        for key in value:
            raise Misfit(expected=NO_FIELD, found=key, within=step_text(name) + step_text(key))


def _history(record_type: RecordType[Any], given: Any) -> tuple[PackedChange, ...]:
    try:
        return tuple(a_list(given, lambda each: _change(record_type, mapping(each))))
    except Misfit as misfit:
        raise misfit.at(".history") from None


def _change(record_type: RecordType[Any], given: dict[str, Any]) -> PackedChange:
    _refuse_others(given, ("operation", "before", "after"))
    step = ".operation"
    try:
        operation, before = whole_number(given.get("operation")), given.get("before")
        step = ".before"
        was = None if before is None else _changed(record_type, before)
        step = ".after"
        return PackedChange(operation, was, _changed(record_type, given.get("after")))
    except Misfit as misfit:
        raise misfit.at(step) from None


def _changed(record_type: RecordType[Any], given: Any) -> dict[str, Any]:
    """Fields of a change, by their columns."""
    shapes, left = shapes_of(record_type), LEFT_BEHIND.get(record_type.kind, frozenset())
    fields: dict[str, Any] = {}
    name = ""
    try:
        for name, value in mapping(given).items():
            if name not in left:
                shape = shapes.get(name)
                if shape is None or not shape.column.is_changeable:
                    raise Misfit(expected=NO_FIELD, found=name)
                fields[name] = shape.check(value)
    except Misfit as misfit:
        raise misfit.at(step_text(name) if name else "") from None
    return fields


def _operation(stream: JsonStream) -> Arriving:
    step = ""
    try:
        given = mapping(stream.value())
        _refuse_others(given, tuple(_OPERATION))
        found = {}
        for name, check in _OPERATION.items():
            step = f".{name}"
            found[name] = check(given.get(name))
    except Misfit as misfit:
        raise _refused(stream, misfit.at(step)) from None
    header = OperationHeader(
        Actor(found["actor"]), found["action"], parse_timestamp(found["at"]), found["session_id"], found["round"]
    )
    place, line, _column = stream.place()
    return Arriving(PackedOperation(found["number"], header, found["undoes"], found["undone_by"]), place, line)


def _refuse_others(given: dict[str, Any], known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            raise Misfit(expected=NO_FIELD, found=name, within=step_text(name))


def _refused(stream: JsonStream, misfit: Misfit) -> InvalidInput:
    if misfit.expected == NO_FIELD:
        return stream.wrong(
            template="{place}, line {line}: there is no such field",
            hint="a newer Orca may have written it",
            within=misfit.within,
        )
    if misfit.expected == MISSING:
        return stream.wrong(template="{place}, line {line}: it is missing", within=misfit.within)
    if misfit.known:
        return stream.wrong(
            template="{place}, line {line}: {found} is none of {known}",
            within=misfit.within,
            found=misfit.found,
            known=misfit.known,
        )
    return stream.wrong(
        template="{place}, line {line}: {found} is not {expected}",
        within=misfit.within,
        found=misfit.found,
        expected=misfit.expected,
    )
