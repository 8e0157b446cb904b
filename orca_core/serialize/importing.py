"""An export as it is read: record by record, each checked against the fields of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from orca_core.model.errors import InvalidInput, quoted
from orca_core.model.import_export import (
    LEFT_BEHIND,
    LINKS,
    NO_LONGER,
    NO_LONGER_ACTS,
    TRAVELLING,
    Arriving,
    Packed,
    PackedChange,
    PackedOperation,
    PackedPair,
    Settled,
)
from orca_core.model.memories import BIRTH_WEIGHT, ConfirmedBy, MemoryType, State, Status
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
from orca_core.serialize.documents import decoded, read_whole, shortened, step_text
from orca_core.serialize.export import OPERATIONS, VERSION

S = TypeVar("S", bound=Struct)

MARK = "orca_export"
MOST_SHOWN = 40
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
_MESSAGE = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?\Z", re.DOTALL)
_FIELD = re.compile(r"Object (?P<which>contains unknown|missing required) field `(?P<name>.*)`\Z", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


class Moment(str):
    """A time as Orca writes it. It is read however ISO 8601 writes it."""

    __slots__ = ()


def _moment(wanted: type[Any], value: Any) -> Moment:
    """For msgspec, which says where it stands what is refused. Raises ValueError."""
    if wanted is not Moment or not isinstance(value, str):
        raise ValueError
    try:
        at = datetime.fromisoformat(value)
        return Moment(timestamp(at.replace(tzinfo=UTC) if at.tzinfo is None else at))
    except OverflowError as error:
        raise ValueError from error


Count = Annotated[int, Meta(ge=0, le=_LARGEST)]
_SETTLED = Literal[Settled.BOTH.value]  # type: ignore[name-defined]  # the values of an enumeration are literals
_ACTOR = Literal[(*(each.value for each in Actor), *NO_LONGER_ACTS)]  # type: ignore[valid-type]  # made at run time


class _Pair(Struct, forbid_unknown_fields=True, kw_only=True):
    older: str = msgspec.field(name="with")
    why: str
    at: Moment
    settled: _SETTLED | None = None


class _Operation(Struct, forbid_unknown_fields=True, kw_only=True):
    number: Count
    actor: _ACTOR  # type: ignore[valid-type]  # made at run time
    action: str
    at: Moment
    session_id: str | None = None
    round: Count | None = None
    undoes: Count | None = None
    undone_by: Count | None = None


class _Wanted(Struct):
    """What belongs in a place."""

    expected: str


_EXPECTED: Mapping[Any, _Wanted] = {
    str: _Wanted(expected="a text"),
    Count: _Wanted(expected="a whole number from 0"),
    float: _Wanted(expected="a number"),
    bool: _Wanted(expected="true or false"),
    Moment: _Wanted(expected="a time such as 2026-11-20T21:55:10Z"),
    list: _Wanted(expected="a list"),
    dict: _Wanted(expected="an object"),
}
_OPERATIONS = msgspec.json.Decoder(_Operation, dec_hook=_moment)


class ExportReader:
    """Everything that an export brings, in its order; it is read when the first record is asked for. Raises
    InvalidInput, which names the place."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        self.at, self._line = 0, 1

    def __iter__(self) -> Iterator[Arriving]:
        document = read_whole(self._pieces, hint="orca backup and orca restore take a home along that is larger")
        for name, listed in _lists_of(document):
            for number, raw in enumerate(listed):
                place, line = f"{name}[{number}]", self._line_of(document, raw)
                if name == OPERATIONS:
                    if (operation := _operation(raw, place, line)) is not None:
                        yield Arriving(operation, place, line)
                else:
                    yield Arriving(_record(TRAVELLING[name], raw, place, line), place, line)

    def _line_of(self, document: bytearray, raw: Raw) -> int:
        """On which line a value stands; they are asked for in their order."""
        at = document.find(memoryview(raw), self.at)
        self._line += document.count(b"\n", self.at, at)
        self.at = at
        return self._line


def _lists_of(document: bytearray) -> Iterator[tuple[str, list[Raw]]]:
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
        try:
            yield name, decoded(raw, list[Raw])
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


def _record(record_type: RecordType[Any], raw: Raw, place: str, line: int) -> Packed:
    shape = _shape_of(record_type)
    told: dict[str, Any] = _plain(shape.decoder, raw, place, line)
    if record_type.live is not None and "status" in told:
        told["state"] = _STATES[told.pop("status")].value
    if record_type.kind == MEMORY and "confirmed_by" not in told:
        # Nothing speaks for what lives but the person who brings it.
        told["confirmed_by"] = ConfirmedBy.HAND.value if told["state"] == State.LIVE else None
    left, no_longer = _left_out(record_type), NO_LONGER.get(record_type.kind, frozenset())
    history = [
        PackedChange(
            each["operation"],
            None if each["before"] is None else _without(left, each["before"]),
            _without(left, each["after"]),
        )
        for each in told.pop("history", ())
        if not each["after"] or not no_longer.issuperset(each["after"])
    ]
    pairs = told.pop("pairs", None)
    fields = {}
    for column in shape.columns:
        value = told
        for step in column.path:
            value = value[step]
        fields[column.name] = value
    return Packed(
        record_type.kind,
        fields,
        tuple(history),
        is_read=told.get("is_read", False),
        pairs=None if pairs is None else tuple(map(_pair, pairs)),
    )


def _without(left: frozenset[str], fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in left} if left else fields


def _left_out(record_type: RecordType[Any]) -> frozenset[str]:
    kind = record_type.kind
    return LEFT_BEHIND.get(kind, frozenset()) | NO_LONGER.get(kind, frozenset())


def _pair(told: dict[str, Any]) -> PackedPair:
    settled = None if told["settled"] is None else Settled(told["settled"])
    return PackedPair(told["with"], told["why"], parse_timestamp(told["at"]), settled)


def _operation(raw: Raw, place: str, line: int) -> PackedOperation | None:
    """None for one of which nothing is left."""
    told = _plain(_OPERATIONS, raw, place, line)
    if told["actor"] in NO_LONGER_ACTS:
        return None
    header = OperationHeader(
        Actor(told["actor"]), told["action"], parse_timestamp(told["at"]), told["session_id"], told["round"]
    )
    return PackedOperation(told["number"], header, told["undoes"], told["undone_by"])


def _plain(decoder: msgspec.json.Decoder[Any], raw: Raw, place: str, line: int) -> dict[str, Any]:
    """A value as plain JSON, checked, with what it does not say. Raises InvalidInput, which names place and field."""
    try:
        plain: dict[str, Any] = msgspec.to_builtins(decoder.decode(raw), enc_hook=str)
    except msgspec.ValidationError as error:
        raise _refused(decoder.type, raw, str(error), place, line) from error
    except RecursionError as error:
        raise InvalidInput(template="the document is nested too deep") from error
    return plain


class _Shape:
    """How a kind stands in a document."""

    def __init__(self, record_type: RecordType[Any]) -> None:
        left = {"id", *LEFT_BEHIND.get(record_type.kind, ())}
        self.columns = [each for each in record_type.columns if each.name not in left]
        self.decoder = msgspec.json.Decoder(_struct_of(record_type, self.columns), dec_hook=_moment)


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
    for name in NO_LONGER.get(record_type.kind, ()):
        fields[name] = (name, Any, UNSET)
    fields["history"] = ("history", list[_change_of(record_type)], msgspec.field(default_factory=list))  # type: ignore[misc]  # made at run time
    return _struct(record_type.kind.name, list(fields.values()))


def _change_of(record_type: RecordType[Any]) -> type[Struct]:
    left = _left_out(record_type)
    fields = [
        (each.name, _type_of(record_type, each) | UnsetType, UNSET)
        for each in record_type.columns
        if each.name not in left and each.is_changeable and each.name != "id"
    ]
    fields += [(name, Any, UNSET) for name in left]
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
    return {str: str, int: Count, float: float, bool: bool, datetime: Moment}[annotation]


def _literal(choices: type[Enum]) -> Any:
    return Literal[tuple(each.value for each in choices)]


def _refused(shape: Any, raw: Raw, said: str, place: str, line: int) -> InvalidInput:
    """What is wrong with a record, of what msgspec said."""
    message = _MESSAGE.match(said)
    assert message is not None
    steps: list[str | int] = [name or int(number) for name, number in _STEP.findall(message["path"] or "")]
    if field := _FIELD.match(message["what"]):
        where = f"{place}{''.join(map(step_text, [*steps, field['name']]))}"
        if field["which"].startswith("missing"):
            return InvalidInput(template="{place}, line {line}: it is missing", place=where, line=line)
        return InvalidInput(
            template="{place}, line {line}: there is no such field",
            hint="a newer Orca may have written it",
            place=where,
            line=line,
        )
    value: Any = msgspec.json.decode(raw, strict=False)
    for step in steps:
        value, shape = value[step], _type_at(shape, step)
    where = f"{place}{''.join(map(step_text, steps))}"
    choices = [each for part in _union_members(shape) if get_origin(part) is Literal for each in get_args(part)]
    if len(choices) > 1:
        return InvalidInput(
            template="{place}, line {line}: {found} is none of {known}",
            place=where,
            line=line,
            found=_shown(value),
            known=", ".join(choices),
        )
    return InvalidInput(
        template="{place}, line {line}: {found} is not {expected}",
        place=where,
        line=line,
        found=_shown(value),
        expected=quoted(choices[0]) if choices else _expected(shape),
    )


def _type_at(shape: Any, step: str | int) -> Any:
    [part] = [each for each in _union_members(shape) if get_origin(each) is list or _is_struct(each)]
    if isinstance(step, int):
        return get_args(part)[0]
    return next(each.type for each in msgspec.structs.fields(part) if each.encode_name == step)


def _union_members(shape: Any) -> list[Any]:
    return list(get_args(shape)) if get_origin(shape) in (Union, UnionType) else [shape]


def _is_struct(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, Struct)


def _expected(shape: Any) -> str:
    [part] = [each for each in _union_members(shape) if each not in (type(None), UnsetType)]
    return _EXPECTED.get(get_origin(part) or part, _EXPECTED.get(part, _EXPECTED[dict])).expected


def _shown(value: object) -> str:
    """What was found, short enough for a sentence."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    return quoted(value, MOST_SHOWN) if isinstance(value, str) else shortened(str(value))
