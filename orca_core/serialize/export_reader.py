"""An export as it is read: record by record, each checked by msgspec against the fields of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    IMPORT_ORDER,
    LEFT_BEHIND,
    LINKS,
    TRAVELLING,
    ExportedChange,
    ExportedOperation,
    ExportedPair,
    ExportedRecord,
)
from orca_core.model.memories import BIRTH_WEIGHT, ConfirmedBy, MemoryType, PairReason, State, Status
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import (
    EPISODE,
    MEMORY,
    NO_DEFAULT,
    Column,
    Kind,
    RecordType,
    parse_timestamp,
    timestamp,
)
from orca_core.serialize.documents import decoded, read_whole, step_text
from orca_core.serialize.export_writer import OPERATIONS, VERSION

MARK = "orca_export"
_LARGEST = 2**53
_STATES = {status.value: State(status) for status in (Status.CANDIDATE, Status.REJECTED, Status.ARCHIVED)}
_STATES |= {status.value: State.LIVE for status in (Status.ACTIVE, Status.CORE)}
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
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_LONGEST = 120


class IsoTime(str):
    """A time as Orca writes it. It is read however ISO 8601 writes it."""

    __slots__ = ()


def _iso_time(wanted: type[Any], value: Any) -> IsoTime:
    """For msgspec, which says where it stands what is refused. Raises ValueError."""
    if wanted is not IsoTime or not isinstance(value, str):
        raise ValueError("Expected a time such as 2026-11-20T21:55:10Z")
    try:
        at = datetime.fromisoformat(value)
        return IsoTime(timestamp(at.replace(tzinfo=UTC) if at.tzinfo is None else at))
    except (ValueError, OverflowError) as error:
        raise ValueError("Expected a time such as 2026-11-20T21:55:10Z") from error


Count = Annotated[int, Meta(ge=0, le=_LARGEST)]


class _Pair(Struct, forbid_unknown_fields=True, kw_only=True):
    older: str = msgspec.field(name="with")
    why: PairReason
    at: IsoTime
    settled: Literal["both"] | None = None


class _Operation(Struct, forbid_unknown_fields=True, kw_only=True):
    number: Count
    actor: Actor
    action: str
    at: IsoTime
    session_id: str | None = None
    round: Count | None = None
    undoes: Count | None = None
    undone_by: Count | None = None


_OPERATIONS = msgspec.json.Decoder(_Operation, dec_hook=_iso_time)


class ExportReader:
    """Everything that an export brings, those records first on which others rest; it is read when the first is asked
    for. Raises InvalidInput, which names the place."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[ExportedRecord | ExportedOperation]:
        document = read_whole(self._pieces, hint="orca backup and orca restore take a home along that is larger")
        lists = _lists_of(document)
        for name in (*IMPORT_ORDER, OPERATIONS):
            if name not in lists:
                continue
            counted = at = document.find(memoryview(lists[name]))
            line = document.count(b"\n", 0, at) + 1
            for number, raw in enumerate(_listed(name, lists.pop(name))):
                begun = document.find(memoryview(raw), at)
                line += document.count(b"\n", counted, begun)
                counted, at = begun, begun + len(memoryview(raw))
                place = f"{name}[{number}]"
                is_operation = name == OPERATIONS
                yield _operation(raw, place, line) if is_operation else _record(TRAVELLING[name], raw, place, line)


def _lists_of(document: bytearray) -> dict[str, Raw]:
    try:
        members = decoded(document, dict[str, Raw])
    except msgspec.ValidationError as error:
        raise _no_export() from error
    if MARK not in members:
        raise _no_export()
    _check_version(members.pop(MARK))
    for name, raw in members.items():
        if name not in TRAVELLING and name != OPERATIONS:
            raise InvalidInput(
                template="{place}, line {line}: an export has no such list",
                hint="a newer Orca may have written it",
                place=step_text(name).removeprefix("."),
                line=document.count(b"\n", 0, document.find(memoryview(raw))) + 1,
            )
    return members


def _listed(name: str, raw: Raw) -> list[Raw]:
    try:
        return decoded(raw, list[Raw])
    except msgspec.ValidationError as error:
        raise InvalidInput(template="{place}: a list belongs here", place=name) from error


def _check_version(raw: Raw) -> None:
    version = msgspec.json.decode(raw)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise _no_export()
    if version > VERSION:
        raise InvalidInput(
            template="written by a newer Orca: export version {found}, this one knows {known}",
            hint="update Orca; nothing was changed",
            found=version,
            known=VERSION,
        )


def _no_export() -> InvalidInput:
    return InvalidInput(
        template="this is no export of Orca: it has no {mark}",
        hint="orca memory export writes one",
        mark=f'"{MARK}": {VERSION}',
    )


def _record(record_type: RecordType[Any], raw: Raw, place: str, line: int) -> ExportedRecord:
    shape = _shape_of(record_type)
    told: dict[str, Any] = _plain(shape.decoder, raw, place, line)
    if record_type.live is not None and "status" in told:
        told["state"] = _STATES[told.pop("status")].value
    if record_type.kind == MEMORY and "confirmed_by" not in told:
        # Nothing speaks for what lives but the person who brings it.
        told["confirmed_by"] = ConfirmedBy.HAND.value if told["state"] == State.LIVE else None
    history = [ExportedChange(**each) for each in told.pop("history", ())]
    pairs = told.pop("pairs", None)
    fields = {}
    for column in shape.columns:
        value = told
        for step in column.path:
            value = value[step]
        fields[column.name] = value
    return ExportedRecord(
        record_type.kind,
        fields,
        tuple(history),
        is_read=told.get("is_read", False),
        pairs=None if pairs is None else tuple(map(_pair, pairs)),
        place=place,
        line=line,
    )


def _pair(told: dict[str, Any]) -> ExportedPair:
    return ExportedPair(told["with"], told["why"], parse_timestamp(told["at"]), told["settled"])


def _operation(raw: Raw, place: str, line: int) -> ExportedOperation:
    told = _plain(_OPERATIONS, raw, place, line)
    header = OperationHeader(
        Actor(told["actor"]), told["action"], parse_timestamp(told["at"]), told["session_id"], told["round"]
    )
    return ExportedOperation(told["number"], header, told["undoes"], told["undone_by"], place, line)


def _plain(decoder: msgspec.json.Decoder[Any], raw: Raw, place: str, line: int) -> dict[str, Any]:
    """A value as plain JSON, checked, with what it does not say. Raises InvalidInput, which names place and field."""
    try:
        plain: dict[str, Any] = msgspec.to_builtins(decoder.decode(raw), enc_hook=str)
    except msgspec.ValidationError as error:
        raise _refused(str(error), place, line) from error
    except RecursionError as error:
        raise InvalidInput(template="the document is nested too deep") from error
    return plain


class _Shape:
    """How a kind stands in a document."""

    def __init__(self, record_type: RecordType[Any]) -> None:
        left = {"id", *LEFT_BEHIND.get(record_type.kind, ())}
        self.columns = [each for each in record_type.columns if each.name not in left]
        self.decoder = msgspec.json.Decoder(_struct_of(record_type, self.columns), dec_hook=_iso_time)


@cache
def _shape_of(record_type: RecordType[Any]) -> _Shape:
    return _Shape(record_type)


def _struct_of(record_type: RecordType[Any], columns: list[Column]) -> type[Struct]:
    fields: dict[str, tuple[Any, ...]] = {}
    groups: dict[str, list[tuple[Any, ...]]] = {}
    for column in columns:
        *within, name = column.path
        default = _default(record_type.kind, column)
        field = (name, _type_of(record_type, column), *(() if default is NO_DEFAULT else (_given(default),)))
        if within:
            groups.setdefault(within[0], []).append(field)
        else:
            fields[name] = field
    for group, parts in groups.items():
        inner = _struct(group, parts)
        fields[group] = (group, inner, *((msgspec.field(default_factory=inner),) if _has_defaults(parts) else ()))
    if record_type.live is not None:
        fields["status"] = ("status", _literal(Status) | UnsetType, UNSET)
    if record_type.kind == EPISODE:
        fields["is_read"] = ("is_read", bool, False)
    if record_type.kind == MEMORY:
        fields["confirmed_by"] = ("confirmed_by", fields["confirmed_by"][1] | UnsetType, UNSET)
        fields["pairs"] = ("pairs", list[_Pair] | UnsetType, UNSET)
    fields["history"] = ("history", list[_change_of(record_type)], msgspec.field(default_factory=list))  # type: ignore[misc]  # made at run time
    return _struct(record_type.kind.name, list(fields.values()))


def _change_of(record_type: RecordType[Any]) -> type[Struct]:
    left = {"id", *LEFT_BEHIND.get(record_type.kind, ())}
    fields = [
        (each.name, _type_of(record_type, each) | UnsetType, UNSET)
        for each in record_type.columns
        if each.name not in left and each.is_changeable
    ]
    fields_of_change = _struct(f"{record_type.kind.name}_fields", fields)
    return _struct(
        f"{record_type.kind.name}_change",
        [("operation", Count), ("before", fields_of_change | None, None), ("after", fields_of_change)],
    )


def _struct(name: str, fields: list[tuple[Any, ...]]) -> type[Struct]:
    return msgspec.defstruct(name, fields, kw_only=True, forbid_unknown_fields=True)


def _has_defaults(fields: list[tuple[Any, ...]]) -> bool:
    return all(len(each) == 3 for each in fields)


def _given(default: Any) -> Any:
    return msgspec.field(default_factory=lambda: default) if isinstance(default, list | dict) else default


def _default(kind: Kind, column: Column) -> Any:
    """The plain value where nothing is said; NO_DEFAULT where something must be."""
    if kind == MEMORY and column.name in UNSAID:
        return UNSAID[column.name]
    if column.default is NO_DEFAULT or column.default is None:
        return column.default
    codec = column.codec
    return codec.plain(column.default if codec.from_column is None else codec.from_column(column.default))


def _type_of(record_type: RecordType[Any], column: Column) -> Any:
    annotation: Any = record_type.record
    for step in column.path:
        annotation = get_type_hints(annotation)[step]
    return _read_as(_named(annotation) if column.name in LINKS.get(record_type.kind, {}) else annotation)


def _named(annotation: Any) -> Any:
    """The type of a link in a document: what is a number in a home is a name there."""
    if get_origin(annotation) in (Union, UnionType):
        return str | None
    return tuple[str, ...] if get_origin(annotation) is tuple else str


def _read_as(annotation: Any) -> Any:
    """The type in JSON of a type in code."""
    if get_origin(annotation) in (Union, UnionType):
        [inner] = [each for each in get_args(annotation) if each is not type(None)]
        return _read_as(inner) | None
    if get_origin(annotation) is tuple:
        return list[_read_as(get_args(annotation)[0])]  # type: ignore[misc]  # made at run time
    if get_origin(annotation) is Mapping:
        return dict[str, Any]
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _literal(annotation)
    return {str: str, int: Count, float: float, bool: bool, datetime: IsoTime}[annotation]


def _literal(choices: type[Enum]) -> Any:
    return Literal[tuple(each.value for each in choices)]


def _refused(said: str, place: str, line: int) -> InvalidInput:
    """What is wrong with a record, as msgspec says it, and where."""
    what, _, path = said.partition(" - at `$")
    steps = "".join(step_text(name or int(number)) for name, number in _STEP.findall(path.removesuffix("`")))
    return InvalidInput(
        template="{place}, line {line}: {detail}",
        hint="a newer Orca may have written it" if "unknown field" in what else None,
        place=f"{place}{steps}",
        line=line,
        detail=what if len(what) <= _LONGEST else f"{what[:_LONGEST]}…",
    )
