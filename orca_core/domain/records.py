"""A kind of record, described once by a frozen dataclass: its columns, how a row is read and written, and what
history keeps follow from its fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from datetime import datetime
from enum import Enum
from types import UnionType
from typing import Any, Generic, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

from orca_core.domain.refs import Kind, Ref
from orca_core.domain.times import parse_timestamp, timestamp


class Record(Protocol):
    """What every record has, whatever its kind: a number within it."""

    @property
    def id(self) -> int: ...


R = TypeVar("R", bound=Record)

Values = Mapping[str, Any]
"""Fields of a record, by their columns."""

When = tuple[str, tuple[str, ...]]
"""A column and the values that it has then."""

NO_DEFAULT = object()
"""Of a column whose field has no default."""

_CHANGEABLE = "changeable"
_COLUMN = "column"
_COLUMNS_OWN = (int, float, str, bytes)


def changeable(column: str = "") -> Mapping[str, Any]:
    """For `field(metadata=…)`: an operation may change it, and history keeps it."""
    return {_CHANGEABLE: True, **(stored_as(column) if column else {})}


def stored_as(column: str) -> Mapping[str, Any]:
    """For `field(metadata=…)`: the column is not called as the field is."""
    return {_COLUMN: column}


@dataclass(frozen=True, slots=True)
class Codec:
    """A type's three forms: the value that code holds, the plain JSON value that history keeps, and the column. None
    where two of them are the same."""

    to_plain: Callable[[Any], Any] | None = None
    from_plain: Callable[[Any], Any] | None = None
    plain_to_column: Callable[[Any], Any] | None = None
    from_column: Callable[[Any], Any] | None = None

    def plain(self, value: Any) -> Any:
        return value if value is None or self.to_plain is None else self.to_plain(value)

    def value(self, plain: Any) -> Any:
        return plain if plain is None or self.from_plain is None else self.from_plain(plain)

    def column(self, plain: Any) -> Any:
        return plain if plain is None or self.plain_to_column is None else self.plain_to_column(plain)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a record's table, and the field that it holds: `path` leads to it. `default` is what the column holds
    in a record made before the field existed; NO_DEFAULT where the field has none."""

    name: str
    path: tuple[str, ...]
    codec: Codec
    is_changeable: bool
    sql_type: str
    is_optional: bool
    default: Any


@dataclass(frozen=True, slots=True)
class _Group:
    """Fields that stand together as a value of their own: columns `first` up to `end`."""

    first: int
    end: int
    make: Callable[..., Any]


class RecordType(Generic[R]):
    """A kind's table and fields. `text` is what a record is found by, embedded and shown as; `index` names the table of
    its words, where it is not called as the table. A search finds what is `live`; what is `embedded` gets a vector.
    `unmade` are the plain fields that a record has when its making is taken back: its row stays, for the making can be
    done again. None: it can't be taken back. No two records of a kind say the same where `is_text_unique`. `cues` names
    the field of further texts that a record is found by, each for itself; empty where the kind has none."""

    def __init__(
        self,
        kind: Kind,
        record: type[R],
        table: str,
        *,
        text: str,
        unmade: Values | None,
        index: str = "",
        live: When | None = None,
        embedded: When | None = None,
        is_text_unique: bool = False,
        cues: str = "",
    ) -> None:
        assert unmade is None or unmade, f"a {kind.name} whose making is taken back must differ by a field"
        self.kind = kind
        self.index_name = index or table
        self.live = live
        self.embedded = embedded
        self.record = record
        self.table = table
        self.text_column = text
        self.is_text_unique = is_text_unique
        self.cues = cues
        self._groups: list[_Group] = []
        self.columns: tuple[Column, ...] = tuple(self._columns_of(record))
        self.names: tuple[str, ...] = tuple(column.name for column in self.columns)
        self.changeable: tuple[str, ...] = tuple(column.name for column in self.columns if column.is_changeable)
        self._by_name = {column.name: column for column in self.columns}
        assert set(unmade or ()) <= set(self.changeable), f"no operation may change all of {unmade}"
        self.unmade = unmade
        self._read = tuple(
            (place, column.codec.from_column)
            for place, column in enumerate(self.columns)
            if column.codec.from_column is not None
        )

    def ref(self, record: R) -> Ref:
        return Ref(self.kind, record.id)

    def text(self, record: R) -> str:
        return str(getattr(record, self.text_column))

    def made_at(self, record: R) -> datetime | None:
        """Its creation time, where it has one."""
        made_at = getattr(record, "created_at", None)
        assert made_at is None or isinstance(made_at, datetime)
        return made_at

    def from_row(self, row: Sequence[Any]) -> R:
        """A record from its columns, in their order."""
        values = list(row)
        for place, read in self._read:
            if values[place] is not None:
                values[place] = read(values[place])
        for group in self._groups:
            values[group.first : group.end] = [group.make(*values[group.first : group.end])]
        return self.record(*values)

    def to_row(self, record: R) -> dict[str, Any]:
        """Every column of a record, its id too."""
        plain = self.plain(record, self.names)
        return {column.name: column.codec.column(plain[column.name]) for column in self.columns}

    def plain(self, record: R, names: Sequence[str]) -> dict[str, Any]:
        """Some fields as plain JSON values."""
        return {name: self._by_name[name].codec.plain(self._value(record, self._by_name[name])) for name in names}

    def changeable_fields(self, record: R) -> dict[str, Any]:
        """What history keeps of a record when it is made: every field that an operation may change."""
        return self.plain(record, self.changeable)

    def changed(self, record: R, plain: Values) -> R:
        """The record with these changeable fields, given as plain values."""
        given: dict[str, Any] = {}
        for name, each in plain.items():
            column = self._by_name[name]
            first, *within = column.path
            value = column.codec.value(each)
            if within:
                value = replace(given.get(first, getattr(record, first)), **{within[0]: value})
            given[first] = value
        return replace(record, **given)  # type: ignore[type-var]  # a record is a dataclass

    def columns_from_plain(self, plain: Values) -> dict[str, Any]:
        """Fields as their columns hold them."""
        return {name: self._by_name[name].codec.column(value) for name, value in plain.items()}

    def _value(self, record: R, column: Column) -> Any:
        value: Any = record
        for step in column.path:
            value = getattr(value, step)
        return value

    def _columns_of(self, record: type[Any]) -> list[Column]:
        types = get_type_hints(record)
        columns: list[Column] = []
        for each in fields(record):
            inner = types[each.name]
            if not is_dataclass(inner):
                columns.append(_column(each, inner))
                continue
            assert isinstance(inner, type)
            inner_types = get_type_hints(inner)
            parts = [_column(part, inner_types[part.name], within=each.name) for part in fields(inner)]
            # Groups are put together in reading order: those before have become one value each.
            first = len(columns) - sum(group.end - group.first - 1 for group in self._groups)
            self._groups.append(_Group(first, first + len(parts), inner))
            columns += parts
        return columns


def _column(each: Field[Any], annotation: Any, within: str = "") -> Column:
    own = each.metadata.get(_COLUMN, each.name)
    name, path = (f"{within}_{own}", (within, each.name)) if within else (own, (each.name,))
    is_changeable = bool(each.metadata.get(_CHANGEABLE))
    codec, sql_type, is_optional = codec_of(annotation), sql_type_of(annotation), _is_optional(annotation)
    return Column(name, path, codec, is_changeable, sql_type, is_optional, _default(each, codec))


def _default(each: Field[Any], codec: Codec) -> Any:
    """The default of a field as its column holds it."""
    if each.default is not MISSING:
        return codec.column(codec.plain(each.default))
    return NO_DEFAULT if each.default_factory is MISSING else codec.column(codec.plain(each.default_factory()))


def codec_of(annotation: Any) -> Codec:
    """How a type is stored. Raises TypeError for one that no column can hold."""
    annotation = _without_none(annotation)
    if get_origin(annotation) is tuple:
        return _tuple_codec(get_args(annotation)[0])
    if annotation is bool:
        return Codec(plain_to_column=int, from_column=bool)
    if annotation is datetime:
        return Codec(timestamp, parse_timestamp, None, parse_timestamp)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        by_value = {each.value: each for each in annotation}  # a third of an enum's own look-up
        return Codec(lambda value: value.value, annotation, None, by_value.__getitem__)
    if isinstance(annotation, type) and issubclass(annotation, _COLUMNS_OWN):
        return Codec()
    raise TypeError(f"no column holds {annotation}")


_SQL_TYPES = {bool: "INTEGER", int: "INTEGER", float: "REAL", bytes: "BLOB"}


def sql_type_of(annotation: Any) -> str:
    """What its column is declared as; most is text."""
    return _SQL_TYPES.get(_without_none(annotation), "TEXT")


def _is_optional(annotation: Any) -> bool:
    return _without_none(annotation) is not annotation


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    [inner] = [each for each in get_args(annotation) if each is not type(None)]
    return inner


def _tuple_codec(inner: Any) -> Codec:
    """A tuple of plain values, as a JSON list."""
    if inner not in (int, float, str):
        raise TypeError(f"no column holds a tuple of {inner}")
    return Codec(list, tuple, to_json, _tuple_from_json)


def _tuple_from_json(text: str) -> tuple[Any, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def to_json(value: Any) -> str:
    """Compact, as it is stored."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
